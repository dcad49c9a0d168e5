import type { Region } from "../text/region.ts";
import { createBlockList, type OpenBlock } from "./block-list.ts";
import type { Block } from "./document.ts";
import { htmlBlockEnds, htmlBlockStart, jsxTagEnd } from "./html.ts";
import { createLineCursor, isDigit, isGap, isSpace, trimRegion } from "./line-cursor.ts";
import { parseDefinition } from "./markdown-definition.ts";
import { delimiterColumns, tableCells } from "./markdown-table.ts";

/** `[label]: destination`, and the block it is. */
export type Definition = { readonly block: number; readonly label: Region; readonly destination: Region };

export type BlockScan = {
  readonly definitions: Definition[];
  readonly trouble: { readonly offset: number; readonly why: string }[];
};

/** Deeper nesting than people write is read as text, which keeps the work per line bounded. */
const DEEPEST = 32;
const MOST_TROUBLE = 20;

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
  // An MDX tag or expression may reach over several lines. Once one never closes, later ones must on their own line.
  let readUntil = from;
  let unclosedTag = false;
  let tooDeep = false;

  for (line.next = from; line.next < text.length; ) {
    line.toLine(line.next);
    if (line.end > readUntil || line.start > readUntil) readLine();
  }
  closeDownTo(0);
  for (const block of blocks) if (block.kind === "comment") block.content = insideComment(text, block.region);
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
    let count = 0;
    for (line.look(); count < stack.length; count++, line.look()) {
      const container = stack[count]!;
      if (container.kind === "quote") {
        if (line.indent > 3 || text.charCodeAt(line.nonspace) !== 62) break;
        extend(container.block, line.nonspace + 1);
        eatQuoteMark();
      } else if (container.kind !== "colons") {
        if (line.blank ? container.empty : line.indent < container.size) break;
        if (line.blank) continue;
        line.eatColumns(container.size);
        container.empty = false;
      }
    }
    return count;
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
        return (continuing && closeSetext(code, 1)) || openIndented(/^===[!+]?[ \t]+"/, "tab");
      case 33: // !
        return openIndented(/^!!![ \t]+["\w]/);
      case 63: // ?
        return openIndented(/^\?\?\?\+?[ \t]+["\w]/);
      case 45: // -
        if (continuing && (closeSetext(code, 2) || openTable())) return false;
        return !thematicBreak(code) && openItem(continuing);
      case 42: // *
        return !thematicBreak(code) && openItem(continuing);
      case 95: // _
        return !thematicBreak(code) && false;
      case 43: // +
        return openItem(continuing);
      case 101: // e
      case 105: // i
        return mdx && !inParagraph && openEsm();
      default:
        return isDigit(code) && openItem(continuing);
    }
  }

  function openQuote(): boolean {
    if (atDeepest()) return false;
    closeDownTo(matched);
    const block = open("quote", line.nonspace, line.nonspace + 1);
    eatQuoteMark();
    blocks[block]!.content = { start: line.at, end: line.at };
    push({ kind: "quote", block, size: 0, empty: false });
    return true;
  }

  function openHeading(): boolean {
    const marks = line.runEnd(line.nonspace, 35);
    const depth = marks - line.nonspace;
    if (depth > 6 || !(marks === line.end || isSpace(text.charCodeAt(marks)))) return false;
    closeDownTo(matched);
    const end = line.trimmedEnd(marks);
    let last = end;
    while (last > marks && text.charCodeAt(last - 1) === 35) last--;
    // Closing marks count only behind white space.
    if (last > marks && !isSpace(text.charCodeAt(last - 1))) last = end;
    const block = open("heading", line.nonspace, Math.max(end, marks));
    blocks[block]!.depth = depth;
    blocks[block]!.content = trimRegion(text, marks, last);
    list.beginSection(block);
    return endLine();
  }

  function openFence(mark: number): boolean {
    const info = line.runEnd(line.nonspace, mark);
    if (info - line.nonspace < 3) return false;
    if (mark === 96 && text.slice(info, line.end).includes("`")) return false;
    closeDownTo(matched);
    const block = open("code-fence", line.nonspace, line.trimmedEnd(line.nonspace));
    describeFence(blocks[block]!, text.slice(line.nonspace, info), text.slice(info, line.end).trim());
    const body = Math.min(line.next, text.length);
    blocks[block]!.content = { start: body, end: body };
    leaf = { kind: "fence", block, mark, length: info - line.nonspace };
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
    closeDownTo(matched);
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
    for (let i = end; i < stop; i++) if (!isSpace(text.charCodeAt(i))) return false;
    closeDownTo(matched);
    const comment = text.startsWith("<!--", line.nonspace) || text.startsWith("{/*", line.nonspace);
    const block = open(comment ? "comment" : "html", line.nonspace, end);
    if (!comment && text.charCodeAt(line.nonspace) === 123) blocks[block]!.language = "expression";
    readUntil = stop;
    return endLine();
  }

  function openEsm(): boolean {
    if (stack.length > 0 || line.indent > 0) return false;
    if (!text.startsWith("import ", line.start) && !text.startsWith("export ", line.start)) return false;
    closeDownTo(matched);
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
    const rest = text.slice(end, Math.min(line.end, end + 1000)).trim();
    if (rest === "") return closeColons(colons);
    const name = /^\{?\.?([A-Za-z][\w-]*)\}?/.exec(rest);
    if (!name || atDeepest()) return false;
    openAdmonition(name[1]!, rest.slice(name[0].length), { kind: "colons", size: colons });
    return true;
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
  function openIndented(opening: RegExp, name?: string): boolean {
    const words = text.slice(line.nonspace, Math.min(line.end, line.nonspace + 1000));
    if (!opening.test(words) || atDeepest()) return false;
    const rest = words.replace(/^\S+[ \t]+/, "");
    const kind = name ?? /^[\w-]+/.exec(rest)?.[0];
    openAdmonition(kind ?? "note", kind && !name ? rest.slice(kind.length) : rest, {
      kind: "indented",
      size: 4,
    });
    return true;
  }

  function openAdmonition(name: string, title: string, container: Pick<Container, "kind" | "size">): void {
    closeDownTo(matched);
    const block = open("admonition", line.nonspace, line.trimmedEnd(line.nonspace));
    describeAdmonition(blocks[block]!, name, title);
    const body = Math.min(line.next, text.length);
    blocks[block]!.content = { start: body, end: body };
    push({ ...container, block, empty: false });
    endLine();
  }

  /** Turns the last line of the open paragraph into a table's header when this line is its delimiter row. */
  function openTable(): boolean {
    if (leaf?.kind !== "paragraph") return false;
    const columns = delimiterColumns(text, line.nonspace, line.trimmedEnd(line.nonspace));
    if (columns === 0) return false;
    const paragraph = blocks[leaf.block]!;
    const start = leaf.lastLine;
    const cells = tableCells(text, start, paragraph.region.end);
    if (cells.length !== columns) return false;
    const end = paragraph.region.end;
    if (start === paragraph.region.start) blocks.pop();
    else setWhole(leaf.block, paragraph.region.start, proseEnd(paragraph.region.start, start));
    const header = blocks.length;
    addRow(start, end, cells, header);
    extendParents(line.trimmedEnd(line.nonspace));
    leaf = { kind: "table", header };
    return endLine();
  }

  /** The end of a paragraph whose last line became a header, without that line's own prefix (`> `). */
  function proseEnd(start: number, cut: number): number {
    let end = cut;
    while (end > start && text.charCodeAt(end - 1) !== 10 && text.charCodeAt(end - 1) !== 13) end--;
    while (end > start && isGap(text.charCodeAt(end - 1))) end--;
    return end;
  }

  function addRow(start: number, end: number, cells: readonly Region[], header: number): void {
    const row = open("table-row", start, end);
    blocks[row]!.table = header;
    if (row === header) blocks[row]!.header = true;
    cells.forEach((cell, depth) => {
      const block = blocks[open("table-cell", cell.start, cell.end)]!;
      block.content = trimRegion(text, cell.start, cell.end);
      block.depth = depth;
      block.parent = row;
      block.table = header;
      if (row === header) block.header = true;
    });
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

  function thematicBreak(mark: number): boolean {
    let marks = 0;
    for (let i = line.nonspace; i < line.end; i++) {
      const code = text.charCodeAt(i);
      if (code === mark) marks++;
      else if (!isSpace(code)) return false;
    }
    if (marks < 3) return false;
    closeDownTo(matched);
    extendParents(line.trimmedEnd(line.nonspace));
    endLine();
    return true;
  }

  function openItem(continuing: boolean): boolean {
    const marker = listMarkerLength();
    if (marker === 0) return false;
    const empty = line.isBlankFrom(line.nonspace + marker);
    if (continuing && (empty || !mayInterrupt(marker))) return false;
    if (atDeepest()) return false;
    closeDownTo(matched);
    const block = open("list-item", line.nonspace, line.nonspace + marker);
    const lead = line.indent + marker;
    line.eatMarker(marker);
    line.look();
    const padding = empty || line.indent > 4 ? 1 : line.indent;
    line.eatColumns(padding);
    blocks[block]!.content = { start: line.at, end: line.at };
    push({ kind: "item", block, size: lead + padding, empty });
    blocks[block]!.depth = stack.filter(({ kind }) => kind === "item").length;
    return true;
  }

  function listMarkerLength(): number {
    let end = line.nonspace;
    while (isDigit(text.charCodeAt(end)) && end - line.nonspace < 10) end++;
    const digits = end - line.nonspace;
    const delimiter = text.charCodeAt(end);
    if (digits > 9 || (digits > 0 && delimiter !== 46 && delimiter !== 41)) return 0;
    end++;
    return end >= line.end || isSpace(text.charCodeAt(end)) ? end - line.nonspace : 0;
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
    } else if (leaf?.kind === "table") {
      addRow(line.nonspace, end, tableCells(text, line.nonspace, end), leaf.header);
    } else openText(end);
  }

  function openText(end: number): void {
    leaf = undefined;
    const definition = parseDefinition(text, line.nonspace, end);
    if (definition) definitions.push({ block: open("definition", line.nonspace, end), ...definition });
    else if (!marksAlert(end))
      leaf = { kind: "paragraph", block: open("paragraph", line.nonspace, end), lastLine: line.nonspace };
  }

  /** `> [!NOTE]` makes its quote an admonition. */
  function marksAlert(end: number): boolean {
    const innermost = stack[stack.length - 1];
    if (innermost?.kind !== "quote" || innermost.block !== blocks.length - 1) return false;
    const words = text.slice(line.nonspace, Math.min(end, line.nonspace + 300));
    const mark = /^\[!([A-Za-z]+)\][+-]?(?:[ \t]+(.*))?$/.exec(words);
    if (!mark) return false;
    const block = blocks[innermost.block]!;
    block.kind = "admonition";
    describeAdmonition(block, mark[1]!, mark[2] ?? "");
    extend(innermost.block, end);
    block.content = { start: end, end };
    return true;
  }

  function open(kind: Block["kind"], start: number, end: number): number {
    const index = list.add(kind, { start, end }, stack[stack.length - 1]?.block);
    extendParents(end);
    return index;
  }

  function push(container: Container): void {
    stack.push(container);
    matched = stack.length;
    leaf = undefined;
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
    const { region } = blocks[block]!;
    if (end > region.end) blocks[block]!.region = { start: region.start, end };
    extendParents(end);
  }

  function extendWhole(block: number, end: number): void {
    extend(block, end);
    blocks[block]!.content = blocks[block]!.region;
  }

  function setWhole(block: number, start: number, end: number): void {
    blocks[block]!.region = blocks[block]!.content = { start, end };
  }

  function extendParents(end: number): void {
    for (const { block } of stack) {
      const { region, content } = blocks[block]!;
      if (end > region.end) blocks[block]!.region = { start: region.start, end };
      if (end > content.end) blocks[block]!.content = { start: content.start, end };
    }
  }

  /** The rest of the line belongs to what was just read. */
  function endLine(): false {
    lineRead = true;
    line.eatLine();
    return false;
  }

  function eatQuoteMark(): void {
    line.eatMarker(1);
    if (line.at < line.end && isSpace(text.charCodeAt(line.at))) line.eatColumns(1);
  }
}

function insideComment(text: string, { start, end }: Region): Region {
  const from = Math.min(start + (text[start] === "{" ? 3 : 4), end);
  const closed = text.endsWith("-->", end) || text.endsWith("*/}", end);
  return trimRegion(text, from, Math.max(from, closed ? end - 3 : end));
}

function describeFence(block: OpenBlock, fence: string, info: string): void {
  block.fence = fence;
  const language = /^\{?\.?([^\s{}:,]*)/.exec(info)!;
  const meta = info.slice(language[0].length).replace(/^[\s},:]+/, "");
  if (language[1]) block.language = language[1];
  if (meta) block.meta = meta;
}

function describeAdmonition(block: OpenBlock, name: string, title: string): void {
  block.language = name.toLowerCase();
  const words = title.trim().replace(/^["[](.*)["\]]$/, "$1");
  if (words) block.meta = words;
}
