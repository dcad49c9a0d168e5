import { type BlockList, createBlockList } from "../block-list.ts";
import { type IndentedLines, readIndentedLines } from "../indented-lines.ts";
import { trimRegion } from "../line-cursor.ts";
import { addAsciiDocTable } from "./tables.ts";

export type AsciiDocScan = { readonly list: BlockList; readonly tooDeep?: number };

const DEEPEST = 32;
const ADMONITION = /^(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)$/;

/** What the line above a block says about it: `[source,ruby]`, `[NOTE]`, `[#anchor]`, `[cols="1,2"]`. */
type Attributes = {
  readonly style: string;
  readonly language?: string;
  readonly anchor?: string;
  readonly all: string;
};

/** AsciiDoc's blocks. Delimited blocks hold documents of their own; everything else is told line by line. */
export function scanAsciiDoc(text: string, from: number): AsciiDocScan {
  const lines = readIndentedLines(text, from);
  const list = createBlockList();
  const closing = matchDelimiters(lines);
  let attributes: Attributes | undefined;
  let tooDeep: number | undefined;
  readBody(0, lines.count, undefined, 0);
  return { list, ...(tooDeep !== undefined && { tooDeep }) };

  function readBody(first: number, to: number, parent: number | undefined, depth: number): void {
    for (let line = first; line < to; ) line = readBlock(line, to, parent, depth);
  }

  function readBlock(line: number, to: number, parent: number | undefined, depth: number): number {
    if (lines.indent(line) < 0) return line + 1;
    const words = lines.words(line);
    const about = attributes;
    attributes = undefined;
    if (/^\[(?:\[[^\]]*\]|[^[\]]*|[^[]*\[[^\]]*\][^[\]]*)\]$/.test(words) && lines.indent(line) === 0) {
      attributes = readAttributes(words, about);
      return line + 1;
    }
    return (
      readDelimited(line, to, words, about, parent, depth) ??
      readHeading(line, words, about, parent) ??
      readLineOfItsOwn(line, words, parent) ??
      readItem(line, to, words, parent) ??
      readProse(line, to, words, about, parent)
    );
  }

  /** `----`, `....`, `====`, `|===` and their like, up to the same line again. */
  function readDelimited(
    line: number,
    to: number,
    words: string,
    about: Attributes | undefined,
    parent: number | undefined,
    depth: number,
  ): number | undefined {
    const close = closing.get(line);
    if (close === undefined || close >= to) return undefined;
    const whole = { start: lines.content(line), end: endOf(close) };
    const body = { start: lines.start(line + 1), end: Math.max(lines.start(line + 1), lines.end(close - 1)) };
    const inner = close > line + 1 ? body : { start: body.start, end: body.start };
    const fence = /^(-{4,}|\.{4,}|`{3,}|~{3,})(\S*)/.exec(words);
    if (fence) {
      const block = list.blocks[list.add("code-fence", whole, parent)]!;
      block.content = inner;
      block.fence = fence[1]!;
      const language = fence[2] || about?.language;
      if (language) block.language = language;
    } else if (words.startsWith("////")) list.blocks[list.add("comment", whole, parent)]!.content = inner;
    else if (words.startsWith("++++")) list.blocks[list.add("html", whole, parent)]!.content = inner;
    else if (/^[|,:!]===/.test(words))
      addAsciiDocTable(lines, list, { from: line + 1, to: close, parent, about: about?.all ?? "" });
    else {
      const admonition = about && ADMONITION.test(about.style);
      const kind = words.startsWith("____") ? "quote" : "admonition";
      const block = list.add(kind, whole, parent);
      list.blocks[block]!.content = inner;
      if (kind === "admonition")
        list.blocks[block]!.language = admonition ? about.style.toLowerCase() : about?.style || nameOf(words);
      if (depth < DEEPEST) readBody(line + 1, close, block, depth + 1);
      else {
        tooDeep ??= whole.start;
        list.add("paragraph", trimRegion(text, inner.start, inner.end), block);
      }
    }
    return close + 1;
  }

  function nameOf(words: string): string {
    return words.startsWith("****") ? "sidebar" : words.startsWith("====") ? "example" : "open";
  }

  function readHeading(
    line: number,
    words: string,
    about: Attributes | undefined,
    parent: number | undefined,
  ): number | undefined {
    const marks = /^(={1,6}|#{1,6})[ \t]+(?=\S)/.exec(words);
    if (!marks || lines.indent(line) !== 0) return undefined;
    const start = lines.content(line);
    const block = list.add("heading", { start, end: start + words.length }, parent);
    const closing = words.endsWith(` ${marks[1]}`) ? marks[1]!.length : 0;
    const end = start + words.length - closing;
    list.blocks[block]!.content = trimRegion(
      text,
      start + marks[0].length,
      Math.max(end, start + marks[0].length),
    );
    list.blocks[block]!.depth = marks[1]!.length;
    if (about?.anchor) list.blocks[block]!.slug = about.anchor;
    list.beginSection(block);
    return line + 1;
  }

  /** Comments, attributes, macros and titles are one line each. */
  function readLineOfItsOwn(line: number, words: string, parent: number | undefined): number | undefined {
    const whole = { start: lines.content(line), end: lines.content(line) + words.length };
    if (/^\/\/(?!\/)/.test(words)) {
      const block = list.add("comment", whole, parent);
      list.blocks[block]!.content = trimRegion(text, whole.start + 2, whole.end);
    } else if (/^:!?[\w-]+!?:(?: |$)/.test(words)) list.add("definition", whole, parent);
    else if (/^\.[^\s.]/.test(words)) {
      const block = list.add("paragraph", whole, parent);
      list.blocks[block]!.content = { start: whole.start + 1, end: whole.end };
    } else if (/^(?:include|image|video|audio|toc)::\S*\[.*\]$/.test(words))
      list.add("paragraph", whole, parent);
    else if (words === "+" || words === "'''" || words === "<<<") return line + 1;
    else return undefined;
    return line + 1;
  }

  function readItem(line: number, to: number, words: string, parent: number | undefined): number | undefined {
    const marker = /^(\*{1,8}|-|\.{1,8}|\d{1,9}\.|[a-zA-Z]\.|<[\d.]+>)[ \t]+(?=\S)/.exec(words);
    const term = marker ? null : /^(?!\/\/)(\S(?:[^:]|:(?!:))*?)(:{2,4}|;;)(?:[ \t]+|$)/.exec(words);
    if (!marker && !term) return undefined;
    const end = endOfProse(line, to);
    const start = lines.content(line);
    const item = list.add("list-item", { start, end: endOf(end - 1) }, parent);
    const made = list.blocks[item]!;
    made.depth = marker && /^[*.]+$/.test(marker[1]!) ? marker[1]!.length : 1;
    const at = start + (marker ?? term)![0].length;
    made.content = { start: marker ? Math.min(at, endOf(line)) : start, end: made.region.end };
    if (term) list.add("paragraph", { start, end: start + term[1]!.length }, item);
    if (at < made.region.end) {
      const inner = trimRegion(text, at, made.region.end);
      if (inner.end > inner.start) list.add("paragraph", inner, item);
    }
    return end;
  }

  function readProse(
    line: number,
    to: number,
    words: string,
    about: Attributes | undefined,
    parent: number | undefined,
  ): number {
    const end = endOfProse(line, to);
    const whole = { start: lines.content(line), end: endOf(end - 1) };
    const styled = about && /^(?:source|listing|literal)$/.test(about.style);
    if (lines.indent(line) > 0 || styled) {
      const block =
        list.blocks[
          list.add("code-fence", { start: Math.max(lines.start(line), 0), end: whole.end }, parent)
        ]!;
      block.fence = "";
      if (about?.language) block.language = about.language;
      return end;
    }
    const label = /^(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+/.exec(words);
    const style = label?.[1] ?? (about && ADMONITION.test(about.style) ? about.style : undefined);
    if (style) {
      const block = list.add("admonition", whole, parent);
      const inner = { start: whole.start + (label?.[0].length ?? 0), end: whole.end };
      list.blocks[block]!.language = style.toLowerCase();
      list.blocks[block]!.content = inner;
      list.add("paragraph", inner, block);
    } else list.add("paragraph", whole, parent);
    return end;
  }

  /** Prose goes on to a blank line, a delimiter, an attribute line or the next item. */
  function endOfProse(line: number, to: number): number {
    let end = line + 1;
    while (end < to && lines.indent(end) >= 0 && !closing.has(end)) {
      const words = lines.words(end, 200);
      if (
        /^(?:\[.*\]|\+|\/\/.*)$/.test(words) ||
        /^(?:\*{1,8}|-|\.{1,8}|\d{1,9}\.|<[\d.]+>)[ \t]|^\S.*?:: /.test(words)
      )
        break;
      end++;
    }
    return end;
  }

  function endOf(line: number): number {
    return trimRegion(text, lines.content(line), lines.end(line)).end;
  }
}

function readAttributes(words: string, before: Attributes | undefined): Attributes {
  const anchor = /^\[\[([^\],]+)/.exec(words)?.[1] ?? /#([\w:.-]+)/.exec(words)?.[1] ?? before?.anchor;
  const [style = "", second = ""] = words.slice(1, -1).split(",");
  const listing = /^(?:source|listing)?(?:%[\w%]+)?$/.test(style.trim());
  const language = listing && second ? second.trim() : /\blanguage="?([\w+-]+)/.exec(words)?.[1];
  return {
    style: words.startsWith("[[") ? (before?.style ?? "") : style.trim().replace(/[#.%].*$/, ""),
    ...((language ?? before?.language) && { language: language ?? before!.language! }),
    ...(anchor !== undefined && { anchor }),
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
