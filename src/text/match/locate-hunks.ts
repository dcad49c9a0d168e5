import { hasBlobId } from "../diff/blob-id.ts";
import type { Hunk, HunkLine } from "../model/hunk.ts";
import { createAnchors, createFinder, lineKey, type Page } from "./line-table.ts";

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
export type Located =
  | { readonly ok: true; readonly lines: readonly number[] }
  | ({ readonly ok: false; readonly hunk: number } & Miss);
type Miss =
  | { readonly why: "nowhere" | "no-place" | "applied" | "stale" }
  | { readonly why: "anchor"; readonly anchor: string }
  | { readonly why: "several"; readonly count: number; readonly places: readonly number[] }
  | { readonly why: "order"; readonly line: number };

/** Places hunks one after the other, each where it says or where alone it can be. */
export function locateAll(page: Page, wanted: readonly Wanted[]): Located {
  const search: Search = {
    run: 0,
    free: 0,
    drift: 0,
    find: createFinder(
      page,
      wanted.map(({ keys }) => keys),
    ),
    anchors: createAnchors(page),
    isBase: createBaseCheck(page),
  };
  const lines: number[] = [];
  for (const [i, want] of wanted.entries()) {
    search.run = i;
    const placed = locateOne(page, want, search);
    if (typeof placed !== "number") return { ok: false, hunk: i, ...placed };
    if (placed < search.free) return { ok: false, hunk: i, why: "order", line: placed };
    if (repeats(page, want.hunk, placed)) return { ok: false, hunk: i, why: "applied" };
    lines.push(placed);
    search.free = placed + want.keys.length;
    if (want.hunk.line !== undefined) search.drift = placed - statedLine(want);
  }
  return { ok: true, lines };
}

function createBaseCheck(page: Page): (id: string | undefined) => boolean {
  const known = new Map<string, boolean>();
  return (id) => {
    if (id === undefined) return true;
    if (!known.has(id)) known.set(id, hasBlobId(page.text, id));
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

function locateOne(page: Page, want: Wanted, search: Search): number | Miss {
  const { hunk, keys } = want;
  if (hunk.whole) return keys.length === page.count && fits(page, want, 0) ? 0 : { why: "nowhere" };
  if (hunk.anchors?.length) return locateBelow(page, want, hunk.anchors, search);
  if (hunk.line !== undefined) return locateNear(page, want, search);
  if (keys.length === 0) return hunk.atEnd ? page.count : { why: "no-place" };
  return only(standing(page, want, search, search.free));
}

/** Where the header says the old side begins, counted from 0; an insertion names the line above it. */
export function statedLine({ hunk, keys }: Wanted): number {
  return keys.length === 0 ? hunk.line! : Math.max(0, hunk.line! - 1);
}

function locateNear(page: Page, want: Wanted, search: Search): number | Miss {
  const stated = statedLine(want) + search.drift;
  const bare = want.keys.length === 0;
  if (bare && stated > 0 && !search.isBase(want.hunk.base)) return { why: "stale" };
  if (fits(page, want, stated)) return stated;
  if (bare) return { why: "nowhere" };
  const edge = claimedEdge(want.hunk);
  const last = page.count - want.keys.length;
  return only(
    standing(page, want, search, 0, (line) => !(edge === "end" ? line < last : edge === "start" && line > 0)),
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
function locateBelow(page: Page, want: Wanted, anchors: readonly string[], search: Search): number | Miss {
  let from = search.free;
  let last: readonly number[] = [];
  for (const anchor of anchors) {
    const known = search.anchors(lineKey(anchor));
    last = known.slice(firstFrom(known, from), firstFrom(known, from) + anchorsTried);
    if (last.length === 0) return { why: "anchor", anchor };
    from = last[0]! + 1;
  }
  if (want.keys.length === 0) return only({ count: last.length, places: last.map((line) => line + 1) });
  const below = standing(page, want, search, from);
  // Some writers repeat the anchor as the first line of the hunk.
  if (below.count === 0) return only(standing(page, want, search, from - 1));
  if (below.count === 1) return below.places[0]!;
  if (last.length === anchorsTried) return only(below);
  const blocks = last.map((anchor) => ({ anchor, end: blockEnd(page, anchor, below.places.at(-1)!) }));
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
function blockEnd(page: Page, anchor: number, last: number): number {
  const depth = indentAt(page, anchor);
  for (let at = anchor + 1; at <= last; at++) {
    const indent = indentAt(page, at);
    if (indent >= 0 && indent <= depth) return at;
  }
  return last + 1;
}

/** How far a line is indented; -1 for a blank one. */
function indentAt(page: Page, line: number): number {
  const from = page.start(line);
  const end = page.end(line);
  let at = from;
  while (at < end && (page.text[at] === " " || page.text[at] === "\t")) at++;
  return at === end ? -1 : at - from;
}

type Candidates = { readonly count: number; readonly places: readonly number[] };

/** The places from a line on where the old side stands and everything else the hunk says holds too. */
function standing(
  page: Page,
  want: Wanted,
  search: Search,
  from: number,
  holds: (line: number) => boolean = () => true,
): Candidates {
  const found = search.find(search.run);
  const below = found.places.slice(firstFrom(found.places, from));
  const places = below.filter((line) => reaches(page, want, line) && holds(line));
  return { count: found.more ? Math.max(2, places.length) : places.length, places };
}

function only({ count, places }: Candidates): number | Miss {
  if (places.length === 0) return { why: "nowhere" };
  return count === 1 ? places[0]! : { why: "several", count, places };
}

function fits(page: Page, want: Wanted, line: number): boolean {
  return line <= page.count && page.stands(want.keys, line) && reaches(page, want, line);
}

/** Whether what the hunk says about the end of the text is so, if it stands there. */
function reaches(page: Page, want: Wanted, line: number): boolean {
  const { hunk, keys, open } = want;
  const atEnd = line + keys.length === page.count;
  if (hunk.atEnd && !atEnd) return false;
  if (!open.old) return !open.new || atEnd;
  return atEnd && page.count > 0 && page.ending(page.count - 1) === "";
}

/**
 * Whether lines that a hunk adds at its open edge are there already. Only a hunk that ends or begins with added
 * lines beside context can be applied twice without anything else showing it.
 */
function repeats(page: Page, hunk: Hunk, line: number): boolean {
  const { lines } = hunk;
  if (lines[0]?.kind !== "added" && lines.at(-1)?.kind !== "added") return false;
  const first = lines.findIndex(({ kind }) => kind !== "added");
  const last = lines.findLastIndex(({ kind }) => kind !== "added");
  if (first < 0 || !lines.some(({ kind }) => kind === "context")) return false;
  const old = lines.filter(({ kind }) => kind !== "added").length;
  const tail = lines.slice(last + 1);
  if (lines[last]!.kind === "context" && says(tail) && page.stands(keysOf(tail), line + old)) return true;
  const head = lines.slice(0, first);
  return lines[first]!.kind === "context" && says(head) && page.stands(keysOf(head), line - head.length);
}

export function keysOf(lines: readonly HunkLine[]): string[] {
  return lines.map(({ text }) => lineKey(text));
}

/** Blank lines and closing brackets repeat by nature and prove nothing. */
function says(lines: readonly HunkLine[]): boolean {
  return lines.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
}
