import { overlap } from "../model/region.ts";
import type { Splice } from "../model/splice.ts";

/** Two splices of one text that cannot both be made. */
export type Clash = { readonly mine: Splice; readonly theirs: Splice };

/** A splice and the side that makes it. */
export type MergedSplice = { readonly splice: Splice; readonly by: "mine" | "theirs" | "both" };

/**
 * Two lists of splices of one text as one list in order, and where they clash. They clash when their regions
 * share a character, when one inserts inside what the other replaces, and when both insert at one point; equal
 * splices do not clash but are made once. Regions that touch do not clash: text inserted at the edge of a
 * replaced region stays outside its new text, so the order does not depend on the side that comes first.
 */
export function interleaveSplices(
  mine: readonly Splice[],
  theirs: readonly Splice[],
): { readonly merged: MergedSplice[]; readonly clashes: Clash[] } {
  const own = joinInsertions(mine);
  const other = joinInsertions(theirs);
  const merged: MergedSplice[] = [];
  const clashes: Clash[] = [];
  let i = 0;
  let j = 0;
  while (i < own.length && j < other.length) {
    const a = own[i]!;
    const b = other[j]!;
    if (isEqual(a, b)) {
      merged.push({ splice: a, by: "both" });
      i++;
      j++;
      continue;
    }
    if (clash(a, b)) clashes.push({ mine: a, theirs: b });
    if (comesFirst(a, b)) {
      merged.push({ splice: a, by: "mine" });
      i++;
    } else {
      merged.push({ splice: b, by: "theirs" });
      j++;
    }
  }
  for (; i < own.length; i++) merged.push({ splice: own[i]!, by: "mine" });
  for (; j < other.length; j++) merged.push({ splice: other[j]!, by: "theirs" });
  return { merged, clashes };
}

/** Joins the insertions of one side at one point, and leaves out splices that change nothing. */
function joinInsertions(splices: readonly Splice[]): Splice[] {
  const joined: Splice[] = [];
  for (const splice of splices) {
    const last = joined.at(-1);
    if (isInsertion(splice) && splice.text === "") continue;
    if (last && isInsertion(last) && isInsertion(splice) && last.region.start === splice.region.start)
      joined[joined.length - 1] = { region: last.region, text: last.text + splice.text };
    else joined.push(splice);
  }
  return joined;
}

function isInsertion({ region }: Splice): boolean {
  return region.start === region.end;
}

function isEqual(a: Splice, b: Splice): boolean {
  return a.region.start === b.region.start && a.region.end === b.region.end && a.text === b.text;
}

function clash(a: Splice, b: Splice): boolean {
  return (
    overlap(a.region, b.region) || (isInsertion(a) && isInsertion(b) && a.region.start === b.region.start)
  );
}

function comesFirst(a: Splice, b: Splice): boolean {
  return a.region.end < b.region.end || (a.region.end === b.region.end && a.region.start <= b.region.start);
}
