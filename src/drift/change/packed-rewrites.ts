import type { Gap } from "./align.ts";
import type { Line, LinePair, Rewrite } from "./comparison.ts";
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

/** Lines of a side, counted from 0. */
export function linesOf({ lines }: SideLines, start: number, end: number): Line[] {
  return lines.slice(start, end).map((text, index) => ({ number: start + index + 1, text }));
}

const GAP = 9;
const PAIR = 6;

/**
 * The rewrites of a file as numbers, from which they are cut out again. A line takes ten times as much memory as its
 * place, and a range of some thousand commits rewrites half a million lines.
 */
export class PackedRewrites {
  readonly #texts: readonly [before: string, after: string];
  /** For each rewrite: its gap, the offsets of its lines on either side, and the number of pairs up to its end. */
  readonly #gaps: Int32Array;
  /** For each pair: the number, the start and the end of the old line and of the new one. */
  readonly #pairs: Int32Array;
  readonly #likeness: Float32Array;

  constructor(
    texts: readonly [string, string],
    [before, after]: readonly [SideLines, SideLines],
    found: Iterable<Rewrite>,
  ) {
    const gaps: number[] = [];
    const pairs: number[] = [];
    const likeness: number[] = [];
    for (const { gap, pairs: own } of found) {
      for (const pair of own) {
        pairs.push(...placeOf(pair.old, before), ...placeOf(pair.new, after));
        likeness.push(pair.likeness);
      }
      gaps.push(gap.oldStart, gap.oldEnd, gap.newStart, gap.newEnd);
      gaps.push(
        ...stretchOf(before, gap.oldStart, gap.oldEnd),
        ...stretchOf(after, gap.newStart, gap.newEnd),
      );
      gaps.push(likeness.length);
    }
    this.#texts = texts;
    this.#gaps = Int32Array.from(gaps);
    this.#pairs = Int32Array.from(pairs);
    this.#likeness = Float32Array.from(likeness);
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
    for (let at = 0, next = 0; at < this.#gaps.length; at += GAP) {
      const gap = this.#gapAt(at);
      const removed = this.#cutLines(0, at + 4, gap.oldStart);
      const added = this.#cutLines(1, at + 6, gap.newStart);
      const pairs: LinePair[] = [];
      for (const last = this.#gaps[at + 8] ?? 0; next < last; next++)
        pairs.push({
          old: removed[this.#pairs[next * PAIR]! - gap.oldStart - 1]!,
          new: added[this.#pairs[next * PAIR + 3]! - gap.newStart - 1]!,
          likeness: this.#likeness[next] ?? 0,
        });
      rewrites.push({ removed, added, pairs, gap });
    }
    return rewrites;
  }

  /** One of the pairs of all rewrites, counted from 0. */
  pairAt(index: number): LinePair {
    const [before, after] = this.#texts;
    const at = index * PAIR;
    const [number = 0, start, end, newNumber = 0, newStart, newEnd] = this.#pairs.subarray(at, at + PAIR);
    return {
      old: { number, text: before.slice(start, end) },
      new: { number: newNumber, text: after.slice(newStart, newEnd) },
      likeness: this.#likeness[index] ?? 0,
    };
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

function placeOf(
  { number, text }: Line,
  { starts }: SideLines,
): [number: number, start: number, end: number] {
  const start = starts[number - 1]!;
  return [number, start, start + text.length];
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
