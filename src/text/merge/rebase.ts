import type { Splice } from "../model/splice.ts";
import { type Clash, interleaveSplices } from "./merge-splices.ts";

export type Rebased =
  | { readonly ok: true; readonly splices: Splice[] }
  | { readonly ok: false; readonly conflicts: Clash[] };

/**
 * Carries splices made on a text across another change of that text, or names the pairs that clash (`interleaveSplices` says
 * when). Splices that the other change made already are dropped. Both ways round lead to the same text:
 * `over` then `rebase(splices, over)` equals `splices` then `rebase(over, splices)`.
 */
export function rebase(splices: readonly Splice[], over: readonly Splice[]): Rebased {
  const { merged, clashes } = interleaveSplices(splices, over);
  if (clashes.length > 0) return { ok: false, conflicts: clashes };
  const carried: Splice[] = [];
  let shift = 0;
  for (const { splice, by } of merged) {
    const { start, end } = splice.region;
    if (by === "mine")
      carried.push({ region: { start: start + shift, end: end + shift }, text: splice.text });
    else shift += splice.text.length - (end - start);
  }
  return { ok: true, splices: carried };
}
