import type { Region } from "../../../text/model/region.ts";
import type { OpenBlock } from "../block-list.ts";
import { isDigit, isSpace, trimRegion } from "../characters.ts";
import { LineCursor } from "../line-cursor.ts";
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
import { type Container, type Leaf, OpenBlocks } from "./open-blocks.ts";
import { delimiterColumns, tableCells } from "./table.ts";

/** `[label]: destination`, and the block it is. */
export type LinkDefinition = { readonly block: number; readonly label: Region; readonly destination: Region };

export type BlockScan = {
  readonly definitions: LinkDefinition[];
  readonly trouble: { readonly offset: number; readonly why: string }[];
};

/** The part of a line that may name the kind of an admonition. */
const LONGEST_TITLE = 1000;

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
  readonly #mdx: boolean;
  readonly #line: LineCursor;
  readonly #tree: OpenBlocks;
  readonly #definitions: LinkDefinition[] = [];
  #lineRead = false;
  /** An MDX tag or a definition may reach over several lines: they are read up to here. */
  #readUntil: number;
  /** Once a tag never closes, later ones must close on their line. */
  #unclosedTag = false;

  constructor(text: string, { from, blocks, mdx }: BlockScanOptions) {
    this.#text = text;
    this.#mdx = mdx;
    this.#line = new LineCursor(text);
    this.#tree = new OpenBlocks(text, blocks);
    this.#line.next = this.#readUntil = from;
  }

  scan(): BlockScan {
    while (this.#line.next < this.#text.length) {
      this.#line.toLine(this.#line.next);
      if (this.#line.end > this.#readUntil || this.#line.start > this.#readUntil) this.#readLine();
    }
    this.#tree.closeDownTo(0);
    for (const block of this.#tree.blocks) {
      const { region, content } = block;
      if (block.kind === "comment") block.content = insideComment(this.#text, region);
      // A block that was opened on the last line has no body yet.
      else if (content.start > region.end) block.content = { start: region.end, end: region.end };
    }
    return { definitions: this.#definitions, trouble: this.#tree.trouble };
  }

  #readLine(): void {
    this.#lineRead = false;
    this.#tree.matched = this.#matchContainers();
    if (
      this.#tree.matched === this.#tree.stack.length &&
      this.#tree.leaf &&
      this.#continuesLeaf(this.#tree.leaf)
    )
      return;
    if (this.#tree.matched < this.#tree.stack.length && this.#tree.leaf?.kind !== "paragraph")
      this.#tree.closeDownTo(this.#tree.matched);
    while (this.#startsContainer());
    if (!this.#lineRead) this.#readText();
  }

  /** Eats the prefixes of the open containers this line still belongs to, and counts them. */
  #matchContainers(): number {
    this.#line.look();
    for (let count = 0; count < this.#tree.stack.length; count++) {
      const container = this.#tree.stack[count]!;
      if (container.kind === "colons") continue;
      if (container.kind === "quote") {
        if (this.#line.indent > 3 || this.#text.charCodeAt(this.#line.nonspace) !== 62) return count;
        for (let outer = 0; outer <= count; outer++)
          this.#tree.stretch(this.#tree.stack[outer]!.block, this.#line.nonspace + 1);
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
    return this.#tree.stack.length;
  }

  /** Whether an open leaf that is not prose takes this line. */
  #continuesLeaf(open: Leaf): boolean {
    if (open.kind === "fence") {
      if (this.#closesFence(open.mark, open.length)) {
        this.#tree.extend(open.block, this.#line.trimmedEnd(this.#line.nonspace));
        this.#tree.leaf = undefined;
      } else this.#tree.addCodeLine(open.block, this.#line.end);
      return true;
    }
    if (open.kind === "indented-code") {
      if (this.#line.blank) return true;
      if (this.#line.indent >= 4) this.#tree.addCodeLine(open.block, this.#line.end);
      return this.#line.indent >= 4;
    }
    if (open.kind === "html" || open.kind === "esm") {
      const type = open.kind === "html" ? open.type : 7;
      if (type >= 6 && this.#line.blank) return false;
      if (!this.#line.blank) this.#tree.extendWhole(open.block, this.#line.trimmedEnd(this.#line.nonspace));
      if (type < 6 && htmlBlockEnds(this.#text, type, this.#line.at, this.#line.end))
        this.#tree.leaf = undefined;
      return true;
    }
    return false;
  }

  #closesFence(mark: number, length: number): boolean {
    if (this.#line.indent > 3) return false;
    const end = this.#line.runEnd(this.#line.nonspace, mark);
    return end - this.#line.nonspace >= length && this.#line.isBlankFrom(end);
  }

  /** Opens the block that begins here. True when another may begin inside it on the same line. */
  #startsContainer(): boolean {
    this.#line.look();
    if (this.#line.blank) return false;
    const inParagraph = this.#tree.leaf?.kind === "paragraph";
    // A line that lacks a container's prefix can go on with the paragraph inside it, but cannot reshape it.
    const continuing = inParagraph && this.#tree.matched === this.#tree.stack.length;
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
    if (this.#tree.isTooDeep(this.#line.nonspace)) return false;
    const block = this.#tree.open("quote", this.#line.nonspace, this.#line.nonspace + 1);
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
    const block = this.#tree.open("heading", this.#line.nonspace, this.#line.trimmedEnd(this.#line.nonspace));
    this.#tree.blocks[block]!.depth = marks.depth;
    this.#tree.blocks[block]!.content = marks.content;
    this.#tree.beginSection(block);
    return this.#endLine();
  }

  #openFence(mark: number): boolean {
    const length = fenceLength(this.#text, this.#line.nonspace, this.#line.end);
    if (length === 0) return false;
    const block = this.#tree.open(
      "code-fence",
      this.#line.nonspace,
      this.#line.trimmedEnd(this.#line.nonspace),
    );
    const info = this.#line.nonspace + length;
    describeFence(
      this.#tree.blocks[block]!,
      this.#text.slice(this.#line.nonspace, info),
      this.#text.slice(info, this.#line.end).trim(),
    );
    this.#tree.blocks[block]!.content = { start: this.#line.next, end: this.#line.next };
    this.#tree.leaf = { kind: "fence", block, mark, length };
    return this.#endLine();
  }

  #openIndentedCode(): void {
    this.#tree.closeDownTo(this.#tree.matched);
    const holder = this.#tree.stack[this.#tree.stack.length - 1];
    const start = holder
      ? Math.max(this.#line.start, this.#tree.blocks[holder.block]!.content.start)
      : this.#line.start;
    const block = this.#tree.open("code-fence", start, this.#line.end);
    this.#tree.blocks[block]!.fence = "";
    this.#tree.leaf = { kind: "indented-code", block };
    this.#endLine();
  }

  #openHtml(inParagraph: boolean): boolean {
    const type = htmlBlockStart(this.#text, this.#line.nonspace, this.#line.end);
    if (type === 0 || (type === 7 && inParagraph)) return false;
    const block = this.#tree.open(
      type === 2 ? "comment" : "html",
      this.#line.nonspace,
      this.#line.trimmedEnd(this.#line.nonspace),
    );
    if (type >= 6 || !htmlBlockEnds(this.#text, type, this.#line.nonspace, this.#line.end))
      this.#tree.leaf = { kind: "html", block, type };
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
    const block = this.#tree.open(comment ? "comment" : "html", this.#line.nonspace, end);
    if (!comment && this.#text.charCodeAt(this.#line.nonspace) === 123)
      this.#tree.blocks[block]!.language = "expression";
    this.#readUntil = stop;
    return this.#endLine();
  }

  #openEsm(): boolean {
    if (this.#tree.stack.length > 0 || this.#line.indent > 0) return false;
    if (
      !this.#text.startsWith("import ", this.#line.start) &&
      !this.#text.startsWith("export ", this.#line.start)
    )
      return false;
    const block = this.#tree.open("html", this.#line.start, this.#line.trimmedEnd(this.#line.start));
    this.#tree.blocks[block]!.language = "esm";
    this.#tree.leaf = { kind: "esm", block };
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
    const innermost = this.#tree.stack[this.#tree.matched - 1];
    if (innermost?.kind !== "colons" || innermost.size > colons) return false;
    this.#tree.closeDownTo(this.#tree.matched);
    this.#tree.stack.length = --this.#tree.matched;
    this.#tree.extend(innermost.block, this.#line.trimmedEnd(this.#line.nonspace));
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
    if (this.#tree.isTooDeep(this.#line.nonspace)) return false;
    const block = this.#tree.open(
      "admonition",
      this.#line.nonspace,
      this.#line.trimmedEnd(this.#line.nonspace),
    );
    describeAdmonition(this.#tree.blocks[block]!, admonition);
    this.#push({ kind, block, size, empty: false }, this.#line.next);
    this.#endLine();
    return true;
  }

  #openFootnote(): boolean {
    const end = footnoteMarkEnd(this.#text, this.#line.nonspace, this.#line.end);
    if (end < 0 || this.#tree.isTooDeep(this.#line.nonspace)) return false;
    const block = this.#tree.open("definition", this.#line.nonspace, end);
    this.#line.eatMarker(end - this.#line.nonspace);
    return this.#push({ kind: "indented", block, size: 4, empty: false }, end);
  }

  /** Turns the last line of the open paragraph into a table's header when this line is its delimiter row. */
  #openTable(): boolean {
    if (this.#tree.leaf?.kind !== "paragraph") return false;
    const columns = delimiterColumns(
      this.#text,
      this.#line.nonspace,
      this.#line.trimmedEnd(this.#line.nonspace),
    );
    if (columns === 0) return false;
    const { start, end } = this.#tree.blocks[this.#tree.leaf.block]!.region;
    const cells = tableCells(this.#text, this.#tree.leaf.lastLine, end);
    if (cells.length !== columns) return false;
    if (this.#tree.leaf.lastLine === start) this.#tree.blocks.pop();
    else this.#tree.cutShort(this.#tree.leaf.block, this.#tree.leaf.lastLine);
    const header = this.#tree.blocks.length;
    this.#tree.addRow({ start: this.#tree.leaf.lastLine, end }, cells, header);
    this.#tree.extendHolders(this.#line.trimmedEnd(this.#line.nonspace));
    this.#tree.leaf = { kind: "table", header };
    return this.#endLine();
  }

  #closeSetext(mark: number, depth: number): boolean {
    if (this.#tree.leaf?.kind !== "paragraph") return false;
    const end = this.#line.runEnd(this.#line.nonspace, mark);
    if (!this.#line.isBlankFrom(end)) return false;
    const block = this.#tree.blocks[this.#tree.leaf.block]!;
    block.kind = "heading";
    block.depth = depth;
    this.#tree.extend(this.#tree.leaf.block, end);
    this.#tree.beginSection(this.#tree.leaf.block);
    this.#tree.leaf = undefined;
    this.#endLine();
    return true;
  }

  #skipThematicBreak(): boolean {
    if (!isThematicBreak(this.#text, this.#line.nonspace, this.#line.end)) return false;
    this.#tree.closeDownTo(this.#tree.matched);
    this.#tree.extendHolders(this.#line.trimmedEnd(this.#line.nonspace));
    this.#endLine();
    return true;
  }

  #openItem(continuing: boolean): boolean {
    const marker = listMarkerLength(this.#text, this.#line.nonspace, this.#line.end);
    if (marker === 0) return false;
    const empty = this.#line.isBlankFrom(this.#line.nonspace + marker);
    if (continuing && (empty || !this.#mayInterrupt(marker))) return false;
    if (this.#tree.isTooDeep(this.#line.nonspace)) return false;
    const block = this.#tree.open("list-item", this.#line.nonspace, this.#line.nonspace + marker);
    const lead = this.#line.indent + marker;
    this.#line.eatMarker(marker);
    this.#line.look();
    const padding = empty || this.#line.indent > 4 ? 1 : this.#line.indent;
    this.#line.eatColumns(padding);
    this.#push({ kind: "item", block, size: lead + padding, empty }, this.#line.at);
    this.#tree.blocks[block]!.depth = this.#tree.stack.filter(({ kind }) => kind === "item").length;
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
      this.#tree.closeDownTo(this.#tree.matched);
      return;
    }
    const end = this.#line.trimmedEnd(this.#line.nonspace);
    if (this.#tree.leaf?.kind === "paragraph") {
      this.#tree.leaf.lastLine = this.#line.nonspace;
      this.#tree.extendWhole(this.#tree.leaf.block, end);
    } else if (this.#tree.leaf?.kind === "table")
      this.#tree.addRow(
        { start: this.#line.nonspace, end },
        tableCells(this.#text, this.#line.nonspace, end),
        this.#tree.leaf.header,
      );
    else if (!this.#readDefinition() && !this.#marksAlert(end))
      this.#tree.leaf = {
        kind: "paragraph",
        block: this.#tree.open("paragraph", this.#line.nonspace, end),
        lastLine: this.#line.nonspace,
      };
  }

  /** A definition's destination may be on the line below its label. */
  #readDefinition(): boolean {
    const below = this.#tree.stack.some(({ kind }) => kind === "quote")
      ? this.#line.end
      : this.#line.endOfLine(this.#line.next);
    const definition = parseDefinition(this.#text, this.#line.nonspace, this.#line.end, below);
    if (!definition) return false;
    const { label, destination, end } = definition;
    this.#definitions.push({
      block: this.#tree.open("definition", this.#line.nonspace, end),
      label,
      destination,
    });
    this.#tree.leaf = undefined;
    if (end > this.#line.end) this.#readUntil = below;
    return true;
  }

  /** `> [!NOTE]` makes its quote an admonition. */
  #marksAlert(end: number): boolean {
    const innermost = this.#tree.stack[this.#tree.stack.length - 1];
    if (innermost?.kind !== "quote" || innermost.block !== this.#tree.blocks.length - 1) return false;
    const admonition = alertMark(
      this.#text.slice(this.#line.nonspace, Math.min(end, this.#line.nonspace + LONGEST_TITLE)),
    );
    if (!admonition) return false;
    const block = this.#tree.blocks[innermost.block]!;
    block.kind = "admonition";
    describeAdmonition(block, admonition);
    this.#tree.extend(innermost.block, end);
    block.content = { start: end, end };
    return true;
  }

  #push(container: Container, content: number): true {
    this.#tree.push(container, content, this.#line.end);
    return true;
  }

  /** The rest of the line belongs to the block that was just read. */
  #endLine(): false {
    this.#lineRead = true;
    this.#line.eatLine();
    return false;
  }
}
