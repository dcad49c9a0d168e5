import type { Gap } from "./align.ts";
import type { Line, Rewrite } from "./comparison.ts";
import { splitLines } from "./tokens.ts";

/** The lines of one side of a file, and where each of them begins. */
export type SideLines = { readonly lines: readonly string[]; readonly starts: Int32Array };

export function cutSide(text: string | null): SideLines {
  const lines = text === null ? [] : splitLines(text);
  const starts = new Int32Array(lines.length);
  let at = 0;
  for (const [index, line] of lines.entries()) {
    starts[index] = at;
    at += line.length;
    at += text!.startsWith("\r\n", at) ? 2 : 1;
  }
  return { lines, starts };
}

const GAP = 8;

/**
 * The rewrites of a file as numbers, from which they are cut out again. A line takes ten times as much memory as its
 * place, and a range of some thousand commits rewrites half a million lines.
 */
export class PackedRewrites {
  readonly #texts: readonly [before: string, after: string];
  /** For each rewrite: its gap, and the offsets of its lines on either side. */
  readonly #gaps: Int32Array;

  constructor(
    texts: readonly [string, string],
    [before, after]: readonly [SideLines, SideLines],
    gaps: readonly Gap[],
  ) {
    this.#texts = texts;
    this.#gaps = Int32Array.from(
      gaps.flatMap(({ oldStart, oldEnd, newStart, newEnd }) => [
        ...[oldStart, oldEnd, newStart, newEnd],
        ...[...stretchOf(before, oldStart, oldEnd), ...stretchOf(after, newStart, newEnd)],
      ]),
    );
  }

  /** The number of lines that were removed or added. */
  get size(): number {
    let sum = 0;
    for (let at = 0; at < this.#gaps.length; at += GAP) {
      const { oldStart, oldEnd, newStart, newEnd } = this.#gapAt(at);
      sum += oldEnd - oldStart + newEnd - newStart;
    }
    return sum;
  }

  cut(): Rewrite[] {
    const rewrites: Rewrite[] = [];
    for (let at = 0; at < this.#gaps.length; at += GAP) {
      const gap = this.#gapAt(at);
      const removed = this.#cutLines(0, at + 4, gap.oldStart);
      rewrites.push({ removed, added: this.#cutLines(1, at + 6, gap.newStart), gap });
    }
    return rewrites;
  }

  #gapAt(at: number): Gap {
    const [oldStart = 0, oldEnd = 0, newStart = 0, newEnd = 0] = this.#gaps.subarray(at, at + 4);
    return { oldStart, oldEnd, newStart, newEnd };
  }

  /** The lines between two offsets; `first` counts the lines before them. */
  #cutLines(side: 0 | 1, at: number, first: number): Line[] {
    const [start = 0, end = -1] = this.#gaps.subarray(at, at + 2);
    if (end < 0) return [];
    return splitLines(this.#texts[side].slice(start, end)).map((text, index) => ({
      number: first + index + 1,
      text,
    }));
  }
}

/** Where the first of some lines begins and the last of them ends; an end of -1 where there are none. */
function stretchOf({ lines, starts }: SideLines, first: number, end: number): [start: number, end: number] {
  return first === end ? [0, -1] : [starts[first]!, starts[end - 1]! + lines[end - 1]!.length];
}

const mostLines = 20_000;

/** The rewrites of the files that were asked for last. Those of a large change are cut out again when they are needed. */
export class ShownRewrites {
  readonly #known = new Map<PackedRewrites, readonly Rewrite[]>();
  #lines = 0;

  of(packed: PackedRewrites): readonly Rewrite[] {
    const known = this.#known.get(packed);
    if (known !== undefined) return known;
    const rewrites = packed.cut();
    this.#known.set(packed, rewrites);
    this.#lines += packed.size;
    for (const oldest of this.#known.keys()) {
      if (this.#lines <= mostLines || oldest === packed) break;
      this.#known.delete(oldest);
      this.#lines -= oldest.size;
    }
    return rewrites;
  }
}
