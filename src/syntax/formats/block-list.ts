import type { Region } from "../../text/model/region.ts";
import type { Block } from "./document.ts";

/** A block while its scan may still move its end. Indices into the list of blocks never change. */
export type OpenBlock = { -readonly [key in keyof Block]: Block[key] };

/** The blocks of a page in reading order, each with its heading and the block that holds it. */
export class BlockList {
  readonly blocks: OpenBlock[];
  /** The heading of the current section. */
  #heading = -1;

  constructor(blocks: OpenBlock[] = []) {
    this.blocks = blocks;
  }

  /** Adds a block and returns its index. Its content is its whole region until the caller changes it. */
  add(kind: Block["kind"], region: Region, parent?: number): number {
    const block: OpenBlock = { kind, region, content: region, section: this.#heading };
    if (parent !== undefined) block.parent = parent;
    return this.blocks.push(block) - 1;
  }

  /** Begins the section of a heading, unless another block holds the heading. */
  beginSection(index: number): void {
    const block = this.blocks[index]!;
    if (block.parent !== undefined) return;
    let above = this.#heading;
    while (above >= 0 && this.blocks[above]!.depth! >= block.depth!) above = this.blocks[above]!.section;
    block.section = above;
    this.#heading = index;
  }
}
