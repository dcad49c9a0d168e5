import { defined } from "../../../text/model/defined.ts";
import { BlockList } from "../block-list.ts";
import { trimRegion } from "../characters.ts";
import { type IndentedLines, readIndentedLines } from "../indented-lines.ts";
import { addAsciiDocTable } from "./tables.ts";

export type AsciiDocScan = { readonly list: BlockList; readonly tooDeep?: number };

const DEEPEST = 32;
const CODE_STYLE = /^(?:source|listing|literal)$/;
const ADMONITION = /^(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)$/;

/** The attribute line above a block: `[source,ruby]`, `[NOTE]`, `[#anchor]`, `[cols="1,2"]`. */
type BlockAttributes = {
  readonly style: string;
  readonly language?: string;
  readonly anchor?: string;
  readonly all: string;
};

/** AsciiDoc's blocks. Delimited blocks hold documents of their own; everything else is recognized line by line. */
export function scanAsciiDoc(text: string, from: number): AsciiDocScan {
  return new AsciiDocScanner(text, from).scan();
}

/** The lines of a document or of a block that holds one: up to which line, in which block, how deep. */
type AsciiDocBody = { readonly to: number; readonly parent: number | undefined; readonly depth: number };

/** A line with its words, and the attribute line above it. */
type AttributedLine = AsciiDocBody & {
  readonly words: string;
  readonly attributes: BlockAttributes | undefined;
};

class AsciiDocScanner {
  readonly #text: string;
  readonly #lines: IndentedLines;
  readonly #list = new BlockList();
  readonly #closing: ReadonlyMap<number, number>;
  #attributes: BlockAttributes | undefined;
  #tooDeep: number | undefined;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#lines = readIndentedLines(text, from);
    this.#closing = matchDelimiters(this.#lines);
  }

  scan(): AsciiDocScan {
    this.#readBody(0, { to: this.#lines.count, parent: undefined, depth: 0 });
    return { list: this.#list, ...defined({ tooDeep: this.#tooDeep }) };
  }

  #readBody(first: number, body: AsciiDocBody): void {
    for (let line = first; line < body.to; ) line = this.#readBlock(line, body);
  }

  #readBlock(line: number, body: AsciiDocBody): number {
    if (this.#lines.indent(line) < 0) return line + 1;
    const words = this.#lines.words(line);
    const attributes = this.#attributes;
    this.#attributes = undefined;
    if (/^\[(?:\[[^\]]*\]|[^[\]]*|[^[]*\[[^\]]*\][^[\]]*)\]$/.test(words) && this.#lines.indent(line) === 0) {
      this.#attributes = readAttributes(words, attributes);
      return line + 1;
    }
    return (
      this.#readDelimited(line, { words, attributes, ...body }) ??
      this.#readHeading(line, { words, attributes, ...body }) ??
      this.#readLineOfItsOwn(line, words, body.parent) ??
      this.#readItem(line, words, body) ??
      this.#readProse(line, { words, attributes, ...body })
    );
  }

  /** `----`, `....`, `====`, `|===` and their like, up to the same line again. */
  #readDelimited(line: number, { words, attributes, to, parent, depth }: AttributedLine): number | undefined {
    const close = this.#closing.get(line);
    if (close === undefined || close >= to) return undefined;
    const whole = { start: this.#lines.content(line), end: this.#endOf(close) };
    const body = {
      start: this.#lines.start(line + 1),
      end: Math.max(this.#lines.start(line + 1), this.#lines.end(close - 1)),
    };
    const inner = close > line + 1 ? body : { start: body.start, end: body.start };
    // An open block, between two dashes, is code if its style says so.
    const isSource = words === "--" && attributes !== undefined && CODE_STYLE.test(attributes.style);
    const fence = isSource ? [words, words, ""] : /^(-{4,}|\.{4,}|`{3,}|~{3,})(\S*)/.exec(words);
    if (fence) {
      const block = this.#list.blocks[this.#list.add("code-fence", whole, parent)]!;
      block.content = inner;
      block.fence = fence[1]!;
      const language = fence[2] || attributes?.language;
      if (language) block.language = language;
    } else if (words.startsWith("////"))
      this.#list.blocks[this.#list.add("comment", whole, parent)]!.content = inner;
    else if (words.startsWith("++++"))
      this.#list.blocks[this.#list.add("html", whole, parent)]!.content = inner;
    else if (/^[|,:!]===/.test(words))
      addAsciiDocTable(this.#lines, this.#list, {
        from: line + 1,
        to: close,
        parent,
        attributes: attributes?.all ?? "",
      });
    else {
      const admonition = attributes && ADMONITION.test(attributes.style);
      const kind = words.startsWith("____") ? "quote" : "admonition";
      const block = this.#list.add(kind, whole, parent);
      this.#list.blocks[block]!.content = inner;
      if (kind === "admonition")
        this.#list.blocks[block]!.language = admonition
          ? attributes.style.toLowerCase()
          : attributes?.style || this.#nameOf(words);
      if (depth < DEEPEST) this.#readBody(line + 1, { to: close, parent: block, depth: depth + 1 });
      else {
        this.#tooDeep ??= whole.start;
        this.#list.add("paragraph", trimRegion(this.#text, inner.start, inner.end), block);
      }
    }
    return close + 1;
  }

  #nameOf(words: string): string {
    return words.startsWith("****") ? "sidebar" : words.startsWith("====") ? "example" : "open";
  }

  #readHeading(line: number, { words, attributes, parent }: AttributedLine): number | undefined {
    const marks = /^(={1,6}|#{1,6})[ \t]+(?=\S)/.exec(words);
    if (!marks || this.#lines.indent(line) !== 0) return undefined;
    const start = this.#lines.content(line);
    const block = this.#list.add("heading", { start, end: start + words.length }, parent);
    const closing = words.endsWith(` ${marks[1]}`) ? marks[1]!.length : 0;
    const end = start + words.length - closing;
    this.#list.blocks[block]!.content = trimRegion(
      this.#text,
      start + marks[0].length,
      Math.max(end, start + marks[0].length),
    );
    this.#list.blocks[block]!.depth = marks[1]!.length;
    if (attributes?.anchor) this.#list.blocks[block]!.slug = attributes.anchor;
    this.#list.beginSection(block);
    return line + 1;
  }

  /** Comments, attributes, macros and titles are one line each. An indented line is a literal paragraph. */
  #readLineOfItsOwn(line: number, words: string, parent: number | undefined): number | undefined {
    if (this.#lines.indent(line) !== 0) return undefined;
    const whole = { start: this.#lines.content(line), end: this.#lines.content(line) + words.length };
    if (/^\/\/(?!\/)/.test(words)) {
      const block = this.#list.add("comment", whole, parent);
      this.#list.blocks[block]!.content = trimRegion(this.#text, whole.start + 2, whole.end);
    } else if (/^:!?[\w-]+!?:(?: |$)/.test(words)) this.#list.add("definition", whole, parent);
    else if (/^\.[^\s.]/.test(words)) {
      const block = this.#list.add("paragraph", whole, parent);
      this.#list.blocks[block]!.content = { start: whole.start + 1, end: whole.end };
    } else if (/^(?:include|image|video|audio|toc)::\S*\[.*\]$/.test(words))
      this.#list.add("paragraph", whole, parent);
    else if (words === "+" || words === "'''" || words === "<<<") return line + 1;
    else return undefined;
    return line + 1;
  }

  #readItem(line: number, words: string, { to, parent }: AsciiDocBody): number | undefined {
    const marker = /^(\*{1,8}|-|\.{1,8}|\d{1,9}\.|[a-zA-Z]\.|<[\d.]+>)[ \t]+(?=\S)/.exec(words);
    const term = marker ? null : /^(?!\/\/)(\S(?:[^:]|:(?!:))*?)(:{2,4}|;;)(?:[ \t]+|$)/.exec(words);
    if (!marker && !term) return undefined;
    const end = this.#endOfProse(line, to);
    const start = this.#lines.content(line);
    const item = this.#list.add("list-item", { start, end: this.#endOf(end - 1) }, parent);
    const made = this.#list.blocks[item]!;
    made.depth = marker && /^[*.]+$/.test(marker[1]!) ? marker[1]!.length : 1;
    const at = start + (marker ?? term)![0].length;
    made.content = { start: marker ? Math.min(at, this.#endOf(line)) : start, end: made.region.end };
    if (term) this.#list.add("paragraph", { start, end: start + term[1]!.length }, item);
    if (at < made.region.end) {
      const inner = trimRegion(this.#text, at, made.region.end);
      if (inner.end > inner.start) this.#list.add("paragraph", inner, item);
    }
    return end;
  }

  #readProse(line: number, { words, attributes, to, parent }: AttributedLine): number {
    const end = this.#endOfProse(line, to);
    const whole = { start: this.#lines.content(line), end: this.#endOf(end - 1) };
    const styled = attributes && CODE_STYLE.test(attributes.style);
    if (this.#lines.indent(line) > 0 || styled) {
      const block =
        this.#list.blocks[
          this.#list.add(
            "code-fence",
            { start: Math.max(this.#lines.start(line), 0), end: whole.end },
            parent,
          )
        ]!;
      block.fence = "";
      if (attributes?.language) block.language = attributes.language;
      return end;
    }
    const label = /^(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+/.exec(words);
    const style =
      label?.[1] ?? (attributes && ADMONITION.test(attributes.style) ? attributes.style : undefined);
    if (style) {
      const block = this.#list.add("admonition", whole, parent);
      const inner = { start: whole.start + (label?.[0].length ?? 0), end: whole.end };
      this.#list.blocks[block]!.language = style.toLowerCase();
      this.#list.blocks[block]!.content = inner;
      this.#list.add("paragraph", inner, block);
    } else this.#list.add("paragraph", whole, parent);
    return end;
  }

  /** Prose goes on to a blank line, a delimiter, an attribute line or the next item. */
  #endOfProse(line: number, to: number): number {
    let end = line + 1;
    while (end < to && this.#lines.indent(end) >= 0 && !this.#closing.has(end)) {
      const words = this.#lines.words(end, 200);
      if (
        /^(?:\[.*\]|\+|\/\/.*)$/.test(words) ||
        /^(?:\*{1,8}|-|\.{1,8}|\d{1,9}\.|<[\d.]+>)[ \t]|^\S.*?:: /.test(words)
      )
        break;
      end++;
    }
    return end;
  }

  #endOf(line: number): number {
    return trimRegion(this.#text, this.#lines.content(line), this.#lines.end(line)).end;
  }
}

function readAttributes(words: string, before: BlockAttributes | undefined): BlockAttributes {
  const anchor = /^\[\[([^\],]+)/.exec(words)?.[1] ?? /#([\w:.-]+)/.exec(words)?.[1] ?? before?.anchor;
  const [style = "", second = ""] = words.slice(1, -1).split(",");
  const listing = /^(?:source|listing)?(?:%[\w%]+)?$/.test(style.trim());
  const language = listing && second ? second.trim() : /\blanguage="?([\w+-]+)/.exec(words)?.[1];
  return {
    style: words.startsWith("[[") ? (before?.style ?? "") : style.trim().replace(/[#.%].*$/, ""),
    ...defined({
      language: (language ?? before?.language) ? (language ?? before!.language!) : undefined,
      anchor,
    }),
    all: (before?.all ?? "") + words,
  };
}

/** Each delimiter line with the next line equal to it, outside those that are already taken by a verbatim block. */
function matchDelimiters(lines: IndentedLines): ReadonlyMap<number, number> {
  const next = new Map<string, number[]>();
  const marks: { line: number; mark: string }[] = [];
  for (let line = 0; line < lines.count; line++) {
    const words = lines.indent(line) === 0 ? lines.words(line, 200) : "";
    const mark =
      /^(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|\/{4,}|[|,:!]={3,}|--)$|^(?:`{3,}|~{3,})\S*$/.exec(
        words,
      )?.[0];
    if (!mark) continue;
    const fence = /^[`~]+/.exec(mark)?.[0] ?? mark;
    marks.push({ line, mark });
    const places = next.get(fence);
    if (places) places.push(line);
    else next.set(fence, [line]);
  }
  for (const places of next.values()) places.reverse();
  const closing = new Map<number, number>();
  const closed = new Set<number>();
  let verbatimUntil = -1;
  for (const { line, mark } of marks) {
    if (line <= verbatimUntil || closed.has(line)) continue;
    const places = next.get(/^[`~]+/.exec(mark)?.[0] ?? mark)!;
    while (places.length > 0 && places[places.length - 1]! <= line) places.pop();
    const close = places[places.length - 1];
    if (close === undefined) continue;
    closing.set(line, close);
    closed.add(close);
    if (!/^(?:=|\*|_|--$)/.test(mark)) verbatimUntil = close;
  }
  return closing;
}
