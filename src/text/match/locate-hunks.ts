import { hasBlobId } from "../diff/blob-id.ts";
import type { Hunk, HunkLine } from "../model/hunk.ts";
import { createAnchors, createFinder, type LineTable, lineKey } from "./line-table.ts";

/** A hunk with the lines it must find, as they are compared. */
export type Wanted = {
  readonly hunk: Hunk;
  readonly keys: readonly string[];
  /** Whether the last old line, and the last new one, has no newline. */
  readonly open: { readonly old: boolean; readonly new: boolean };
};

export function wantedOf(hunk: Hunk): Wanted {
  const keys: string[] = [];
  const open = { old: false, new: false };
  for (const { kind, text, noNewline } of hunk.lines) {
    if (kind !== "added") {
      keys.push(lineKey(text));
      open.old = noNewline === true;
    }
    if (kind !== "removed") open.new = noNewline === true;
  }
  return { hunk, keys, open };
}

/** The line of each hunk, from 0; or the first hunk that has none, and why. */
export type LocatedHunks =
  | { readonly ok: true; readonly lines: readonly number[] }
  | ({ readonly ok: false; readonly hunk: number } & HunkMiss);
type HunkMiss =
  | { readonly why: "nowhere" | "no-place" | "applied" | "stale" }
  | { readonly why: "anchor"; readonly anchor: string }
  | { readonly why: "several"; readonly count: number; readonly places: readonly number[] }
  | { readonly why: "order"; readonly line: number };

/** Places hunks one after the other, each where it says or where alone it can be. */
export function locateAll(table: LineTable, wanted: readonly Wanted[]): LocatedHunks {
  const search: Search = {
    run: 0,
    free: 0,
    drift: 0,
    find: createFinder(
      table,
      wanted.map(({ keys }) => keys),
    ),
    anchors: createAnchors(table),
    isBase: createBaseCheck(table),
  };
  const lines: number[] = [];
  for (const [i, want] of wanted.entries()) {
    search.run = i;
    const placed = locateOne(table, want, search);
    if (typeof placed !== "number") return { ok: false, hunk: i, ...placed };
    if (placed < search.free) return { ok: false, hunk: i, why: "order", line: placed };
    if (repeats(table, want.hunk, placed)) return { ok: false, hunk: i, why: "applied" };
    lines.push(placed);
    search.free = placed + want.keys.length;
    if (want.hunk.line !== undefined) search.drift = placed - statedLine(want);
  }
  return { ok: true, lines };
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
  readonly anchors: ReturnType<typeof createAnchors>;
  /** Whether the text is the one a hunk was made for, as far as the hunk says. */
  readonly isBase: (id: string | undefined) => boolean;
  /** Which hunk is being placed. */
  run: number;
  /** The first line that no hunk before has taken. */
  free: number;
  /** How far the hunk before stood from its stated line. */
  drift: number;
};

function locateOne(table: LineTable, want: Wanted, search: Search): number | HunkMiss {
  const { hunk, keys } = want;
  if (hunk.whole) return keys.length === table.count && fits(table, want, 0) ? 0 : { why: "nowhere" };
  if (hunk.anchors?.length) return locateBelow(table, want, hunk.anchors, search);
  if (hunk.line !== undefined) return locateNear(table, want, search);
  if (keys.length === 0) return hunk.atEnd ? table.count : { why: "no-place" };
  return only(standing(table, want, search, { from: search.free }));
}

/** Where the header says the old side begins, counted from 0; an insertion names the line above it. */
export function statedLine({ hunk, keys }: Wanted): number {
  return keys.length === 0 ? hunk.line! : Math.max(0, hunk.line! - 1);
}

function locateNear(table: LineTable, want: Wanted, search: Search): number | HunkMiss {
  const stated = statedLine(want) + search.drift;
  const bare = want.keys.length === 0;
  if (bare && stated > 0 && !search.isBase(want.hunk.base)) return { why: "stale" };
  if (fits(table, want, stated)) return stated;
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
 * Where a hunk that is not where it says must still be: lines added behind or before three lines of context, and
 * nothing else, say that the file ends or begins there.
 */
function claimedEdge({ lines, line, miscounted }: Hunk): "start" | "end" | null {
  const first = lines.findIndex(({ kind }) => kind !== "context");
  const last = lines.findLastIndex(({ kind }) => kind !== "context");
  const top = lines.find(({ kind }) => kind !== "added")?.kind;
  const bottom = lines.findLast(({ kind }) => kind !== "added")?.kind;
  if (miscounted) return null;
  if (last === lines.length - 1 && bottom === "context" && first >= shown) return "end";
  const begins = first === 0 && top === "context" && lines.length - 1 - last >= shown;
  return begins && (line ?? 0) <= 1 ? "start" : null;
}

/** How many lines of context git shows. */
const shown = 3;

/** Below its anchors, which stand above one another in order; among several places, the one in their block. */
function locateBelow(
  table: LineTable,
  want: Wanted,
  anchors: readonly string[],
  search: Search,
): number | HunkMiss {
  let from = search.free;
  let last: readonly number[] = [];
  for (const anchor of anchors) {
    const known = search.anchors(lineKey(anchor));
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

/** An anchor that stands more often than this tells no block from another. */
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

/** The places from a line on where the old side of the hunk stands and its other statements hold. */
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
  return line <= table.count && table.stands(want.keys, line) && reaches(table, want, line);
}

/** Whether the hunk is right about the end of the text, if it stands there. */
function reaches(table: LineTable, want: Wanted, line: number): boolean {
  const { hunk, keys, open } = want;
  const atEnd = line + keys.length === table.count;
  if (hunk.atEnd && !atEnd) return false;
  if (!open.old) return !open.new || atEnd;
  return atEnd && table.count > 0 && table.ending(table.count - 1) === "";
}

/**
 * Whether lines that a hunk adds at its open edge are there already. Only a hunk that ends or begins with added
 * lines beside context can be applied twice without anything else showing it.
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
  if (lines[last]!.kind === "context" && says(tail) && table.stands(keysOf(tail), line + old)) return true;
  const head = lines.slice(0, first);
  return lines[first]!.kind === "context" && says(head) && table.stands(keysOf(head), line - head.length);
}

export function keysOf(lines: readonly HunkLine[]): string[] {
  return lines.map(({ text }) => lineKey(text));
}

/** Blank lines and closing brackets repeat by nature and prove nothing. */
function says(lines: readonly HunkLine[]): boolean {
  return lines.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
}
