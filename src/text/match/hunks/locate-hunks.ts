import { hasBlobId } from "../../diff/blob-id.ts";
import type { Hunk, HunkLine } from "../../model/hunk.ts";
import { createFinder, LineIndex, type LineTable, lineKey } from "../line-table.ts";
import { hasWord } from "../line-words.ts";
import { checkOrder, extentOf, settleSeveral } from "./hunk-order.ts";
import type { HunkMiss, LocatedHunks, PlacedHunk, SeveralMiss, Wanted } from "./located-hunk.ts";
import { relaxHunk } from "./relax-hunk.ts";

export function wantedOf(hunk: Hunk): Wanted {
  const { lines } = hunk;
  let count = 0;
  for (const { kind } of lines) if (kind !== "added") count++;
  const keys = new Array<string>(count);
  const open = { old: false, new: false };
  count = 0;
  for (const { kind, text, noNewline } of lines) {
    if (kind !== "added") {
      keys[count++] = lineKey(text);
      open.old = noNewline === true;
    }
    if (kind !== "removed") open.new = noNewline === true;
  }
  return { hunk, keys, open };
}

type LocateOptions = {
  /** Also try relaxed matches for a hunk that matches nowhere. */
  readonly relax?: boolean;
};

/** Places hunks in order: each at its stated line, or else at the only place where it matches. */
export function locateAll(
  table: LineTable,
  wanted: readonly Wanted[],
  { relax = false }: LocateOptions = {},
): LocatedHunks {
  const search = openSearch(table, wanted);
  const placed: (PlacedHunk | SeveralMiss)[] = [];
  for (let i = 0; i < wanted.length; i++) {
    const want = wanted[i]!;
    search.run = i;
    const one = placeOne(table, want, search, relax);
    if ("why" in one && one.why !== "several") return { ok: false, hunk: i, ...one };
    placed.push(one);
    if ("why" in one) continue;
    if (!want.hunk.sure && repeats(table, one.hunk, one.line)) return { ok: false, hunk: i, why: "applied" };
    search.free = extentOf(one).end;
    if (want.hunk.line !== undefined) search.drift = one.line - one.dropped - statedLine(want);
  }
  return checkOrder(wanted, settleSeveral(table, wanted, placed));
}

function openSearch(table: LineTable, wanted: readonly Wanted[]): Search {
  return {
    run: 0,
    free: 0,
    drift: 0,
    find: createFinder(
      table,
      wanted.map(({ keys }) => keys),
    ),
    index: new LineIndex(table),
    isBase: createBaseCheck(table),
  };
}

function placeOne(table: LineTable, want: Wanted, search: Search, relax: boolean): PlacedHunk | HunkMiss {
  const { hunk } = want;
  const found = locateOne(table, want, search);
  if (typeof found === "number") return { line: found, hunk, fit: "exact", dropped: 0 };
  if (found.why !== "nowhere" || !relax) return found;
  const relaxed = relaxHunk(table, search.index, hunk);
  if (relaxed === null) return found;
  if ("several" in relaxed)
    return { why: "several", count: relaxed.several.length, places: relaxed.several, isRelaxed: true };
  const isHeld = reaches(table, wantedOf(relaxed.hunk), relaxed.line) && isBelow(relaxed, search);
  return isHeld && holdsEdge(table, hunk, relaxed) ? relaxed : found;
}

/** Whether the anchors of a hunk are above the place, in order. */
function isBelow({ hunk, line }: PlacedHunk, { index }: Search): boolean {
  let from = 0;
  for (const anchor of hunk.anchors ?? []) {
    const found = index.anchors(lineKey(anchor)).find((at) => at >= from && at <= line);
    if (found === undefined) return false;
    from = found + 1;
  }
  return true;
}

function holdsEdge(table: LineTable, hunk: Hunk, { hunk: cut, line }: PlacedHunk): boolean {
  const edge = claimedEdge(hunk);
  const length = cut.lines.filter(({ kind }) => kind !== "added").length;
  return edge === "end" ? line + length === table.count : edge !== "start" || line === 0;
}

function createBaseCheck(table: LineTable): (id: string | undefined) => boolean {
  const known = new Map<string, boolean>();
  return (id) => {
    if (id === undefined) return true;
    if (!known.has(id)) known.set(id, hasBlobId(table.text, id));
    return known.get(id)!;
  };
}

type Search = {
  readonly find: ReturnType<typeof createFinder>;
  readonly index: LineIndex;
  /** Whether the text is the one a hunk was made for, as far as the hunk says. */
  readonly isBase: (id: string | undefined) => boolean;
  /** Which hunk is being placed. */
  run: number;
  /** The first line behind the changes of the hunks before. */
  free: number;
  /** How many lines the previous hunk was placed from its stated line. */
  drift: number;
};

function locateOne(table: LineTable, want: Wanted, search: Search): number | HunkMiss {
  const { hunk, keys } = want;
  if (hunk.sure) return fits(table, want, statedLine(want)) ? statedLine(want) : { why: "nowhere" };
  if (hunk.whole) return keys.length === table.count && fits(table, want, 0) ? 0 : { why: "nowhere" };
  if (hunk.anchors?.length) return locateBelow(table, want, hunk.anchors, search);
  if (hunk.line !== undefined) return locateNear(table, want, search);
  if (keys.length === 0) return hunk.atEnd ? table.count : { why: "no-place" };
  const below = only(standing(table, want, search, { from: search.free }));
  // Hunks without line numbers may come in any order if each has one place only.
  const isNowhere = typeof below !== "number" && below.why === "nowhere";
  return isNowhere && search.free > 0 ? only(standing(table, want, search, { from: 0 })) : below;
}

/** Where the header says the old side begins, counted from 0; an insertion names the line above it. */
export function statedLine({ hunk, keys }: Wanted): number {
  return keys.length === 0 ? hunk.line! : Math.max(0, hunk.line! - 1);
}

function locateNear(table: LineTable, want: Wanted, search: Search): number | HunkMiss {
  const stated = statedLine(want) + search.drift;
  const bare = want.keys.length === 0;
  const isBase = search.isBase(want.hunk.base);
  if (bare && stated > 0 && !isBase) return { why: "stale" };
  // The line numbers of a patch for another text are not reliable.
  if ((isBase || bare) && fits(table, want, stated))
    return endsEarly(table, want, stated) ? only(standing(table, want, search, { from: 0 })) : stated;
  if (bare) return { why: "nowhere" };
  const edge = claimedEdge(want.hunk);
  const last = table.count - want.keys.length;
  return only(
    standing(table, want, search, {
      from: 0,
      holds: (line) => !(edge === "end" ? line < last : edge === "start" && line > 0),
    }),
  );
}

/**
 * Whether a hunk has context above its change but none below, and lines follow it all the same. Git and GNU patch take
 * such a hunk for one at the end of the file, so its line number does not choose between several places.
 */
function endsEarly(table: LineTable, { hunk, keys }: Wanted, line: number): boolean {
  const { lines, base } = hunk;
  const isOpen = lines[0]?.kind === "context" && lines.at(-1)?.kind !== "context";
  return isOpen && base === undefined && line + keys.length < table.count;
}

/**
 * The edge of the file at which a hunk must be, even if its line number is wrong. Git shows as many lines of context
 * below as above, so fewer on one side mean that the file begins or ends there. Where it is not known that git made the
 * hunk, this counts only with three lines on the other side.
 */
function claimedEdge({ lines, line, miscounted, base }: Hunk): "start" | "end" | null {
  if (miscounted) return null;
  const shown = base === undefined ? shownByGit : 1;
  const above = lines.findIndex(({ kind }) => kind !== "context");
  const below = lines.length - 1 - lines.findLastIndex(({ kind }) => kind !== "context");
  const bottom = lines.findLast(({ kind }) => kind !== "added")?.kind;
  if (below === 0 && above >= shown && (bottom === "context" || base !== undefined)) return "end";
  const top = lines.find(({ kind }) => kind !== "added")?.kind;
  const begins = above === 0 && below >= shown && (top === "context" || base !== undefined);
  return begins && (line ?? 0) <= 1 ? "start" : null;
}

/** How many lines of context git shows. */
const shownByGit = 3;

/** Places a hunk below its anchors, which must follow each other; of several places, takes the one in their block. */
function locateBelow(
  table: LineTable,
  want: Wanted,
  anchors: readonly string[],
  search: Search,
): number | HunkMiss {
  let from = search.free;
  let last: readonly number[] = [];
  for (const anchor of anchors) {
    const known = search.index.anchors(lineKey(anchor));
    last = known.slice(firstFrom(known, from), firstFrom(known, from) + anchorsTried);
    if (last.length === 0) return { why: "anchor", anchor };
    from = last[0]! + 1;
  }
  if (want.keys.length === 0) return only({ count: last.length, places: last.map((line) => line + 1) });
  const below = standing(table, want, search, { from });
  // Some writers repeat the anchor as the first line of the hunk.
  if (below.count === 0) return only(standing(table, want, search, { from: from - 1 }));
  if (below.count === 1) return below.places[0]!;
  if (last.length === anchorsTried) return only(below);
  const blocks = last.map((anchor) => ({ anchor, end: blockEnd(table, anchor, below.places.at(-1)!) }));
  const inside = below.places.filter((line) => blocks.some(({ anchor, end }) => line > anchor && line < end));
  return inside.length === 1 ? inside[0]! : only(below);
}

/** An anchor with more places than this does not identify a block. */
const anchorsTried = 64;

/** The index of the first line at or below `from`. */
function firstFrom(lines: readonly number[], from: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where the block that an anchor opens ends: at the first line not indented deeper. */
function blockEnd(table: LineTable, anchor: number, last: number): number {
  const depth = indentAt(table, anchor);
  for (let at = anchor + 1; at <= last; at++) {
    const indent = indentAt(table, at);
    if (indent >= 0 && indent <= depth) return at;
  }
  return last + 1;
}

/** How far a line is indented; -1 for a blank one. */
function indentAt(table: LineTable, line: number): number {
  const from = table.start(line);
  const end = table.end(line);
  let at = from;
  while (at < end && (table.text[at] === " " || table.text[at] === "\t")) at++;
  return at === end ? -1 : at - from;
}

type Candidates = { readonly count: number; readonly places: readonly number[] };

/** The first line to look at, and a condition that a line must meet. */
type SearchLimits = { readonly from: number; readonly holds?: (line: number) => boolean };

/** The places from a line on where the old side of the hunk matches, and its statements about the end of the text hold. */
function standing(
  table: LineTable,
  want: Wanted,
  search: Search,
  { from, holds = () => true }: SearchLimits,
): Candidates {
  const found = search.find(search.run);
  const below = found.places.slice(firstFrom(found.places, from));
  const places = below.filter((line) => reaches(table, want, line) && holds(line));
  return { count: found.more ? Math.max(2, places.length) : places.length, places };
}

function only({ count, places }: Candidates): number | HunkMiss {
  if (places.length === 0) return { why: "nowhere" };
  return count === 1 ? places[0]! : { why: "several", count, places };
}

function fits(table: LineTable, want: Wanted, line: number): boolean {
  return line <= table.count && table.hasLines(want.keys, line) && reaches(table, want, line);
}

/** Whether the hunk's statements about the end of the text are true if it is placed at a line. */
function reaches(table: LineTable, want: Wanted, line: number): boolean {
  const { hunk, keys, open } = want;
  const atEnd = line + keys.length === table.count;
  if (hunk.atEnd && !atEnd) return false;
  if (!open.old) return !open.new || atEnd;
  return atEnd && table.count > 0 && table.ending(table.count - 1) === "";
}

/**
 * Whether the text already has the lines that a hunk adds at its beginning or end. Such a hunk matches again after it was
 * applied, because no removed line and no context shows the difference.
 */
function repeats(table: LineTable, hunk: Hunk, line: number): boolean {
  const { lines } = hunk;
  if (lines[0]?.kind !== "added" && lines.at(-1)?.kind !== "added") return false;
  // Lines that the hunk removes are still there, so it was not applied.
  if (lines.some(({ kind }) => kind === "removed")) return false;
  const first = lines.findIndex(({ kind }) => kind !== "added");
  const last = lines.findLastIndex(({ kind }) => kind !== "added");
  if (first < 0 || !lines.some(({ kind }) => kind === "context")) return false;
  const old = lines.filter(({ kind }) => kind !== "added").length;
  const tail = lines.slice(last + 1);
  if (lines[last]!.kind === "context" && haveWord(tail) && table.hasLines(keysOf(tail), line + old))
    return true;
  const head = lines.slice(0, first);
  return (
    lines[first]!.kind === "context" && haveWord(head) && table.hasLines(keysOf(head), line - head.length)
  );
}

export function keysOf(lines: readonly HunkLine[]): string[] {
  return lines.map(({ text }) => lineKey(text));
}

function haveWord(lines: readonly HunkLine[]): boolean {
  return lines.some(({ text }) => hasWord(text));
}
