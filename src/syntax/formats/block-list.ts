import type { Region } from "../../text/model/region.ts";
import type { Block } from "./document.ts";

/** A block while its scan may still move its end. Indices into the list of blocks never change. */
export type OpenBlock = { -readonly [key in keyof Block]: Block[key] };

/** The blocks of a page in reading order, each told under which heading and in which block it stands. */
export type BlockList = {
  readonly blocks: OpenBlock[];
  /** Adds a block and gives its index. Its content is its whole region until told otherwise. */
  add(kind: Block["kind"], region: Region, parent?: number): number;
  /** A heading outside all other blocks begins a section; its own section is the one it is part of. */
  beginSection(heading: number): void;
};

export function createBlockList(blocks: OpenBlock[] = []): BlockList {
  let heading = -1;
  return {
    blocks,
    add(kind, region, parent) {
      const block: OpenBlock = { kind, region, content: region, section: heading };
      if (parent !== undefined) block.parent = parent;
      return blocks.push(block) - 1;
    },
    beginSection(index) {
      const block = blocks[index]!;
      if (block.parent !== undefined) return;
      let above = heading;
      while (above >= 0 && blocks[above]!.depth! >= block.depth!) above = blocks[above]!.section;
      block.section = above;
      heading = index;
    },
  };
}
