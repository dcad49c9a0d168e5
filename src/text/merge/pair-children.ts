import { align } from "../diff/align.ts";
import { Interner } from "../match/intern.ts";
import { type MergeNode, type MergeText, textOf } from "./merge-tree.ts";

/** A node and the text it lies in. */
export type Placed = { readonly source: MergeText; readonly node: MergeNode };

/**
 * Which child of one version is which of another: for each child of `before` the index of its partner in `after`, or -1,
 * in order on both sides. Equal text comes first, then equal keys, then what is alike; tokens follow their neighbours.
 */
export function pairChildren(before: Placed, after: Placed): Int32Array {
  const pairs = new Int32Array(before.node.children.length).fill(-1);
  const old = indexesOf(before);
  const fresh = indexesOf(after);
  const whole = ({ source, node }: Placed, child: number): string => {
    const each = node.children[child]!;
    return `${each.kind}\0${textOf(source, each)}`;
  };
  const named = ({ node }: Placed, child: number): string => {
    const { kind, key } = node.children[child]!;
    return key === undefined ? `${child}\0${kind}\0${node === before.node}` : `${kind}\0${key}`;
  };
  const range = { old, fresh };
  for (const equal of alignBy(before, after, range, whole))
    for (const keyed of equal.pair ? [equal] : alignBy(before, after, equal.rest, named))
      for (const [a, b] of keyed.pair ? [keyed.pair] : pairAlike(before, after, keyed.rest)) pairs[a] = b;
  pairTokens(before, after, pairs);
  return pairs;
}

type Range = { readonly old: readonly number[]; readonly fresh: readonly number[] };
type Aligned =
  | { readonly pair: readonly [number, number] }
  | { readonly pair?: undefined; readonly rest: Range };

/** Children whose names are equal, in order, and what lies between them. */
function alignBy(
  before: Placed,
  after: Placed,
  { old, fresh }: Range,
  nameOf: (placed: Placed, child: number) => string,
): Aligned[] {
  const interner = new Interner();
  const a = Int32Array.from(old, (child) => interner.id(nameOf(before, child)));
  const b = Int32Array.from(fresh, (child) => interner.id(nameOf(after, child)));
  const found: Aligned[] = [];
  let i = 0;
  let j = 0;
  const end = { oldStart: a.length, oldEnd: a.length, newStart: b.length, newEnd: b.length };
  for (const gap of [...align(a, b), end]) {
    while (i < gap.oldStart) found.push({ pair: [old[i++]!, fresh[j++]!] });
    found.push({ rest: { old: old.slice(i, gap.oldEnd), fresh: fresh.slice(j, gap.newEnd) } });
    i = gap.oldEnd;
    j = gap.newEnd;
  }
  return found;
}

/** More comparisons than this are not made: then nothing is alike. */
const MOST_COMPARED = 900;

/** The pairs in order that are most alike together. */
function pairAlike(before: Placed, after: Placed, { old, fresh }: Range): [number, number][] {
  if (old.length * fresh.length > MOST_COMPARED || old.length === 0 || fresh.length === 0) return [];
  const isOnly = old.length === 1 && fresh.length === 1;
  const words = (placed: Placed) => (child: number) =>
    countWords(textOf(placed.source, placed.node.children[child]!));
  const oldWords = old.map(words(before));
  const newWords = fresh.map(words(after));
  const gain = (i: number, j: number): number => {
    const a = before.node.children[old[i]!]!;
    const b = after.node.children[fresh[j]!]!;
    if (a.kind !== b.kind || a.group !== b.group) return 0;
    if (a.children.length === 0 && b.children.length === 0 && a.key === undefined) return 0.5;
    const alike = likeness(oldWords[i]!, newWords[j]!);
    const enough = a.key !== undefined ? 0.6 : isOnly ? 0 : 0.4;
    return alike >= enough ? alike + 0.01 : 0;
  };
  const best = Array.from({ length: old.length + 1 }, () => new Float64Array(fresh.length + 1));
  const gains = old.map((_, i) => fresh.map((__, j) => gain(i, j)));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      best[i]![j] = Math.max(
        best[i + 1]![j]!,
        best[i]![j + 1]!,
        gains[i]![j]! > 0 ? gains[i]![j]! + best[i + 1]![j + 1]! : 0,
      );
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < old.length && j < fresh.length; ) {
    const here = gains[i]![j]!;
    if (here > 0 && best[i]![j] === here + best[i + 1]![j + 1]!) pairs.push([old[i++]!, fresh[j++]!]);
    else if (best[i]![j] === best[i + 1]![j]) i++;
    else j++;
  }
  return pairs;
}

/** Tokens have partners between the same neighbours, first to first. */
function pairTokens(before: Placed, after: Placed, pairs: Int32Array): void {
  const { children } = after.node;
  let limit = children.length;
  const limits = Array.from(pairs)
    .reverse()
    .map((partner) => (partner < 0 ? limit : (limit = partner)))
    .reverse();
  let next = 0;
  for (let i = 0; i < pairs.length; i++) {
    const child = before.node.children[i]!;
    if (pairs[i]! < 0 && !isPart(child)) {
      const text = textOf(before.source, child);
      for (let j = next; j < limits[i]! && pairs[i]! < 0; j++)
        if (!isPart(children[j]!) && textOf(after.source, children[j]!) === text) pairs[i] = j;
    }
    if (pairs[i]! >= 0) next = pairs[i]! + 1;
  }
}

function isPart({ role }: MergeNode): boolean {
  return role !== "token";
}

function indexesOf({ node }: Placed): number[] {
  return node.children.flatMap((child, index) => (isPart(child) ? [index] : []));
}

export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of splitWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

export function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
}

/** The share of words that two texts have in common, from 0 to 1. */
function likeness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  let all = 0;
  for (const [word, count] of a) {
    common += Math.min(count, b.get(word) ?? 0);
    all += count;
  }
  for (const count of b.values()) all += count;
  return all === 0 ? 1 : (2 * common) / all;
}
