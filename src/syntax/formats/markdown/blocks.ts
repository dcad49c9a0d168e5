import type { Region } from "../../../text/model/region.ts";
import { type BlockList, createBlockList, type OpenBlock } from "../block-list.ts";
import type { Block } from "../document.ts";
import { createLineCursor, isDigit, isGap, isSpace, type LineCursor, trimRegion } from "../line-cursor.ts";
import { parseDefinition } from "./definition.ts";
import { htmlBlockEnds, htmlBlockStart, jsxTagEnd } from "./html.ts";
import {
  type Admonition,
  alertMark,
  colonAdmonition,
  describeAdmonition,
  describeFence,
  fenceLength,
  footnoteMarkEnd,
  headingMarks,
  indentedAdmonition,
  insideComment,
  isThematicBreak,
  listMarkerLength,
} from "./marks.ts";
import { delimiterColumns, tableCells } from "./table.ts";

/** `[label]: destination`, and the block it is. */
export type LinkDefinition = { readonly block: number; readonly label: Region; readonly destination: Region };

export type BlockScan = {
  readonly definitions: LinkDefinition[];
  readonly trouble: { readonly offset: number; readonly why: string }[];
};

/** Deeper nesting than people write is read as text, which keeps the work per line bounded. */
const DEEPEST = 32;
const MOST_TROUBLE = 20;
/** The part of a line that may name the kind of an admonition. */
const LONGEST_TITLE = 1000;

type Container = {
  readonly kind: "quote" | "item" | "indented" | "colons";
  readonly block: number;
  /** Columns a line must be indented to belong to an item or an indented admonition; colons that opened a `:::`. */
  readonly size: number;
  /** A list item that has nothing yet: a second blank line ends it. */
  empty: boolean;
};

type Leaf =
  | { readonly kind: "paragraph"; readonly block: number; lastLine: number }
  | { readonly kind: "fence"; readonly block: number; readonly mark: number; readonly length: number }
  | { readonly kind: "indented-code" | "esm"; readonly block: number }
  | { readonly kind: "html"; readonly block: number; readonly type: number }
  | { readonly kind: "table"; readonly header: number };

/**
 * Adds to `blocks` Markdown's block structure from `from` on, in one pass over the lines: CommonMark and GFM,
 * admonitions, and with `mdx` its tags, expressions and imports instead of raw HTML. Linear in the length of any text.
 */
export function scanBlocks(text: string, options: BlockScanOptions): BlockScan {
  return new BlockScanner(text, options).scan();
}

type BlockScanOptions = { readonly from: number; readonly blocks: OpenBlock[]; readonly mdx: boolean };

class BlockScanner {
  readonly #text: string;
  readonly #blocks: OpenBlock[];
  readonly #mdx: boolean;
  readonly #line: LineCursor;
  readonly #list: BlockList;
  readonly #definitions: LinkDefinition[] = [];
  readonly #trouble: { offset: number; why: string }[] = [];
  readonly #stack: Container[] = [];
  /** How many of the containers on the stack the line being read belongs to. */
  #matched = 0;
  #leaf: Leaf | undefined;
  #lineRead = false;
  /** An MDX tag or a definition may reach over several lines: they are read up to here. */
  #readUntil: number;
  /** Once a tag never closes, later ones must close on their line. */
  #unclosedTag = false;
  #tooDeep = false;

  constructor(text: string, { from, blocks, mdx }: BlockScanOptions) {
    this.#text = text;
    this.#blocks = blocks;
    this.#mdx = mdx;
    this.#line = createLineCursor(text);
    this.#list = createBlockList(blocks);
    this.#line.next = this.#readUntil = from;
  }

  scan(): BlockScan {
    while (this.#line.next < this.#text.length) {
      this.#line.toLine(this.#line.next);
      if (this.#line.end > this.#readUntil || this.#line.start > this.#readUntil) this.#readLine();
    }
    this.#closeDownTo(0);
    for (const block of this.#blocks) {
      const { region, content } = block;
      if (block.kind === "comment") block.content = insideComment(this.#text, region);
      // A block that was opened on the last line has no body yet.
      else if (content.start > region.end) block.content = { start: region.end, end: region.end };
    }
    return { definitions: this.#definitions, trouble: this.#trouble };
  }

  #readLine(): void {
    this.#lineRead = false;
    this.#matched = this.#matchContainers();
    if (this.#matched === this.#stack.length && this.#leaf && this.#continuesLeaf(this.#leaf)) return;
    if (this.#matched < this.#stack.length && this.#leaf?.kind !== "paragraph")
      this.#closeDownTo(this.#matched);
    while (this.#startsContainer());
    if (!this.#lineRead) this.#readText();
  }

  /** Eats the prefixes of the open containers this line still belongs to, and counts them. */
  #matchContainers(): number {
    this.#line.look();
    for (let count = 0; count < this.#stack.length; count++) {
      const container = this.#stack[count]!;
      if (container.kind === "colons") continue;
      if (container.kind === "quote") {
        if (this.#line.indent > 3 || this.#text.charCodeAt(this.#line.nonspace) !== 62) return count;
        for (let outer = 0; outer <= count; outer++)
          this.#stretch(this.#stack[outer]!.block, this.#line.nonspace + 1);
        this.#eatQuoteMark();
        this.#line.look();
      } else if (this.#line.blank) {
        if (container.empty) return count;
      } else {
        if (this.#line.indent < container.size) return count;
        this.#line.eatColumns(container.size);
        this.#line.look();
        container.empty = false;
      }
    }
    return this.#stack.length;
  }

  /** Whether an open leaf that is not prose takes this line. */
  #continuesLeaf(open: Leaf): boolean {
    if (open.kind === "fence") {
      if (this.#closesFence(open.mark, open.length)) {
        this.#extend(open.block, this.#line.trimmedEnd(this.#line.nonspace));
        this.#leaf = undefined;
      } else this.#addCodeLine(open.block);
      return true;
    }
    if (open.kind === "indented-code") {
      if (this.#line.blank) return true;
      if (this.#line.indent >= 4) this.#addCodeLine(open.block);
      return this.#line.indent >= 4;
    }
    if (open.kind === "html" || open.kind === "esm") {
      const type = open.kind === "html" ? open.type : 7;
      if (type >= 6 && this.#line.blank) return false;
      if (!this.#line.blank) this.#extendWhole(open.block, this.#line.trimmedEnd(this.#line.nonspace));
      if (type < 6 && htmlBlockEnds(this.#text, type, this.#line.at, this.#line.end)) this.#leaf = undefined;
      return true;
    }
    return false;
  }

  #closesFence(mark: number, length: number): boolean {
    if (this.#line.indent > 3) return false;
    const end = this.#line.runEnd(this.#line.nonspace, mark);
    return end - this.#line.nonspace >= length && this.#line.isBlankFrom(end);
  }

  #addCodeLine(block: number): void {
    this.#extend(block, this.#line.end);
    this.#blocks[block]!.content = { start: this.#blocks[block]!.content.start, end: this.#line.end };
  }

  /** Opens the block that begins here. True when another may begin inside it on the same line. */
  #startsContainer(): boolean {
    this.#line.look();
    if (this.#line.blank) return false;
    const inParagraph = this.#leaf?.kind === "paragraph";
    // A line that lacks a container's prefix can go on with the paragraph inside it, but cannot reshape it.
    const continuing = inParagraph && this.#matched === this.#stack.length;
    if (this.#line.indent >= 4 && !this.#mdx) {
      if (!inParagraph) this.#openIndentedCode();
      return false;
    }
    const code = this.#text.charCodeAt(this.#line.nonspace);
    switch (code) {
      case 62: // >
        return this.#openQuote();
      case 35: // #
        return this.#openHeading();
      case 96: // `
      case 126: // ~
        return this.#openFence(code);
      case 60: // <
        return this.#mdx ? this.#openTag() : this.#openHtml(inParagraph);
      case 123: // {
        return this.#mdx && this.#openTag();
      case 58: // :
        return this.#openColons() || (continuing && this.#openTable());
      case 124: // |
        return continuing && this.#openTable();
      case 61: // =
        return (continuing && this.#closeSetext(code, 1)) || this.#openIndented();
      case 33: // !
      case 63: // ?
        return this.#openIndented();
      case 45: // -
        if (continuing && (this.#closeSetext(code, 2) || this.#openTable())) return false;
        return !this.#skipThematicBreak() && this.#openItem(continuing);
      case 42: // *
        return !this.#skipThematicBreak() && this.#openItem(continuing);
      case 95: // _
        this.#skipThematicBreak();
        return false;
      case 43: // +
        return this.#openItem(continuing);
      case 91: // [
        return !inParagraph && this.#openFootnote();
      case 101: // e
      case 105: // i
        return this.#mdx && !inParagraph && this.#openEsm();
      default:
        return isDigit(code) && this.#openItem(continuing);
    }
  }

  #openQuote(): boolean {
    if (this.#atDeepest()) return false;
    const block = this.#open("quote", this.#line.nonspace, this.#line.nonspace + 1);
    this.#eatQuoteMark();
    return this.#push({ kind: "quote", block, size: 0, empty: false }, this.#line.at);
  }

  #eatQuoteMark(): void {
    this.#line.eatMarker(1);
    if (this.#line.at < this.#line.end && isSpace(this.#text.charCodeAt(this.#line.at)))
      this.#line.eatColumns(1);
  }

  #openHeading(): boolean {
    const marks = headingMarks(this.#text, this.#line.nonspace, this.#line.end);
    if (!marks) return false;
    const block = this.#open("heading", this.#line.nonspace, this.#line.trimmedEnd(this.#line.nonspace));
    this.#blocks[block]!.depth = marks.depth;
    this.#blocks[block]!.content = marks.content;
    this.#list.beginSection(block);
    return this.#endLine();
  }

  #openFence(mark: number): boolean {
    const length = fenceLength(this.#text, this.#line.nonspace, this.#line.end);
    if (length === 0) return false;
    const block = this.#open("code-fence", this.#line.nonspace, this.#line.trimmedEnd(this.#line.nonspace));
    const info = this.#line.nonspace + length;
    describeFence(
      this.#blocks[block]!,
      this.#text.slice(this.#line.nonspace, info),
      this.#text.slice(info, this.#line.end).trim(),
    );
    this.#blocks[block]!.content = { start: this.#line.next, end: this.#line.next };
    this.#leaf = { kind: "fence", block, mark, length };
    return this.#endLine();
  }

  #openIndentedCode(): void {
    this.#closeDownTo(this.#matched);
    const holder = this.#stack[this.#stack.length - 1];
    const start = holder
      ? Math.max(this.#line.start, this.#blocks[holder.block]!.content.start)
      : this.#line.start;
    const block = this.#open("code-fence", start, this.#line.end);
    this.#blocks[block]!.fence = "";
    this.#leaf = { kind: "indented-code", block };
    this.#endLine();
  }

  #openHtml(inParagraph: boolean): boolean {
    const type = htmlBlockStart(this.#text, this.#line.nonspace, this.#line.end);
    if (type === 0 || (type === 7 && inParagraph)) return false;
    const block = this.#open(
      type === 2 ? "comment" : "html",
      this.#line.nonspace,
      this.#line.trimmedEnd(this.#line.nonspace),
    );
    if (type >= 6 || !htmlBlockEnds(this.#text, type, this.#line.nonspace, this.#line.end))
      this.#leaf = { kind: "html", block, type };
    return this.#endLine();
  }

  /** MDX's tags and expressions when alone on their lines; text between two of them is Markdown. */
  #openTag(): boolean {
    let end = this.#line.nonspace;
    do end = jsxTagEnd(this.#text, end, this.#unclosedTag ? this.#line.end : this.#text.length);
    while (end > 0 && (this.#text.charCodeAt(end) === 60 || this.#text.charCodeAt(end) === 123));
    if (end === -2) this.#unclosedTag = true;
    if (end < 0) return false;
    const stop = this.#line.endOfLine(end);
    if (trimRegion(this.#text, end, stop).start < stop) return false;
    const comment =
      this.#text.startsWith("<!--", this.#line.nonspace) || this.#text.startsWith("{/*", this.#line.nonspace);
    const block = this.#open(comment ? "comment" : "html", this.#line.nonspace, end);
    if (!comment && this.#text.charCodeAt(this.#line.nonspace) === 123)
      this.#blocks[block]!.language = "expression";
    this.#readUntil = stop;
    return this.#endLine();
  }

  #openEsm(): boolean {
    if (this.#stack.length > 0 || this.#line.indent > 0) return false;
    if (
      !this.#text.startsWith("import ", this.#line.start) &&
      !this.#text.startsWith("export ", this.#line.start)
    )
      return false;
    const block = this.#open("html", this.#line.start, this.#line.trimmedEnd(this.#line.start));
    this.#blocks[block]!.language = "esm";
    this.#leaf = { kind: "esm", block };
    return this.#endLine();
  }

  /** `:::name title` opens a container, `:::` closes the innermost one that was not opened with more colons. */
  #openColons(): boolean {
    const end = this.#line.runEnd(this.#line.nonspace, 58);
    const colons = end - this.#line.nonspace;
    if (colons < 3) return false;
    const rest = this.#text.slice(end, Math.min(this.#line.end, end + LONGEST_TITLE)).trim();
    if (rest === "") return this.#closeColons(colons);
    const admonition = colonAdmonition(rest);
    return admonition !== undefined && this.#openAdmonition(admonition, "colons", colons);
  }

  #closeColons(colons: number): boolean {
    const innermost = this.#stack[this.#matched - 1];
    if (innermost?.kind !== "colons" || innermost.size > colons) return false;
    this.#closeDownTo(this.#matched);
    this.#stack.length = --this.#matched;
    this.#extend(innermost.block, this.#line.trimmedEnd(this.#line.nonspace));
    return this.#endLine();
  }

  /** `!!! note "Title"` and `=== "Tab"`: what follows belongs to them as far as it is indented by four. */
  #openIndented(): boolean {
    const admonition = indentedAdmonition(
      this.#text.slice(this.#line.nonspace, Math.min(this.#line.end, this.#line.nonspace + LONGEST_TITLE)),
    );
    return admonition !== undefined && this.#openAdmonition(admonition, "indented", 4);
  }

  #openAdmonition(admonition: Admonition, kind: "colons" | "indented", size: number): boolean {
    if (this.#atDeepest()) return false;
    const block = this.#open("admonition", this.#line.nonspace, this.#line.trimmedEnd(this.#line.nonspace));
    describeAdmonition(this.#blocks[block]!, admonition);
    this.#push({ kind, block, size, empty: false }, this.#line.next);
    this.#endLine();
    return true;
  }

  #openFootnote(): boolean {
    const end = footnoteMarkEnd(this.#text, this.#line.nonspace, this.#line.end);
    if (end < 0 || this.#atDeepest()) return false;
    const block = this.#open("definition", this.#line.nonspace, end);
    this.#line.eatMarker(end - this.#line.nonspace);
    return this.#push({ kind: "indented", block, size: 4, empty: false }, end);
  }

  /** Turns the last line of the open paragraph into a table's header when this line is its delimiter row. */
  #openTable(): boolean {
    if (this.#leaf?.kind !== "paragraph") return false;
    const columns = delimiterColumns(
      this.#text,
      this.#line.nonspace,
      this.#line.trimmedEnd(this.#line.nonspace),
    );
    if (columns === 0) return false;
    const { start, end } = this.#blocks[this.#leaf.block]!.region;
    const cells = tableCells(this.#text, this.#leaf.lastLine, end);
    if (cells.length !== columns) return false;
    if (this.#leaf.lastLine === start) this.#blocks.pop();
    else this.#cutShort(this.#leaf.block, this.#leaf.lastLine);
    const header = this.#blocks.length;
    this.#addRow(this.#leaf.lastLine, end, cells, header);
    this.#extendHolders(this.#line.trimmedEnd(this.#line.nonspace));
    this.#leaf = { kind: "table", header };
    return this.#endLine();
  }

  /** Ends a paragraph before the line that became a header, and before that line's own prefix (`> `). */
  #cutShort(block: number, before: number): void {
    const { start } = this.#blocks[block]!.region;
    let end = before;
    while (end > start && this.#text.charCodeAt(end - 1) !== 10 && this.#text.charCodeAt(end - 1) !== 13)
      end--;
    while (end > start && isGap(this.#text.charCodeAt(end - 1))) end--;
    this.#blocks[block]!.region = this.#blocks[block]!.content = { start, end };
  }

  #addRow(start: number, end: number, cells: readonly Region[], header: number): void {
    const parent = this.#stack[this.#stack.length - 1]?.block;
    const row = this.#list.add("table-row", { start, end }, parent);
    this.#markRow(this.#blocks[row]!, row, header);
    for (let depth = 0; depth < cells.length; depth++) {
      const cell = cells[depth]!;
      const block = this.#blocks[this.#list.add("table-cell", cell, row)]!;
      block.content = trimRegion(this.#text, cell.start, cell.end);
      block.depth = depth;
      this.#markRow(block, row, header);
    }
    this.#extendHolders(end);
  }

  #markRow(block: OpenBlock, row: number, header: number): void {
    block.table = header;
    if (row === header) block.header = true;
  }

  #closeSetext(mark: number, depth: number): boolean {
    if (this.#leaf?.kind !== "paragraph") return false;
    const end = this.#line.runEnd(this.#line.nonspace, mark);
    if (!this.#line.isBlankFrom(end)) return false;
    const block = this.#blocks[this.#leaf.block]!;
    block.kind = "heading";
    block.depth = depth;
    this.#extend(this.#leaf.block, end);
    this.#list.beginSection(this.#leaf.block);
    this.#leaf = undefined;
    this.#endLine();
    return true;
  }

  #skipThematicBreak(): boolean {
    if (!isThematicBreak(this.#text, this.#line.nonspace, this.#line.end)) return false;
    this.#closeDownTo(this.#matched);
    this.#extendHolders(this.#line.trimmedEnd(this.#line.nonspace));
    this.#endLine();
    return true;
  }

  #openItem(continuing: boolean): boolean {
    const marker = listMarkerLength(this.#text, this.#line.nonspace, this.#line.end);
    if (marker === 0) return false;
    const empty = this.#line.isBlankFrom(this.#line.nonspace + marker);
    if (continuing && (empty || !this.#mayInterrupt(marker))) return false;
    if (this.#atDeepest()) return false;
    const block = this.#open("list-item", this.#line.nonspace, this.#line.nonspace + marker);
    const lead = this.#line.indent + marker;
    this.#line.eatMarker(marker);
    this.#line.look();
    const padding = empty || this.#line.indent > 4 ? 1 : this.#line.indent;
    this.#line.eatColumns(padding);
    this.#push({ kind: "item", block, size: lead + padding, empty }, this.#line.at);
    this.#blocks[block]!.depth = this.#stack.filter(({ kind }) => kind === "item").length;
    return true;
  }

  // Of numbered lists only one that starts at 1 may follow a paragraph without a blank line.
  #mayInterrupt(marker: number): boolean {
    const first = this.#text.charCodeAt(this.#line.nonspace);
    return !isDigit(first) || (marker === 2 && first === 49);
  }

  /** Reads the rest of a line on which no block starts. */
  #readText(): void {
    if (this.#line.blank) {
      this.#closeDownTo(this.#matched);
      return;
    }
    const end = this.#line.trimmedEnd(this.#line.nonspace);
    if (this.#leaf?.kind === "paragraph") {
      this.#leaf.lastLine = this.#line.nonspace;
      this.#extendWhole(this.#leaf.block, end);
    } else if (this.#leaf?.kind === "table")
      this.#addRow(
        this.#line.nonspace,
        end,
        tableCells(this.#text, this.#line.nonspace, end),
        this.#leaf.header,
      );
    else if (!this.#readDefinition() && !this.#marksAlert(end))
      this.#leaf = {
        kind: "paragraph",
        block: this.#open("paragraph", this.#line.nonspace, end),
        lastLine: this.#line.nonspace,
      };
  }

  /** A definition's destination may stand on the line below its label. */
  #readDefinition(): boolean {
    const below = this.#stack.some(({ kind }) => kind === "quote")
      ? this.#line.end
      : this.#line.endOfLine(this.#line.next);
    const definition = parseDefinition(this.#text, this.#line.nonspace, this.#line.end, below);
    if (!definition) return false;
    const { label, destination, end } = definition;
    this.#definitions.push({ block: this.#open("definition", this.#line.nonspace, end), label, destination });
    this.#leaf = undefined;
    if (end > this.#line.end) this.#readUntil = below;
    return true;
  }

  /** `> [!NOTE]` makes its quote an admonition. */
  #marksAlert(end: number): boolean {
    const innermost = this.#stack[this.#stack.length - 1];
    if (innermost?.kind !== "quote" || innermost.block !== this.#blocks.length - 1) return false;
    const admonition = alertMark(
      this.#text.slice(this.#line.nonspace, Math.min(end, this.#line.nonspace + LONGEST_TITLE)),
    );
    if (!admonition) return false;
    const block = this.#blocks[innermost.block]!;
    block.kind = "admonition";
    describeAdmonition(block, admonition);
    this.#extend(innermost.block, end);
    block.content = { start: end, end };
    return true;
  }

  /** Closes what this line does not belong to, and adds a block inside what it does. */
  #open(kind: Block["kind"], start: number, end: number): number {
    this.#closeDownTo(this.#matched);
    const index = this.#list.add(kind, { start, end }, this.#stack[this.#stack.length - 1]?.block);
    this.#extendHolders(end);
    return index;
  }

  #push(container: Container, content: number): true {
    this.#blocks[container.block]!.content = { start: content, end: content };
    this.#extend(container.block, Math.min(content, this.#line.end));
    this.#stack.push(container);
    this.#matched = this.#stack.length;
    return true;
  }

  #atDeepest(): boolean {
    if (this.#matched < DEEPEST) return false;
    if (!this.#tooDeep)
      this.#trouble.push({
        offset: this.#line.nonspace,
        why: `nested more than ${DEEPEST} deep, read as text`,
      });
    this.#tooDeep = true;
    return true;
  }

  #closeDownTo(depth: number): void {
    if (this.#leaf?.kind === "fence") this.#noteUnclosed(this.#leaf.block, "a code fence is never closed");
    for (let i = this.#stack.length - 1; i >= depth; i--)
      if (this.#stack[i]!.kind === "colons")
        this.#noteUnclosed(this.#stack[i]!.block, "an admonition is never closed");
    this.#leaf = undefined;
    this.#stack.length = depth;
    this.#matched = Math.min(this.#matched, depth);
  }

  #noteUnclosed(block: number, why: string): void {
    if (this.#trouble.length < MOST_TROUBLE)
      this.#trouble.push({ offset: this.#blocks[block]!.region.start, why });
  }

  #extend(block: number, end: number): void {
    this.#stretch(block, end);
    this.#extendHolders(end);
  }

  #extendWhole(block: number, end: number): void {
    this.#extend(block, end);
    this.#blocks[block]!.content = this.#blocks[block]!.region;
  }

  #extendHolders(end: number): void {
    for (const { block } of this.#stack) {
      this.#stretch(block, end);
      const { content } = this.#blocks[block]!;
      if (end > content.end) this.#blocks[block]!.content = { start: content.start, end };
    }
  }

  #stretch(block: number, end: number): void {
    const { region } = this.#blocks[block]!;
    if (end > region.end) this.#blocks[block]!.region = { start: region.start, end };
  }

  /** The rest of the line belongs to the block that was just read. */
  #endLine(): false {
    this.#lineRead = true;
    this.#line.eatLine();
    return false;
  }
}
