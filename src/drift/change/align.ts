import type { Gap } from "../../text/diff/align.ts";

export type { Gap };

// The largest table of common lengths that is computed.
const LARGEST_TABLE = 4_000_000;

/** The stretches in which two sequences differ, in order; everything between them is equal. */
export function findGaps(before: readonly string[], after: readonly string[]): Gap[] {
  const sides = { before, after, gaps: [] };
  compare(sides, { oldStart: 0, oldEnd: before.length, newStart: 0, newEnd: after.length });
  return sides.gaps;
}

/** The sequences that are compared, and the gaps that were found so far. */
type Sides = { readonly before: readonly string[]; readonly after: readonly string[]; readonly gaps: Gap[] };

function compare(sides: Sides, range: Gap): void {
  const { before, after, gaps } = sides;
  let { oldStart, oldEnd, newStart, newEnd } = range;
  while (oldStart < oldEnd && newStart < newEnd && before[oldStart] === after[newStart]) {
    oldStart++;
    newStart++;
  }
  while (oldStart < oldEnd && newStart < newEnd && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  if (oldStart === oldEnd && newStart === newEnd) return;
  const inner = { oldStart, oldEnd, newStart, newEnd };
  if (oldStart === oldEnd || newStart === newEnd) {
    gaps.push(inner);
    return;
  }
  const anchors = findAnchors(before, after, inner);
  if (anchors.length) splitAt(sides, anchors, inner);
  else if ((oldEnd - oldStart) * (newEnd - newStart) <= LARGEST_TABLE) tabulate(sides, inner);
  else gaps.push(inner);
}

/** Elements that occur once on each side, in an order both sides agree on (patience). */
function findAnchors(before: readonly string[], after: readonly string[], range: Gap): [number, number][] {
  const count = new Map<string, { old: number; new: number; seen: number }>();
  for (let i = range.oldStart; i < range.oldEnd; i++) {
    const known = count.get(before[i]!);
    if (known) known.old = -1;
    else count.set(before[i]!, { old: i, new: -1, seen: 0 });
  }
  for (let j = range.newStart; j < range.newEnd; j++) {
    const known = count.get(after[j]!);
    if (!known) continue;
    known.seen++;
    known.new = j;
  }
  const pairs: [number, number][] = [];
  for (const { old, new: at, seen } of count.values()) if (old >= 0 && seen === 1) pairs.push([old, at]);
  pairs.sort((a, b) => a[0] - b[0]);
  return longestIncreasing(pairs);
}

function longestIncreasing(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, at], index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (pairs[tails[middle]!]![1] < at) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[index] = tails[low - 1]!;
    tails[low] = index;
  });
  const chain: [number, number][] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index]!) chain.push(pairs[index]!);
  return chain.reverse();
}

function splitAt(sides: Sides, anchors: readonly [number, number][], range: Gap): void {
  let { oldStart, newStart } = range;
  for (const [old, at] of anchors) {
    compare(sides, { oldStart, oldEnd: old, newStart, newEnd: at });
    oldStart = old + 1;
    newStart = at + 1;
  }
  compare(sides, { oldStart, oldEnd: range.oldEnd, newStart, newEnd: range.newEnd });
}

function tabulate({ before, after, gaps }: Sides, range: Gap): void {
  const { oldStart, newStart } = range;
  const rows = range.oldEnd - oldStart;
  const columns = range.newEnd - newStart;
  const width = columns + 1;
  const table = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      table[i * width + j] =
        before[oldStart + i] === after[newStart + j]
          ? table[(i + 1) * width + j + 1]! + 1
          : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
  let i = 0;
  let j = 0;
  while (i < rows || j < columns) {
    const from = { i, j };
    while (i < rows || j < columns) {
      if (i < rows && j < columns && before[oldStart + i] === after[newStart + j]) break;
      if (j >= columns || (i < rows && table[(i + 1) * width + j]! >= table[i * width + j + 1]!)) i++;
      else j++;
    }
    if (i > from.i || j > from.j)
      gaps.push({
        oldStart: oldStart + from.i,
        oldEnd: oldStart + i,
        newStart: newStart + from.j,
        newEnd: newStart + j,
      });
    while (i < rows && j < columns && before[oldStart + i] === after[newStart + j]) {
      i++;
      j++;
    }
  }
}
