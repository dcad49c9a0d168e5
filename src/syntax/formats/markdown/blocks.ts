import type { Region } from "../../../text/model/region.ts";
import { createBlockList, type OpenBlock } from "../block-list.ts";
import type { Block } from "../document.ts";
import { createLineCursor, isDigit, isGap, isSpace, trimRegion } from "../line-cursor.ts";
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
export type Definition = { readonly block: number; readonly label: Region; readonly destination: Region };

export type BlockScan = {
  readonly definitions: Definition[];
  readonly trouble: { readonly offset: number; readonly why: string }[];
};

/** Deeper nesting than people write is read as text, which keeps the work per line bounded. */
const DEEPEST = 32;
const MOST_TROUBLE = 20;
/** As much of a line as is looked at for what an admonition calls itself. */
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
 * admonitions, and with `mdx` its tags, expressions and imports instead of raw HTML. Linear, whatever the text.
 */
export function scanBlocks(
  text: string,
  from: number,
  blocks: OpenBlock[],
  { mdx }: { readonly mdx: boolean },
): BlockScan {
  const definitions: Definition[] = [];
  const trouble: { offset: number; why: string }[] = [];
  const line = createLineCursor(text);
  const list = createBlockList(blocks);
  const stack: Container[] = [];
  // How many of the containers on the stack the line being read belongs to.
  let matched = 0;
  let leaf: Leaf | undefined;
  let lineRead = false;
  // An MDX tag or a definition may reach over several lines. Once a tag never closes, later ones must on their line.
  let readUntil = from;
  let unclosedTag = false;
  let tooDeep = false;

  for (line.next = from; line.next < text.length; ) {
    line.toLine(line.next);
    if (line.end > readUntil || line.start > readUntil) readLine();
  }
  closeDownTo(0);
  for (const block of blocks) {
    const { region, content } = block;
    if (block.kind === "comment") block.content = insideComment(text, region);
    // What was opened on the last line and has no body yet.
    else if (content.start > region.end) block.content = { start: region.end, end: region.end };
  }
  return { definitions, trouble };

  function readLine(): void {
    lineRead = false;
    matched = matchContainers();
    if (matched === stack.length && leaf && continuesLeaf(leaf)) return;
    if (matched < stack.length && leaf?.kind !== "paragraph") closeDownTo(matched);
    while (startsContainer());
    if (!lineRead) readText();
  }

  /** Eats the prefixes of the open containers this line still belongs to, and counts them. */
  function matchContainers(): number {
    line.look();
    for (let count = 0; count < stack.length; count++) {
      const container = stack[count]!;
      if (container.kind === "colons") continue;
      if (container.kind === "quote") {
        if (line.indent > 3 || text.charCodeAt(line.nonspace) !== 62) return count;
        for (let outer = 0; outer <= count; outer++) stretch(stack[outer]!.block, line.nonspace + 1);
        eatQuoteMark();
        line.look();
      } else if (line.blank) {
        if (container.empty) return count;
      } else {
        if (line.indent < container.size) return count;
        line.eatColumns(container.size);
        line.look();
        container.empty = false;
      }
    }
    return stack.length;
  }

  /** Whether an open leaf that is not prose takes this line. */
  function continuesLeaf(open: Leaf): boolean {
    if (open.kind === "fence") {
      if (closesFence(open.mark, open.length)) {
        extend(open.block, line.trimmedEnd(line.nonspace));
        leaf = undefined;
      } else addCodeLine(open.block);
      return true;
    }
    if (open.kind === "indented-code") {
      if (line.blank) return true;
      if (line.indent >= 4) addCodeLine(open.block);
      return line.indent >= 4;
    }
    if (open.kind === "html" || open.kind === "esm") {
      const type = open.kind === "html" ? open.type : 7;
      if (type >= 6 && line.blank) return false;
      if (!line.blank) extendWhole(open.block, line.trimmedEnd(line.nonspace));
      if (type < 6 && htmlBlockEnds(text, type, line.at, line.end)) leaf = undefined;
      return true;
    }
    return false;
  }

  function closesFence(mark: number, length: number): boolean {
    if (line.indent > 3) return false;
    const end = line.runEnd(line.nonspace, mark);
    return end - line.nonspace >= length && line.isBlankFrom(end);
  }

  function addCodeLine(block: number): void {
    extend(block, line.end);
    blocks[block]!.content = { start: blocks[block]!.content.start, end: line.end };
  }

  /** Opens the block that begins here. True when another may begin inside it on the same line. */
  function startsContainer(): boolean {
    line.look();
    if (line.blank) return false;
    const inParagraph = leaf?.kind === "paragraph";
    // A line that lacks a container's prefix can go on with the paragraph inside it, but cannot reshape it.
    const continuing = inParagraph && matched === stack.length;
    if (line.indent >= 4 && !mdx) {
      if (!inParagraph) openIndentedCode();
      return false;
    }
    const code = text.charCodeAt(line.nonspace);
    switch (code) {
      case 62: // >
        return openQuote();
      case 35: // #
        return openHeading();
      case 96: // `
      case 126: // ~
        return openFence(code);
      case 60: // <
        return mdx ? openTag() : openHtml(inParagraph);
      case 123: // {
        return mdx && openTag();
      case 58: // :
        return openColons() || (continuing && openTable());
      case 124: // |
        return continuing && openTable();
      case 61: // =
        return (continuing && closeSetext(code, 1)) || openIndented();
      case 33: // !
      case 63: // ?
        return openIndented();
      case 45: // -
        if (continuing && (closeSetext(code, 2) || openTable())) return false;
        return !skipThematicBreak() && openItem(continuing);
      case 42: // *
        return !skipThematicBreak() && openItem(continuing);
      case 95: // _
        skipThematicBreak();
        return false;
      case 43: // +
        return openItem(continuing);
      case 91: // [
        return !inParagraph && openFootnote();
      case 101: // e
      case 105: // i
        return mdx && !inParagraph && openEsm();
      default:
        return isDigit(code) && openItem(continuing);
    }
  }

  function openQuote(): boolean {
    if (atDeepest()) return false;
    const block = open("quote", line.nonspace, line.nonspace + 1);
    eatQuoteMark();
    return push({ kind: "quote", block, size: 0, empty: false }, line.at);
  }

  function eatQuoteMark(): void {
    line.eatMarker(1);
    if (line.at < line.end && isSpace(text.charCodeAt(line.at))) line.eatColumns(1);
  }

  function openHeading(): boolean {
    const marks = headingMarks(text, line.nonspace, line.end);
    if (!marks) return false;
    const block = open("heading", line.nonspace, line.trimmedEnd(line.nonspace));
    blocks[block]!.depth = marks.depth;
    blocks[block]!.content = marks.content;
    list.beginSection(block);
    return endLine();
  }

  function openFence(mark: number): boolean {
    const length = fenceLength(text, line.nonspace, line.end);
    if (length === 0) return false;
    const block = open("code-fence", line.nonspace, line.trimmedEnd(line.nonspace));
    const info = line.nonspace + length;
    describeFence(blocks[block]!, text.slice(line.nonspace, info), text.slice(info, line.end).trim());
    blocks[block]!.content = { start: line.next, end: line.next };
    leaf = { kind: "fence", block, mark, length };
    return endLine();
  }

  function openIndentedCode(): void {
    closeDownTo(matched);
    const holder = stack[stack.length - 1];
    const start = holder ? Math.max(line.start, blocks[holder.block]!.content.start) : line.start;
    const block = open("code-fence", start, line.end);
    blocks[block]!.fence = "";
    leaf = { kind: "indented-code", block };
    endLine();
  }

  function openHtml(inParagraph: boolean): boolean {
    const type = htmlBlockStart(text, line.nonspace, line.end);
    if (type === 0 || (type === 7 && inParagraph)) return false;
    const block = open(type === 2 ? "comment" : "html", line.nonspace, line.trimmedEnd(line.nonspace));
    if (type >= 6 || !htmlBlockEnds(text, type, line.nonspace, line.end))
      leaf = { kind: "html", block, type };
    return endLine();
  }

  /** MDX's tags and expressions when alone on their lines; what stands between two of them is Markdown. */
  function openTag(): boolean {
    let end = line.nonspace;
    do end = jsxTagEnd(text, end, unclosedTag ? line.end : text.length);
    while (end > 0 && (text.charCodeAt(end) === 60 || text.charCodeAt(end) === 123));
    if (end === -2) unclosedTag = true;
    if (end < 0) return false;
    const stop = line.endOfLine(end);
    if (trimRegion(text, end, stop).start < stop) return false;
    const comment = text.startsWith("<!--", line.nonspace) || text.startsWith("{/*", line.nonspace);
    const block = open(comment ? "comment" : "html", line.nonspace, end);
    if (!comment && text.charCodeAt(line.nonspace) === 123) blocks[block]!.language = "expression";
    readUntil = stop;
    return endLine();
  }

  function openEsm(): boolean {
    if (stack.length > 0 || line.indent > 0) return false;
    if (!text.startsWith("import ", line.start) && !text.startsWith("export ", line.start)) return false;
    const block = open("html", line.start, line.trimmedEnd(line.start));
    blocks[block]!.language = "esm";
    leaf = { kind: "esm", block };
    return endLine();
  }

  /** `:::name title` opens a container, `:::` closes the innermost one that was not opened with more colons. */
  function openColons(): boolean {
    const end = line.runEnd(line.nonspace, 58);
    const colons = end - line.nonspace;
    if (colons < 3) return false;
    const rest = text.slice(end, Math.min(line.end, end + LONGEST_TITLE)).trim();
    if (rest === "") return closeColons(colons);
    const admonition = colonAdmonition(rest);
    return admonition !== undefined && openAdmonition(admonition, "colons", colons);
  }

  function closeColons(colons: number): boolean {
    const innermost = stack[matched - 1];
    if (innermost?.kind !== "colons" || innermost.size > colons) return false;
    closeDownTo(matched);
    stack.length = --matched;
    extend(innermost.block, line.trimmedEnd(line.nonspace));
    return endLine();
  }

  /** `!!! note "Title"` and `=== "Tab"`: what follows belongs to them as far as it is indented by four. */
  function openIndented(): boolean {
    const admonition = indentedAdmonition(
      text.slice(line.nonspace, Math.min(line.end, line.nonspace + LONGEST_TITLE)),
    );
    return admonition !== undefined && openAdmonition(admonition, "indented", 4);
  }

  function openAdmonition(admonition: Admonition, kind: "colons" | "indented", size: number): boolean {
    if (atDeepest()) return false;
    const block = open("admonition", line.nonspace, line.trimmedEnd(line.nonspace));
    describeAdmonition(blocks[block]!, admonition);
    push({ kind, block, size, empty: false }, line.next);
    endLine();
    return true;
  }

  function openFootnote(): boolean {
    const end = footnoteMarkEnd(text, line.nonspace, line.end);
    if (end < 0 || atDeepest()) return false;
    const block = open("definition", line.nonspace, end);
    line.eatMarker(end - line.nonspace);
    return push({ kind: "indented", block, size: 4, empty: false }, end);
  }

  /** Turns the last line of the open paragraph into a table's header when this line is its delimiter row. */
  function openTable(): boolean {
    if (leaf?.kind !== "paragraph") return false;
    const columns = delimiterColumns(text, line.nonspace, line.trimmedEnd(line.nonspace));
    if (columns === 0) return false;
    const { start, end } = blocks[leaf.block]!.region;
    const cells = tableCells(text, leaf.lastLine, end);
    if (cells.length !== columns) return false;
    if (leaf.lastLine === start) blocks.pop();
    else cutShort(leaf.block, leaf.lastLine);
    const header = blocks.length;
    addRow(leaf.lastLine, end, cells, header);
    extendHolders(line.trimmedEnd(line.nonspace));
    leaf = { kind: "table", header };
    return endLine();
  }

  /** Ends a paragraph before the line that became a header, and before that line's own prefix (`> `). */
  function cutShort(block: number, before: number): void {
    const { start } = blocks[block]!.region;
    let end = before;
    while (end > start && text.charCodeAt(end - 1) !== 10 && text.charCodeAt(end - 1) !== 13) end--;
    while (end > start && isGap(text.charCodeAt(end - 1))) end--;
    blocks[block]!.region = blocks[block]!.content = { start, end };
  }

  function addRow(start: number, end: number, cells: readonly Region[], header: number): void {
    const parent = stack[stack.length - 1]?.block;
    const row = list.add("table-row", { start, end }, parent);
    markRow(blocks[row]!, row, header);
    for (let depth = 0; depth < cells.length; depth++) {
      const cell = cells[depth]!;
      const block = blocks[list.add("table-cell", cell, row)]!;
      block.content = trimRegion(text, cell.start, cell.end);
      block.depth = depth;
      markRow(block, row, header);
    }
    extendHolders(end);
  }

  function markRow(block: OpenBlock, row: number, header: number): void {
    block.table = header;
    if (row === header) block.header = true;
  }

  function closeSetext(mark: number, depth: number): boolean {
    if (leaf?.kind !== "paragraph") return false;
    const end = line.runEnd(line.nonspace, mark);
    if (!line.isBlankFrom(end)) return false;
    const block = blocks[leaf.block]!;
    block.kind = "heading";
    block.depth = depth;
    extend(leaf.block, end);
    list.beginSection(leaf.block);
    leaf = undefined;
    endLine();
    return true;
  }

  function skipThematicBreak(): boolean {
    if (!isThematicBreak(text, line.nonspace, line.end)) return false;
    closeDownTo(matched);
    extendHolders(line.trimmedEnd(line.nonspace));
    endLine();
    return true;
  }

  function openItem(continuing: boolean): boolean {
    const marker = listMarkerLength(text, line.nonspace, line.end);
    if (marker === 0) return false;
    const empty = line.isBlankFrom(line.nonspace + marker);
    if (continuing && (empty || !mayInterrupt(marker))) return false;
    if (atDeepest()) return false;
    const block = open("list-item", line.nonspace, line.nonspace + marker);
    const lead = line.indent + marker;
    line.eatMarker(marker);
    line.look();
    const padding = empty || line.indent > 4 ? 1 : line.indent;
    line.eatColumns(padding);
    push({ kind: "item", block, size: lead + padding, empty }, line.at);
    blocks[block]!.depth = stack.filter(({ kind }) => kind === "item").length;
    return true;
  }

  // Of numbered lists only one that starts at 1 may follow a paragraph without a blank line.
  function mayInterrupt(marker: number): boolean {
    const first = text.charCodeAt(line.nonspace);
    return !isDigit(first) || (marker === 2 && first === 49);
  }

  /** What is left of the line when no block starts on it. */
  function readText(): void {
    if (line.blank) {
      closeDownTo(matched);
      return;
    }
    const end = line.trimmedEnd(line.nonspace);
    if (leaf?.kind === "paragraph") {
      leaf.lastLine = line.nonspace;
      extendWhole(leaf.block, end);
    } else if (leaf?.kind === "table")
      addRow(line.nonspace, end, tableCells(text, line.nonspace, end), leaf.header);
    else if (!readDefinition() && !marksAlert(end))
      leaf = { kind: "paragraph", block: open("paragraph", line.nonspace, end), lastLine: line.nonspace };
  }

  /** A definition's destination may stand on the line below its label. */
  function readDefinition(): boolean {
    const below = stack.some(({ kind }) => kind === "quote") ? line.end : line.endOfLine(line.next);
    const definition = parseDefinition(text, line.nonspace, line.end, below);
    if (!definition) return false;
    const { label, destination, end } = definition;
    definitions.push({ block: open("definition", line.nonspace, end), label, destination });
    leaf = undefined;
    if (end > line.end) readUntil = below;
    return true;
  }

  /** `> [!NOTE]` makes its quote an admonition. */
  function marksAlert(end: number): boolean {
    const innermost = stack[stack.length - 1];
    if (innermost?.kind !== "quote" || innermost.block !== blocks.length - 1) return false;
    const admonition = alertMark(text.slice(line.nonspace, Math.min(end, line.nonspace + LONGEST_TITLE)));
    if (!admonition) return false;
    const block = blocks[innermost.block]!;
    block.kind = "admonition";
    describeAdmonition(block, admonition);
    extend(innermost.block, end);
    block.content = { start: end, end };
    return true;
  }

  /** Closes what this line does not belong to, and adds a block inside what it does. */
  function open(kind: Block["kind"], start: number, end: number): number {
    closeDownTo(matched);
    const index = list.add(kind, { start, end }, stack[stack.length - 1]?.block);
    extendHolders(end);
    return index;
  }

  function push(container: Container, content: number): true {
    blocks[container.block]!.content = { start: content, end: content };
    extend(container.block, Math.min(content, line.end));
    stack.push(container);
    matched = stack.length;
    return true;
  }

  function atDeepest(): boolean {
    if (matched < DEEPEST) return false;
    if (!tooDeep)
      trouble.push({ offset: line.nonspace, why: `nested more than ${DEEPEST} deep, read as text` });
    tooDeep = true;
    return true;
  }

  function closeDownTo(depth: number): void {
    if (leaf?.kind === "fence") noteUnclosed(leaf.block, "a code fence is never closed");
    for (let i = stack.length - 1; i >= depth; i--)
      if (stack[i]!.kind === "colons") noteUnclosed(stack[i]!.block, "an admonition is never closed");
    leaf = undefined;
    stack.length = depth;
    matched = Math.min(matched, depth);
  }

  function noteUnclosed(block: number, why: string): void {
    if (trouble.length < MOST_TROUBLE) trouble.push({ offset: blocks[block]!.region.start, why });
  }

  function extend(block: number, end: number): void {
    stretch(block, end);
    extendHolders(end);
  }

  function extendWhole(block: number, end: number): void {
    extend(block, end);
    blocks[block]!.content = blocks[block]!.region;
  }

  function extendHolders(end: number): void {
    for (const { block } of stack) {
      stretch(block, end);
      const { content } = blocks[block]!;
      if (end > content.end) blocks[block]!.content = { start: content.start, end };
    }
  }

  function stretch(block: number, end: number): void {
    const { region } = blocks[block]!;
    if (end > region.end) blocks[block]!.region = { start: region.start, end };
  }

  /** The rest of the line belongs to what was just read. */
  function endLine(): false {
    lineRead = true;
    line.eatLine();
    return false;
  }
}
