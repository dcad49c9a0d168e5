import { overlap, type Region } from "../model/region.ts";
import { applySplices, createOffsetMap, type Splice } from "../model/splice.ts";
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

/**
 * Carries splices across another change of their text where they clash: what the text has become there is replaced, and
 * with it whatever the other change wrote in the same place.
 */
export function rebaseOver(base: string, splices: readonly Splice[], over: readonly Splice[]): Splice[] {
  const groups: { region: Region; own: Splice[]; met: Splice[] }[] = [];
  const changes = ({ region, text }: Splice): boolean => region.start < region.end || text !== "";
  let next = 0;
  for (const splice of splices.filter(changes)) {
    let group = groups.at(-1);
    if (group && splice.region.start < group.region.end) {
      group.region = union(group.region, splice.region);
      group.own.push(splice);
    } else groups.push((group = { region: splice.region, own: [splice], met: [] }));
    for (; next < over.length && over[next]!.region.start <= group.region.end; next++) {
      const { region } = over[next]!;
      if (!changes(over[next]!)) continue;
      if (!overlap(region, group.region) && !isSame(region, group.region)) {
        if (region.start === group.region.end) break;
        continue;
      }
      group.region = union(group.region, region);
      group.met.push(over[next]!);
    }
  }
  const map = createOffsetMap(over);
  return groups.map(({ region, own, met }) => {
    const isStart = met.some((other) => other.region.start === region.start);
    const isEnd = met.some((other) => other.region.end === region.end);
    const start = map(region.start, isStart ? "before" : "after");
    const end = region.start === region.end && !isEnd ? start : map(region.end, isEnd ? "after" : "before");
    return { region: { start, end }, text: textAfter(base, region, own) };
  });
}

function isSame(a: Region, b: Region): boolean {
  return a.start === b.start && a.end === b.end;
}

function union(a: Region, b: Region): Region {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** A region of a text after the splices inside it. */
function textAfter(base: string, { start, end }: Region, splices: readonly Splice[]): string {
  const moved = splices.map(({ region, text }) => ({
    region: { start: region.start - start, end: region.end - start },
    text,
  }));
  return applySplices(base.slice(start, end), moved);
}
