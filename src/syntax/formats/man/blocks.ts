import type { Region } from "../../../text/model/region.ts";
import { BlockList } from "../block-list.ts";
import { trimRegion } from "../characters.ts";
import type { Span } from "../document.ts";
import { type IndentedLines, readIndentedLines } from "../indented-lines.ts";
import { boldSpans, codeSpan } from "./inline.ts";

/** Macros that begin a section, with the depth of its heading. */
const HEADINGS: ReadonlyMap<string, number> = new Map([
  ["TH", 1],
  ["Dt", 1],
  ["SH", 2],
  ["Sh", 2],
  ["SS", 3],
  ["Ss", 3],
]);

/** Macros whose words are names that a reader types or meets in the program. */
const NAMES = /^(?:B|BR|BI|SB|Nm|Fl|Cm|Ic|Ar|Ev|Pa|Dv|Fn|Li|Ql)$/;

/** Macros that begin text outside an item. */
const ENDS_ITEM = /^(?:PP|P|LP|HP|El)$/;

/** Macros that end a paragraph. */
const BREAKS = /^(?:Pp|sp|br|RS|RE|Bl|Ed|fi|EE|Os|Dd|de|ds|nr|ad|hy|nh|if|ie|el|ft|in|ta|so)$/;

/** Macros that begin an item: man's has its term on the next line, the others on their own. */
const ITEMS = /^(?:TP|TQ|IP|It)$/;

/** Macros that begin literal text, with those that end it. */
const LITERALS: ReadonlyMap<string, RegExp> = new Map([
  ["EX", /^EE$/],
  ["nf", /^fi$/],
  ["Bd", /^Ed$/],
]);

/** Reads a manual page line by line. A line that begins with a dot or an apostrophe is a macro, any other is text. */
export class ManScanner {
  readonly list: BlockList = new BlockList();
  readonly spans: Span[] = [];
  readonly #text: string;
  readonly #lines: IndentedLines;
  /** The paragraph that is open, and the item that holds it. */
  #paragraph: number | undefined;
  #item: number | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#lines = readIndentedLines(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  }

  read(): this {
    for (let line = 0; line < this.#lines.count; ) line = this.#readLine(line);
    this.list.blocks.forEach(({ kind, content }, index) => {
      if (kind === "paragraph" || kind === "heading")
        this.spans.push(...boldSpans(this.#text, content, index));
    });
    this.spans.sort((a, b) => a.region.start - b.region.start || b.region.end - a.region.end);
    return this;
  }

  #readLine(line: number): number {
    const words = this.#lines.words(line);
    const macro = /^[.'][ \t]*(\\"|[A-Za-z]\w*)[ \t]*/.exec(words);
    if (this.#lines.indent(line) < 0 || words === "." || words === "'") this.#endParagraph();
    else if (!macro || this.#lines.indent(line) > 0) this.#addText(line);
    else return this.#readMacro(line, macro[1]!, macro[0].length);
    return line + 1;
  }

  #readMacro(line: number, name: string, length: number): number {
    const whole = this.#wholeLine(line);
    const words = trimRegion(this.#text, Math.min(whole.start + length, whole.end), whole.end);
    const closing = LITERALS.get(name);
    if (name === '\\"') this.#addComment(whole, words);
    else if (HEADINGS.has(name)) this.#addHeading(name, whole, words);
    else if (closing) return this.#addLiteral(line, closing);
    else if (ITEMS.test(name)) this.#addItem(name, whole, words);
    else if (ENDS_ITEM.test(name)) this.#endItem();
    else if (BREAKS.test(name)) this.#endParagraph();
    else this.#addMacroText(line, name, words);
    return line + 1;
  }

  #wholeLine(line: number): Region {
    return trimRegion(this.#text, this.#lines.start(line), this.#lines.end(line));
  }

  #addComment(whole: Region, words: Region): void {
    this.#endItem();
    this.list.blocks[this.list.add("comment", whole)]!.content = words;
  }

  #addHeading(name: string, whole: Region, words: Region): void {
    this.#endItem();
    const block = this.list.add("heading", whole);
    const title =
      HEADINGS.get(name) === 1 ? firstArgument(this.#text, words) : withoutQuotes(this.#text, words);
    this.list.blocks[block]!.content = trimRegion(this.#text, title.start, title.end);
    this.list.blocks[block]!.depth = HEADINGS.get(name)!;
    this.list.beginSection(block);
  }

  /** Lines up to the closing macro, or to the next section; without one, up to the end. */
  #addLiteral(line: number, closing: RegExp): number {
    this.#endParagraph();
    let end = line + 1;
    while (end < this.#lines.count && !closing.test(this.#macroOf(end)) && !this.#isSection(end)) end++;
    const isClosed = end < this.#lines.count && !this.#isSection(end);
    const last = isClosed ? end : end - 1;
    const region = { start: this.#wholeLine(line).start, end: this.#wholeLine(last).end };
    const block = this.list.blocks[this.#addInside("code-fence", region)]!;
    const start = Math.min(this.#lines.start(line + 1), region.end);
    block.content = { start, end: end > line + 1 ? Math.max(start, this.#wholeLine(end - 1).end) : start };
    block.fence = "";
    return isClosed ? end + 1 : end;
  }

  #isSection(line: number): boolean {
    return /^(?:SH|Sh|SS|Ss)$/.test(this.#macroOf(line));
  }

  #macroOf(line: number): string {
    return /^[.'][ \t]*([A-Za-z]\w*)/.exec(this.#lines.words(line, 20))?.[1] ?? "";
  }

  #addItem(name: string, whole: Region, words: Region): void {
    this.#endItem();
    this.#item = this.list.add("list-item", whole);
    this.list.blocks[this.#item]!.content = { start: whole.end, end: whole.end };
    this.list.blocks[this.#item]!.depth = 1;
    if (name === "TP" || name === "TQ" || words.start === words.end) return;
    this.#paragraph = this.#addInside("paragraph", words);
    if (name === "It") this.#addMacroNames(words);
    this.#endParagraph();
  }

  #addText(line: number): void {
    const region = this.#wholeLine(line);
    if (this.#paragraph === undefined) this.#paragraph = this.#addInside("paragraph", region);
    else this.#stretch(this.#paragraph, region.end);
  }

  #addMacroText(line: number, name: string, words: Region): void {
    this.#addText(line);
    if (NAMES.test(name)) this.#addName(firstArgument(this.#text, words), name);
  }

  /** The names in the head of an item: `Fl q Ar file`. */
  #addMacroNames({ start, end }: Region): void {
    for (const match of this.#text.slice(start, end).matchAll(/(?<!\S)([A-Z][a-z])[ \t]+(\S+)/g)) {
      const from = start + match.index + match[0].length - match[2]!.length;
      if (NAMES.test(match[1]!)) this.#addName({ start: from, end: from + match[2]!.length }, match[1]!);
    }
  }

  #addName(region: Region, macro: string): void {
    if (region.end === region.start) return;
    const span = codeSpan(this.#text, region, { block: this.#paragraph! });
    // The macro of a flag writes its dash.
    const written = this.#text.slice(region.start, region.end);
    this.spans.push(macro === "Fl" ? { ...span, value: `-${span.value ?? written}` } : span);
  }

  #addInside(kind: "paragraph" | "code-fence", region: Region): number {
    const block = this.list.add(kind, region, this.#item);
    if (this.#item !== undefined) this.#stretchItem(region.end);
    return block;
  }

  #stretch(block: number, end: number): void {
    const { start } = this.list.blocks[block]!.region;
    this.list.blocks[block]!.region = this.list.blocks[block]!.content = { start, end };
    if (this.#item !== undefined) this.#stretchItem(end);
  }

  #stretchItem(end: number): void {
    const item = this.list.blocks[this.#item!]!;
    item.region = { start: item.region.start, end: Math.max(item.region.end, end) };
    item.content = { start: item.content.start, end: item.region.end };
  }

  #endParagraph(): void {
    this.#paragraph = undefined;
  }

  #endItem(): void {
    this.#paragraph = this.#item = undefined;
  }
}

/** The first argument of a macro, without its quotes. */
function firstArgument(text: string, { start, end }: Region): Region {
  const words = text.slice(start, end);
  const first = /^"([^"]*)|^\S+/.exec(words);
  if (!first) return { start, end: start };
  return first[1] === undefined
    ? { start, end: start + first[0].length }
    : { start: start + 1, end: start + 1 + first[1].length };
}

function withoutQuotes(text: string, region: Region): Region {
  const quoted = text[region.start] === '"' && region.end - region.start > 1 && text[region.end - 1] === '"';
  return quoted ? { start: region.start + 1, end: region.end - 1 } : region;
}
