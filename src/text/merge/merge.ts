import { compareTexts } from "../diff/compare.ts";
import { endingAt } from "../model/lines.ts";
import type { Region } from "../model/region.ts";
import { applySplices, type Splice } from "../model/splice.ts";

/** Lines that both sides changed, each in its own way. */
export type MergeConflict = {
  /** Their region in the base. */
  readonly base: Region;
  readonly ours: string;
  readonly theirs: string;
  /** Their region in the merged text, between markers. */
  readonly merged: Region;
};

export type Merged = { readonly text: string; readonly conflicts: readonly MergeConflict[] };

/**
 * Merges two texts that came from one base, by lines, as git does. Changes that share a line or touch conflict,
 * unless they are equal; a conflict is written into the text between markers, and is listed.
 */
export function mergeThreeWay(base: string, ours: string, theirs: string, labels: MergeLabels = {}): Merged {
  return mergeChanges(base, { ours: changesOf(base, ours), theirs: changesOf(base, theirs) }, labels);
}

type MergeLabels = { readonly ours?: string; readonly theirs?: string };

/** Two changes of one base, as splices of whole lines. */
type BothChanges = { readonly ours: readonly Splice[]; readonly theirs: readonly Splice[] };

/**
 * The merge of two versions of a base by lines, as git makes it: lines inserted or deleted among equal ones go where the
 * comparison puts them. Null if lines conflict.
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
  for (const { region, ...sides } of clusters(ours, theirs)) {
    text += base.slice(at, region.start);
    at = region.end;
    const ourLines = rewritten(base, region, sides.ours);
    const theirLines = rewritten(base, region, sides.theirs);
    if (sides.theirs.length === 0 || ourLines === theirLines) text += ourLines;
    else if (sides.ours.length === 0) text += theirLines;
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
 * The splices that turn the base into one side. Lines inserted or deleted among equal lines could also be further up.
 * Such a splice covers all its possible places, so that the merge does not depend on the choice.
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

type Cluster = BothChanges & { readonly region: Region };

/** The splices of both sides in groups that touch. */
function clusters(ours: readonly Splice[], theirs: readonly Splice[]): Cluster[] {
  const found: Cluster[] = [];
  let i = 0;
  let j = 0;
  while (i < ours.length || j < theirs.length) {
    const start = Math.min(ours[i]?.region.start ?? Infinity, theirs[j]?.region.start ?? Infinity);
    let end = start;
    const cluster = { ours: [] as Splice[], theirs: [] as Splice[] };
    for (;;) {
      if (i < ours.length && ours[i]!.region.start <= end) cluster.ours.push(ours[i++]!);
      else if (j < theirs.length && theirs[j]!.region.start <= end) cluster.theirs.push(theirs[j++]!);
      else break;
      end = Math.max(end, cluster.ours.at(-1)?.region.end ?? end, cluster.theirs.at(-1)?.region.end ?? end);
    }
    found.push({ region: { start, end }, ...cluster });
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
