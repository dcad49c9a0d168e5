import { compareTexts } from "../diff/compare.ts";
import { endingAt } from "../model/lines.ts";
import type { Region } from "../model/region.ts";
import { applySplices, type Splice } from "../model/splice.ts";
import { type Clash, interleaveSplices } from "./merge-splices.ts";

export type MergedSplices =
  | { readonly ok: true; readonly splices: Splice[] }
  | { readonly ok: false; readonly conflicts: Clash[] };

/** Both changes of one text as one list of splices of it, or the pairs that clash. */
export function mergeSplices(ours: readonly Splice[], theirs: readonly Splice[]): MergedSplices {
  const { merged, clashes } = interleaveSplices(ours, theirs);
  if (clashes.length > 0) return { ok: false, conflicts: clashes };
  return { ok: true, splices: merged.map(({ splice }) => splice) };
}

/** Lines that both sides changed, each in its own way. */
export type MergeConflict = {
  /** Where they stood in the base. */
  readonly base: Region;
  readonly ours: string;
  readonly theirs: string;
  /** Where both stand in the merged text, between markers. */
  readonly merged: Region;
};

export type Merged = { readonly text: string; readonly conflicts: readonly MergeConflict[] };

/**
 * Merges two texts that came from one base, by lines, as git does. Changes that share a line or touch conflict,
 * unless they are equal; a conflict stands in the text between markers and is listed.
 */
export function mergeThreeWay(base: string, ours: string, theirs: string, labels: MergeLabels = {}): Merged {
  return mergeChanges(base, { ours: changesOf(base, ours), theirs: changesOf(base, theirs) }, labels);
}

type MergeLabels = { readonly ours?: string; readonly theirs?: string };

/** Two changes of one base, as splices of whole lines. */
type BothChanges = { readonly ours: readonly Splice[]; readonly theirs: readonly Splice[] };

/**
 * Merges two versions of a base as git does, by lines: lines inserted or deleted among equal ones stand where the
 * comparison puts them. Null where lines conflict.
 */
export function mergeCleanly(base: string, ours: string, theirs: string): string | null {
  const changes = { ours: compareTexts(base, ours), theirs: compareTexts(base, theirs) };
  const { text, conflicts } = mergeChanges(base, changes);
  return conflicts.length === 0 ? text : null;
}

function mergeChanges(base: string, { ours, theirs }: BothChanges, labels: MergeLabels = {}): Merged {
  const conflicts: MergeConflict[] = [];
  let text = "";
  let at = 0;
  for (const { region, mine, other } of clusters(ours, theirs)) {
    text += base.slice(at, region.start);
    at = region.end;
    const ourLines = rewritten(base, region, mine);
    const theirLines = rewritten(base, region, other);
    if (other.length === 0 || ourLines === theirLines) text += ourLines;
    else if (mine.length === 0) text += theirLines;
    else {
      const ending = endingAt(base, region.start);
      const marked =
        `<<<<<<< ${labels.ours ?? "ours"}${ending}${ended(ourLines, ending)}=======${ending}` +
        `${ended(theirLines, ending)}>>>>>>> ${labels.theirs ?? "theirs"}${ending}`;
      const merged = { start: text.length, end: text.length + marked.length };
      conflicts.push({ base: region, ours: ourLines, theirs: theirLines, merged });
      text += marked;
    }
  }
  return { text: text + base.slice(at), conflicts };
}

/**
 * What turns the base into a side. Lines inserted or deleted among equal ones could as well stand further up; such
 * a splice covers every place it could have, because a merge must not depend on which of them was meant.
 */
function changesOf(base: string, side: string): Splice[] {
  let floor = 0;
  let shift = 0;
  return compareTexts(base, side).map(({ region, text }) => {
    const { start, end } = region;
    const rise =
      start === end
        ? riseOf(side, start + shift, start + shift + text.length, floor + shift)
        : text === ""
          ? riseOf(base, start, end, floor)
          : 0;
    floor = end;
    shift += text.length - (end - start);
    return { region: { start: start - rise, end }, text: base.slice(start - rise, start) + text };
  });
}

/** How far up a block of lines can go: past each line that equals its own last one. */
function riseOf(text: string, start: number, end: number, floor: number): number {
  let top = start;
  let bottom = end;
  while (top > floor) {
    const above = lineStart(text, top);
    const last = lineStart(text, bottom);
    if (top - above !== bottom - last || !text.startsWith(text.slice(above, top), last)) break;
    top = above;
    bottom = last;
  }
  return start - top;
}

/** Where the line that ends at an offset starts. */
function lineStart(text: string, end: number): number {
  return end < 2 ? 0 : text.lastIndexOf("\n", end - 2) + 1;
}

type Cluster = {
  readonly region: Region;
  readonly mine: readonly Splice[];
  readonly other: readonly Splice[];
};

/** The splices of both sides in groups that touch. */
function clusters(ours: readonly Splice[], theirs: readonly Splice[]): Cluster[] {
  const found: Cluster[] = [];
  let i = 0;
  let j = 0;
  while (i < ours.length || j < theirs.length) {
    const start = Math.min(ours[i]?.region.start ?? Infinity, theirs[j]?.region.start ?? Infinity);
    let end = start;
    const mine: Splice[] = [];
    const other: Splice[] = [];
    for (;;) {
      if (i < ours.length && ours[i]!.region.start <= end) mine.push(ours[i++]!);
      else if (j < theirs.length && theirs[j]!.region.start <= end) other.push(theirs[j++]!);
      else break;
      end = Math.max(end, mine.at(-1)?.region.end ?? end, other.at(-1)?.region.end ?? end);
    }
    found.push({ region: { start, end }, mine, other });
  }
  return found;
}

/** A region of the base after the splices inside it. */
function rewritten(base: string, region: Region, splices: readonly Splice[]): string {
  const moved = splices.map(({ region: { start, end }, text }) => ({
    region: { start: start - region.start, end: end - region.start },
    text,
  }));
  return applySplices(base.slice(region.start, region.end), moved);
}

function ended(lines: string, ending: string): string {
  return lines === "" || lines.endsWith("\n") ? lines : lines + ending;
}
