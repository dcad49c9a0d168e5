import { compareTexts } from "../../diff/compare.ts";
import { mergeCleanly } from "../../merge/merge.ts";
import { type Fit, fits } from "../../model/edit.ts";
import type { Hunk, HunkLine } from "../../model/hunk.ts";
import { accept, type Outcome, type Refusal, refuse } from "../../model/outcome.ts";
import type { Note } from "../../model/plan.ts";
import { applySplices, type Splice } from "../../model/splice.ts";
import { tooMany } from "../../patch/limits.ts";
import { LineTable, lineKey } from "../line-table.ts";
import { explainHunk } from "./hunk-refusal.ts";
import { locateAll, statedLine, wantedOf } from "./locate-hunks.ts";
import type { LocatedHunks, PlacedHunk, Wanted } from "./located-hunk.ts";
import { locateReversed } from "./reversed-hunks.ts";
import { spliceHunks } from "./splice-hunks.ts";

/** Where hunks go, how strictly they matched, and the notes for the caller. */
export type PlacedHunks = {
  readonly splices: readonly Splice[];
  readonly notes: readonly Note[];
  readonly fit: Fit;
};

export type PlaceOptions = {
  /** `exact`: only line endings and line numbers may differ. By default further steps are taken where one place fits. */
  readonly fit?: "exact" | undefined;
  /** The text that the hunks were made for, where it is known and is not this one. */
  readonly base?: string | undefined;
};

/**
 * Finds where the hunks of one text belong, and the splices they make there. A hunk goes to the first of these places:
 * - its stated line, moved by as much as the hunk before it, if its old side matches there;
 * - the only place where its old side matches;
 * - the only place where it matches with other white space, or without up to two outer lines of context.
 * Else all hunks are merged from the text they were made for, if that is known; else all are refused. A stated line
 * counts only for the text that the hunk names. Hunks never overlap; a patch that is already applied is refused.
 */
export function placeHunks(
  text: string,
  hunks: readonly Hunk[],
  options: PlaceOptions = {},
): Outcome<PlacedHunks> {
  const many = tooMany(hunks.length, "hunks");
  if (many) return many;
  const placed = placeInOrder(text, hunks, { relax: options.fit !== "exact" });
  if (placed.ok || options.base === undefined || !isMisplaced(placed.refusal)) return placed;
  return mergeHunks(text, hunks, options.base) ?? placed;
}

type Relax = { readonly relax: boolean };

/** Places hunks in the given order; if that fails and all hunks have line numbers, in the order of these. */
function placeInOrder(text: string, hunks: readonly Hunk[], options: Relax): Outcome<PlacedHunks> {
  const placed = placeAll(text, hunks, options);
  const isDisordered = !placed.ok && placed.refusal.code === "overlap";
  if (!isDisordered || hunks.some(({ line }) => line === undefined)) return placed;
  const sorted = hunks.toSorted((a, b) => a.line! - b.line!);
  const again = placeAll(text, sorted, options);
  return again.ok ? again : placed;
}

function placeAll(text: string, hunks: readonly Hunk[], { relax }: Relax): Outcome<PlacedHunks> {
  const table = new LineTable(text, lineFeed(text, hunks));
  const wanted = hunks.map(wantedOf);
  const located = locateAll(table, wanted, { relax });
  if (!located.ok)
    return appliedBefore(table, hunks, located)
      ? already
      : explainAll(table, wanted, { first: located, relax });
  const splices = spliceHunks(table, located.placed, spellsEndings(hunks));
  const real = splices.filter(({ region, text: now }) => text.slice(region.start, region.end) !== now);
  if (real.length === 0 && !hunks.some(({ whole }) => whole))
    return refuse({ code: "no-change", why: splices.length === 0 ? "nothing-asked" : "same-text" });
  const fit = loosest(located.placed.map((each) => each.fit));
  return accept({ splices: real, notes: notesOf(wanted, located.placed), fit });
}

type UnplacedHunk = LocatedHunks & { readonly ok: false };

/** The refusal of the first hunk that has no place, and of those that have none even without it. */
function explainAll(
  table: LineTable,
  wanted: readonly Wanted[],
  { first, relax }: Relax & { readonly first: UnplacedHunk },
): { ok: false; refusal: Refusal } {
  const refusals: Refusal[] = [];
  let left = wanted.map((want, hunk) => ({ want, hunk }));
  for (let miss: LocatedHunks = first; !miss.ok && left.length > 0; ) {
    const { hunk } = left[miss.hunk]!;
    const other = miss.why === "order" ? { other: left[miss.other]!.hunk } : {};
    const { refusal } = explainHunk(table, wanted, { ...miss, ...other, hunk });
    refusals.push({ ...refusal, hunk });
    if (miss.why === "order" || refusals.length === mostMisses) break;
    left = left.filter((each) => each.hunk !== hunk);
    miss = locateAll(
      table,
      left.map(({ want }) => want),
      { relax },
    );
  }
  const [one, ...others] = refusals;
  return refuse(others.length > 0 ? { ...one!, others } : one!);
}

const mostMisses = 8;

/** The loosest of some fits. */
export function loosest(all: readonly Fit[]): Fit {
  return fits.findLast((fit) => all.includes(fit)) ?? "exact";
}

function isMisplaced({ code }: Refusal): boolean {
  return code === "not-found" || code === "ambiguous" || code === "stale" || code === "overlap";
}

/** The change that hunks make in the text they were made for, merged into another version of it. */
function mergeHunks(text: string, hunks: readonly Hunk[], base: string): Outcome<PlacedHunks> | null {
  const made = placeInOrder(base, hunks, { relax: false });
  if (!made.ok) return null;
  const merged = mergeCleanly(base, text, applySplices(base, made.value.splices));
  if (merged === null) return null;
  const splices = compareTexts(text, merged);
  if (splices.length === 0) return already;
  return accept({ splices, notes: made.value.notes, fit: "merge" });
}

/** Whether the hunks are already applied: every new side is at its place. */
function appliedBefore(table: LineTable, hunks: readonly Hunk[], miss: UnplacedHunk): boolean {
  return (miss.why === "nowhere" || miss.why === "applied") && locateReversed(table, hunks).ok;
}

/** Whether any line of the patch ends with CR, so that those that do not mean LF; asked only where in doubt. */
function spellsEndings(hunks: readonly Hunk[]): () => boolean {
  let known: boolean | undefined;
  return () => {
    known ??= hunks.some(({ lines }) => lines.some((line) => line.text.endsWith("\r")));
    return known;
  };
}

const already = refuse({ code: "no-change", why: "already-applied" });

/** The line ending: LF; in a text without any LF, CR, unless the hunks themselves treat CR as data. */
function lineFeed(text: string, hunks: readonly Hunk[]): "\n" | "\r" {
  if (text.includes("\n") || !text.includes("\r")) return "\n";
  const isData = ({ text: line, noNewline }: HunkLine): boolean =>
    (noNewline ? line : lineKey(line)).includes("\r");
  return hunks.some(({ lines }) => lines.some(isData)) ? "\n" : "\r";
}

function notesOf(wanted: readonly Wanted[], placed: readonly PlacedHunk[]): Note[] {
  return wanted.flatMap((want, hunk): Note[] => {
    const { line, miscounted } = want.hunk;
    const { line: actual, dropped } = placed[hunk]!;
    const notes: Note[] = [];
    const moved = line === undefined ? 0 : actual - dropped - statedLine(want);
    if (moved !== 0) notes.push({ note: "offset", hunk, stated: line!, actual: line! + moved });
    if (miscounted)
      notes.push({ note: "miscounted", hunk, statedOld: miscounted.old, statedNew: miscounted.new });
    return notes;
  });
}
