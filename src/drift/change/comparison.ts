import { findGaps, type Gap } from "./align.ts";
import type { ChangedFile } from "./change.ts";
import { cutSide, PackedRewrites, ShownRewrites } from "./packed-rewrites.ts";
import { tokenise } from "./tokens.ts";

/** A line of one side, counted from 1. */
export type Line = { readonly number: number; readonly text: string };

/** A line that was rewritten: what it said, and what it says now. */
type LinePair = { readonly old: Line; readonly new: Line };

/** A stretch of a file that the change rewrote. */
export type Rewrite = {
  readonly removed: readonly Line[];
  readonly added: readonly Line[];
  readonly gap: Gap;
};

/** One changed file, line against line. */
export type Comparison = {
  readonly path: string;
  readonly from: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The rewritten stretches. Their lines are cut out of the texts when they are asked for. */
  readonly rewrites: readonly Rewrite[];
};

// Line pairing is a table of removed × added; larger rewrites are paired in order or not at all.
const LARGEST_PAIRING = 160_000;
const ALIKE = 0.4;

export function compareFiles(files: readonly ChangedFile[]): Comparison[] {
  const shown = new ShownRewrites();
  return files.map((file) => compareFile(file, shown));
}

export function compareFile(file: ChangedFile, shown = new ShownRewrites()): Comparison {
  const { path, from = path, before, after } = file;
  const sides = [cutSide(before), cutSide(after)] as const;
  const gaps = before === after ? [] : findGaps(sides[0].lines, sides[1].lines);
  const packed = new PackedRewrites([before ?? "", after ?? ""], sides, gaps);
  return {
    path,
    from,
    before,
    after,
    get rewrites() {
      return shown.of(packed);
    },
  };
}

/** Order-keeping pairs of similar lines, chosen so that the likeness of all pairs together is greatest. */
export function pairLines(removed: readonly Line[], added: readonly Line[]): LinePair[] {
  const old = removed.filter((line) => line.text.trim());
  const fresh = added.filter((line) => line.text.trim());
  if (!old.length || !fresh.length) return [];
  if (old.length * fresh.length > LARGEST_PAIRING) return [];
  const oldBags = old.map((line) => bagOf(line.text));
  const newBags = fresh.map((line) => bagOf(line.text));
  const width = fresh.length + 1;
  const likeness = new Float32Array(old.length * fresh.length);
  const best = new Float32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--) {
      const alike = bagLikeness(oldBags[i]!, newBags[j]!);
      likeness[i * fresh.length + j] = alike;
      const paired = alike >= ALIKE ? alike + best[(i + 1) * width + j + 1]! : 0;
      best[i * width + j] = Math.max(paired, best[(i + 1) * width + j]!, best[i * width + j + 1]!);
    }
  const pairs: LinePair[] = [];
  for (let i = 0, j = 0; i < old.length && j < fresh.length; ) {
    const alike = likeness[i * fresh.length + j]!;
    const here = best[i * width + j]!;
    if (alike >= ALIKE && Math.abs(here - (alike + best[(i + 1) * width + j + 1]!)) < 1e-5) {
      pairs.push({ old: old[i]!, new: fresh[j]! });
      i++;
      j++;
    } else if (here === best[(i + 1) * width + j]) i++;
    else j++;
  }
  if (!pairs.length && old.length === 1 && fresh.length === 1) pairs.push({ old: old[0]!, new: fresh[0]! });
  return pairs;
}

type Bag = { readonly counts: ReadonlyMap<string, number>; readonly size: number };

function bagOf(text: string): Bag {
  const counts = new Map<string, number>();
  let size = 0;
  for (const token of tokenise(text)) {
    const weight = token.kind === "mark" ? 1 : 3;
    counts.set(token.text, (counts.get(token.text) ?? 0) + weight);
    size += weight;
  }
  return { counts, size };
}

function bagLikeness(a: Bag, b: Bag): number {
  if (!a.size || !b.size) return 0;
  let shared = 0;
  for (const [text, count] of a.counts) shared += Math.min(count, b.counts.get(text) ?? 0);
  return (2 * shared) / (a.size + b.size);
}
