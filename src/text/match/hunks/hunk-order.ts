import type { Hunk } from "../../model/hunk.ts";
import { type LineTable, textAt } from "../line-table.ts";
import type { LocatedHunks, PlacedHunk, SeveralMiss, Wanted } from "./located-hunk.ts";

/**
 * Chooses among several places of a hunk, if only one choice keeps the hunks in order. Failing that, only the places in
 * the section that the hunk's header names are considered.
 */
export function settleSeveral(
  table: LineTable,
  wanted: readonly Wanted[],
  found: readonly (PlacedHunk | SeveralMiss)[],
): LocatedHunks {
  const open = found.findIndex((one) => "why" in one);
  if (open < 0) return { ok: true, placed: found as readonly PlacedHunk[] };
  const choices = found.map((one, i) => choicesOf(wanted[i]!, one));
  const settled =
    settleOrder(choices) ??
    settleOrder(
      choices.map((places, i) =>
        places.length < 2 ? places : places.filter(({ line }) => isInSection(table, wanted[i]!.hunk, line)),
      ),
    );
  return settled ? { ok: true, placed: settled } : { ok: false, hunk: open, ...(found[open] as SeveralMiss) };
}

/** The possible places of a hunk; none where not all of them are known. */
function choicesOf({ hunk }: Wanted, one: PlacedHunk | SeveralMiss): readonly PlacedHunk[] {
  if (!("why" in one)) return [one];
  if (one.isRelaxed || one.places.length !== one.count) return [];
  return one.places.map((line) => ({ line, hunk, fit: "exact", dropped: 0 }));
}

/**
 * The only choice of places that keeps the hunks in order; null where there is none, or more than one. The choice is
 * unique if the earliest possible places are also the latest possible ones.
 */
function settleOrder(choices: readonly (readonly PlacedHunk[])[]): readonly PlacedHunk[] | null {
  if (choices.reduce((sum, places) => sum + places.length, 0) > mostChoices) return null;
  const first: PlacedHunk[] = [];
  for (const [i, places] of choices.entries()) {
    const place = places.find((each) => i === 0 || areApart(extentOf(first[i - 1]!), extentOf(each)));
    if (!place) return null;
    first.push(place);
  }
  let next: PlacedHunk | undefined;
  for (let i = choices.length - 1; i >= 0; i--) {
    const after = next;
    const place: PlacedHunk | undefined = choices[i]!.findLast(
      (each) => !after || areApart(extentOf(each), extentOf(after)),
    );
    if (place?.line !== first[i]!.line) return null;
    next = place;
  }
  return first;
}

/** With more choices than this, the hunks stay ambiguous: the work must stay small. */
const mostChoices = 200_000;

/** Whether the changes of one hunk are above those of the other, and neither changes lines that the other shows. */
function areApart(above: Extent, below: Extent): boolean {
  return below.line >= above.end && below.start >= above.oldEnd;
}

/** Whether the nearest line above that opens a section, as git sees it, is the one that the header names. */
function isInSection(table: LineTable, { section }: Hunk, line: number): boolean {
  if (section === undefined || !opensSection.test(section)) return false;
  for (let above = line - 1; above >= 0; above--) {
    const text = textAt(table, above);
    if (opensSection.test(text)) return text.startsWith(section);
  }
  return false;
}

const opensSection = /^[A-Za-z_$]/;

/**
 * The lines that a hunk changes, half-open: for an insertion, the line it goes before. `oldEnd` is behind the last line
 * that it shows.
 */
type Extent = {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly oldEnd: number;
};

export function extentOf({ line, hunk }: PlacedHunk): Extent {
  let at = line;
  let start = -1;
  let end = line;
  for (const { kind } of hunk.lines) {
    if (kind !== "context" && start < 0) start = at;
    if (kind !== "added") at++;
    if (kind !== "context") end = at;
  }
  return { line, start: start < 0 ? line : start, end, oldEnd: at };
}

/** Hunks with line numbers keep their order. No hunk changes lines that another shows. */
export function checkOrder(wanted: readonly Wanted[], located: LocatedHunks): LocatedHunks {
  if (!located.ok) return located;
  const extents = located.placed.map(extentOf);
  const order = extents.map((_, hunk) => hunk).sort((a, b) => extents[a]!.start - extents[b]!.start || a - b);
  for (let i = 1; i < order.length; i++) {
    const above = order[i - 1]!;
    const below = order[i]!;
    const areStated = wanted[above]!.hunk.line !== undefined && wanted[below]!.hunk.line !== undefined;
    if (areApart(extents[above]!, extents[below]!) && !(areStated && above > below)) continue;
    const [other, hunk] = [Math.min(above, below), Math.max(above, below)];
    return { ok: false, hunk, why: "order", line: located.placed[hunk]!.line, other };
  }
  return located;
}
