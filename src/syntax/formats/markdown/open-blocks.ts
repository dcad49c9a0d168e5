import type { Region } from "../../../text/model/region.ts";
import { BlockList, type OpenBlock } from "../block-list.ts";
import { isGap, trimRegion } from "../characters.ts";
import type { Block } from "../document.ts";

/** Deeper nesting than people write is read as text, which keeps the work per line bounded. */
const DEEPEST = 32;
const MOST_TROUBLE = 20;

/** A block that holds other blocks and is still open. */
export type Container = {
  readonly kind: "quote" | "item" | "indented" | "colons";
  readonly block: number;
  /** Columns a line must be indented to belong to an item or an indented admonition; colons that opened a `:::`. */
  readonly size: number;
  /** A list item that has nothing yet: a second blank line ends it. */
  empty: boolean;
};

/** The innermost open block: it holds text. */
export type Leaf =
  | { readonly kind: "paragraph"; readonly block: number; lastLine: number }
  | { readonly kind: "fence"; readonly block: number; readonly mark: number; readonly length: number }
  | { readonly kind: "indented-code" | "esm"; readonly block: number }
  | { readonly kind: "html"; readonly block: number; readonly type: number }
  | { readonly kind: "table"; readonly header: number };

/** The blocks of a Markdown page while it is read: those added so far, and those still open at the current line. */
export class OpenBlocks {
  readonly blocks: OpenBlock[];
  readonly trouble: { offset: number; why: string }[] = [];
  /** The open containers, outermost first. */
  readonly stack: Container[] = [];
  /** How many of the open containers the current line belongs to. */
  matched = 0;
  leaf: Leaf | undefined;
  readonly #text: string;
  readonly #list: BlockList;
  #tooDeep = false;

  constructor(text: string, blocks: OpenBlock[]) {
    this.#text = text;
    this.blocks = blocks;
    this.#list = new BlockList(blocks);
  }

  /** Adds a block in the innermost container of the current line. Containers that the line does not belong to are closed. */
  open(kind: Block["kind"], start: number, end: number): number {
    this.closeDownTo(this.matched);
    const index = this.#list.add(kind, { start, end }, this.stack[this.stack.length - 1]?.block);
    this.extendHolders(end);
    return index;
  }

  /** Opens a container whose content begins at `content`. */
  push(container: Container, content: number, lineEnd: number): void {
    this.blocks[container.block]!.content = { start: content, end: content };
    this.extend(container.block, Math.min(content, lineEnd));
    this.stack.push(container);
    this.matched = this.stack.length;
  }

  /** Whether no further container may be opened here. */
  isTooDeep(offset: number): boolean {
    if (this.matched < DEEPEST) return false;
    if (!this.#tooDeep) this.trouble.push({ offset, why: `nested more than ${DEEPEST} deep, read as text` });
    this.#tooDeep = true;
    return true;
  }

  /** Closes the leaf and every container above `depth`. */
  closeDownTo(depth: number): void {
    if (this.leaf?.kind === "fence") this.#noteUnclosed(this.leaf.block, "a code fence is never closed");
    for (let i = this.stack.length - 1; i >= depth; i--)
      if (this.stack[i]!.kind === "colons")
        this.#noteUnclosed(this.stack[i]!.block, "an admonition is never closed");
    this.leaf = undefined;
    this.stack.length = depth;
    this.matched = Math.min(this.matched, depth);
  }

  /** Moves the end of a block, and of the containers that hold it. */
  extend(block: number, end: number): void {
    this.stretch(block, end);
    this.extendHolders(end);
  }

  /** As `extend`, for a block whose content is its whole region. */
  extendWhole(block: number, end: number): void {
    this.extend(block, end);
    this.blocks[block]!.content = this.blocks[block]!.region;
  }

  /** Moves the ends of all open containers and of their contents. */
  extendHolders(end: number): void {
    for (const { block } of this.stack) {
      this.stretch(block, end);
      const { content } = this.blocks[block]!;
      if (end > content.end) this.blocks[block]!.content = { start: content.start, end };
    }
  }

  /** Moves the end of a block, but not of its content and its holders. */
  stretch(block: number, end: number): void {
    const { region } = this.blocks[block]!;
    if (end > region.end) this.blocks[block]!.region = { start: region.start, end };
  }

  addCodeLine(block: number, lineEnd: number): void {
    this.extend(block, lineEnd);
    this.blocks[block]!.content = { start: this.blocks[block]!.content.start, end: lineEnd };
  }

  /** Adds a table row and its cells. `header`: the block of the first row. */
  addRow(region: Region, cells: readonly Region[], header: number): void {
    const parent = this.stack[this.stack.length - 1]?.block;
    const row = this.#list.add("table-row", region, parent);
    this.#markRow(this.blocks[row]!, row, header);
    for (let depth = 0; depth < cells.length; depth++) {
      const cell = cells[depth]!;
      const block = this.blocks[this.#list.add("table-cell", cell, row)]!;
      block.content = trimRegion(this.#text, cell.start, cell.end);
      block.depth = depth;
      this.#markRow(block, row, header);
    }
    this.extendHolders(region.end);
  }

  /** Ends a paragraph before the line that became a header, and before that line's own prefix (`> `). */
  cutShort(block: number, before: number): void {
    const { start } = this.blocks[block]!.region;
    let end = before;
    while (end > start && this.#text.charCodeAt(end - 1) !== 10 && this.#text.charCodeAt(end - 1) !== 13)
      end--;
    while (end > start && isGap(this.#text.charCodeAt(end - 1))) end--;
    this.blocks[block]!.region = this.blocks[block]!.content = { start, end };
  }

  beginSection(heading: number): void {
    this.#list.beginSection(heading);
  }

  #markRow(block: OpenBlock, row: number, header: number): void {
    block.table = header;
    if (row === header) block.header = true;
  }

  #noteUnclosed(block: number, why: string): void {
    if (this.trouble.length < MOST_TROUBLE)
      this.trouble.push({ offset: this.blocks[block]!.region.start, why });
  }
}
