import { explainMiss } from "./explain.ts";
import type { Hunk, HunkLine } from "./hunk.ts";
import { nearestName } from "./near.ts";
import { accept, type Outcome, type Passage, type Place, type Refusal, refuse } from "./outcome.ts";
import { createAnchors, createFinder, lineKey, openPage, type Page } from "./page.ts";
import { tooMany } from "./patch-limits.ts";
import type { Note } from "./plan.ts";
import type { Splice } from "./splice.ts";
import { spliceHunk } from "./splice-hunk.ts";

/**
 * Finds where hunks that all speak of one text belong, and what they do there. A hunk goes to its stated line,
 * moved by as much as the one before it, if its old side stands there; else to the only place where it stands;
 * else all are refused. Hunks keep their order and never overlap; a patch that is already applied is refused.
 */
export function placeHunks(
  text: string,
  hunks: readonly Hunk[],
): Outcome<{ splices: readonly Splice[]; notes: readonly Note[] }> {
  const many = tooMany(hunks.length, "hunks");
  if (many) return many;
  const page = openPage(text);
  const wanted = hunks.map(sidesOf);
  const located = locateAll(page, wanted);
  if (!located.ok) return appliedBefore(page, hunks, located) ? already : explain(page, wanted, located);
  const spelled = hunks.some(({ lines }) => lines.some((line) => line.text.endsWith("\r")));
  const splices = located.lines.flatMap((line, i) => spliceHunk(page, hunks[i]!, line, spelled));
  const real = splices.filter(({ region, text: now }) => text.slice(region.start, region.end) !== now);
  if (real.length === 0 && !hunks.some(({ whole }) => whole))
    return refuse({ code: "no-change", why: splices.length === 0 ? "nothing-asked" : "same-text" });
  return accept({ splices: real, notes: notesOf(wanted, located.lines) });
}

const already = refuse({ code: "no-change", why: "already-applied" });

/** A hunk with its two sides as they are compared. */
type Wanted = { readonly hunk: Hunk; readonly old: Side; readonly new: Side };
type Side = { readonly keys: readonly string[]; readonly open: boolean };

function sidesOf(hunk: Hunk): Wanted {
  return { hunk, old: sideOf(hunk, "added"), new: sideOf(hunk, "removed") };
}

function sideOf({ lines }: Hunk, without: HunkLine["kind"]): Side {
  const own = lines.filter(({ kind }) => kind !== without);
  return { keys: own.map(({ text }) => lineKey(text)), open: own.at(-1)?.noNewline === true };
}

type Located =
  | { readonly ok: true; readonly lines: readonly number[] }
  | ({ readonly ok: false; readonly hunk: number } & Miss);
type Miss =
  | { readonly why: "nowhere" | "no-place" | "applied" }
  | { readonly why: "anchor"; readonly anchor: string }
  | { readonly why: "several"; readonly count: number; readonly places: readonly number[] }
  | { readonly why: "order"; readonly line: number };

function locateAll(page: Page, wanted: readonly Wanted[]): Located {
  const search = {
    find: createFinder(
      page,
      wanted.map(({ old }) => old.keys),
    ),
    anchors: createAnchors(page),
  };
  const lines: number[] = [];
  let free = 0;
  let drift = 0;
  for (const [i, want] of wanted.entries()) {
    const placed = locateOne(page, want, { ...search, run: i, free, drift });
    if (typeof placed !== "number") return { ok: false, hunk: i, ...placed };
    if (placed < free) return { ok: false, hunk: i, why: "order", line: placed };
    if (repeats(page, want.hunk, placed)) return { ok: false, hunk: i, why: "applied" };
    lines.push(placed);
    free = placed + want.old.keys.length;
    if (want.hunk.line !== undefined) drift = placed - statedLine(want);
  }
  return { ok: true, lines };
}

type Search = {
  readonly find: ReturnType<typeof createFinder>;
  readonly anchors: ReturnType<typeof createAnchors>;
  readonly run: number;
  /** The first line that no hunk before has taken. */
  readonly free: number;
  /** How far the hunk before stood from its stated line. */
  readonly drift: number;
};

function locateOne(page: Page, want: Wanted, search: Search): number | Miss {
  const { hunk, old } = want;
  if (hunk.whole) return old.keys.length === page.count && fits(page, want, 0) ? 0 : { why: "nowhere" };
  if (hunk.anchors?.length) return locateBelow(page, want, hunk.anchors, search);
  if (hunk.line !== undefined) return locateNear(page, want, search);
  if (old.keys.length === 0) return hunk.atEnd ? page.count : { why: "no-place" };
  return only(standing(page, want, search, search.free));
}

/** Where the header says the old side begins, counted from 0; an insertion names the line above it. */
function statedLine({ hunk, old }: Wanted): number {
  return old.keys.length === 0 ? hunk.line! : Math.max(0, hunk.line! - 1);
}

function locateNear(page: Page, want: Wanted, search: Search): number | Miss {
  const stated = statedLine(want) + search.drift;
  if (fits(page, want, stated)) return stated;
  if (want.old.keys.length === 0) return { why: "nowhere" };
  return only(standing(page, want, search, 0));
}

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
  if (want.old.keys.length === 0) return only({ count: last.length, places: last.map((line) => line + 1) });
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
  while (at < end && (page.lines.text[at] === " " || page.lines.text[at] === "\t")) at++;
  return at === end ? -1 : at - from;
}

type Candidates = { readonly count: number; readonly places: readonly number[] };

function standing(page: Page, want: Wanted, search: Search, from: number): Candidates {
  const found = search.find(search.run);
  const below = found.places.slice(firstFrom(found.places, from));
  const places = below.filter((line) => reaches(page, want, line));
  return { count: found.more ? Math.max(2, places.length) : places.length, places };
}

function only({ count, places }: Candidates): number | Miss {
  if (count === 0) return { why: "nowhere" };
  return count === 1 ? places[0]! : { why: "several", count, places };
}

function fits(page: Page, want: Wanted, line: number): boolean {
  return line <= page.count && page.stands(want.old.keys, line) && reaches(page, want, line);
}

/** Whether what the hunk says about the end of the text is so, if it stands there. */
function reaches(page: Page, want: Wanted, line: number): boolean {
  const { hunk, old } = want;
  const atEnd = line + old.keys.length === page.count;
  if (hunk.atEnd && !atEnd) return false;
  if (!old.open) return !want.new.open || atEnd;
  return atEnd && page.count > 0 && page.ending(page.count - 1) === "";
}

/**
 * Whether lines that a hunk adds at its open edge are there already. Only a hunk that ends or begins with added
 * lines beside context can be applied twice without anything else showing it.
 */
function repeats(page: Page, hunk: Hunk, line: number): boolean {
  const { lines } = hunk;
  const first = lines.findIndex(({ kind }) => kind !== "added");
  const last = lines.findLastIndex(({ kind }) => kind !== "added");
  if (first < 0 || !lines.some(({ kind }) => kind === "context")) return false;
  const old = lines.filter(({ kind }) => kind !== "added").length;
  const tail = lines.slice(last + 1);
  if (lines[last]!.kind === "context" && says(tail) && page.stands(keysOf(tail), line + old)) return true;
  const head = lines.slice(0, first);
  return lines[first]!.kind === "context" && says(head) && page.stands(keysOf(head), line - head.length);
}

function keysOf(lines: readonly HunkLine[]): string[] {
  return lines.map(({ text }) => lineKey(text));
}

/** Blank lines and closing brackets repeat by nature and prove nothing. */
function says(lines: readonly HunkLine[]): boolean {
  return lines.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

/** Whether the text already is what the hunks would make of it: every new side stands where it should. */
function appliedBefore(page: Page, hunks: readonly Hunk[], miss: Located & { ok: false }): boolean {
  return (miss.why === "nowhere" || miss.why === "applied") && locateReversed(page, hunks).ok;
}

function locateReversed(page: Page, hunks: readonly Hunk[]): Located {
  if (!hunks.every(leavesTrace)) return { ok: false, hunk: 0, why: "nowhere" };
  return locateAll(page, hunks.map(reverse).map(sidesOf));
}

/** Whether the new side shows that a hunk was applied: by what it added, or by lines that have closed ranks. */
function leavesTrace({ lines }: Hunk): boolean {
  const first = lines.findIndex(({ kind }) => kind !== "context");
  const last = lines.findLastIndex(({ kind }) => kind !== "context");
  const added = lines.some(({ kind }) => kind === "added");
  return added || (first > 0 && last < lines.length - 1);
}

const otherSide = { context: "context", removed: "added", added: "removed" } as const;

function reverse({ line, newLine, ...hunk }: Hunk): Hunk {
  const lines = hunk.lines.map((each) => ({ ...each, kind: otherSide[each.kind] }));
  return { ...hunk, lines, ...(line === undefined ? {} : { line: newLine ?? line }) };
}

function explain(
  page: Page,
  wanted: readonly Wanted[],
  miss: Located & { ok: false },
): { ok: false; refusal: Refusal } {
  const want = wanted[miss.hunk]!;
  const detail = `hunk ${miss.hunk + 1}`;
  if (miss.why === "several")
    return refuse({
      code: "ambiguous",
      count: miss.count,
      places: miss.places.slice(0, placesShown).map(placeOn(page)),
    });
  if (miss.why === "order") {
    const region = { start: page.start(miss.line), end: page.start(miss.line + want.old.keys.length) };
    return refuse({ code: "overlap", other: miss.hunk - 1, region });
  }
  if (miss.why === "anchor") return refuse({ code: "not-found", what: "anchor", detail: miss.anchor });
  if (miss.why === "no-place")
    return refuse({
      code: "malformed",
      what: `${detail} adds lines without saying where`,
      line: want.hunk.source,
    });
  if (miss.why === "applied" || locateReversed(page, [want.hunk]).ok)
    return refuse({ code: "not-found", what: "hunk", cause: "already-applied", detail });
  const { nearest, cause } = explainMiss(page.lines.text, want.old.keys.join("\n"), want.new.keys.join("\n"));
  const shown = nearest.length > 0 ? nearest : passagesAt(page, want);
  return refuse({ code: "not-found", what: "hunk", ...(cause ? { cause } : {}), nearest: shown, detail });
}

/** What stands where the header points, when nothing in the text resembles the hunk. */
function passagesAt(page: Page, want: Wanted): Passage[] {
  if (want.hunk.line === undefined || want.old.keys.length === 0 || page.count === 0) return [];
  const first = Math.min(statedLine(want), page.count - 1);
  const differing = want.old.keys.findIndex((key, i) => !page.stands([key], first + i));
  const line = Math.min(first + Math.max(0, differing), page.count - 1);
  const found = page.lines.text.slice(page.start(line), page.end(line)).slice(0, longestShown);
  const expected = want.old.keys[Math.max(0, differing)]!.slice(0, longestShown);
  const at = { startLine: line + 1, endLine: line + 1, differsAt: line + 1 };
  return [{ ...at, text: found, expected, found, difference: "several-lines" }];
}

const longestShown = 500;

const placesShown = 12;

function placeOn(page: Page): (line: number) => Place {
  return (line) => {
    const near = nearestName(page.lines.text, page.start(line));
    return near === undefined ? { line: line + 1 } : { line: line + 1, near };
  };
}

function notesOf(wanted: readonly Wanted[], lines: readonly number[]): Note[] {
  return wanted.flatMap((want, hunk): Note[] => {
    const { line, miscounted } = want.hunk;
    const notes: Note[] = [];
    const moved = line === undefined ? 0 : lines[hunk]! - statedLine(want);
    if (moved !== 0) notes.push({ note: "offset", hunk, stated: line!, actual: line! + moved });
    if (miscounted)
      notes.push({ note: "miscounted", hunk, statedOld: miscounted.old, statedNew: miscounted.new });
    return notes;
  });
}
