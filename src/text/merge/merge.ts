import { compareTexts } from "../diff/compare.ts";
import { endingAt } from "../model/lines.ts";
import type { Region } from "../model/region.ts";
import { applySplices, type Splice } from "../model/splice.ts";
import type { ThreeWays } from "./three-ways.ts";

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

/** A stretch of a merge: text that is settled, or lines that conflict. */
export type MergePiece = string | LineConflict;

export type LineConflict = Omit<MergeConflict, "merged">;

/**
 * Merges two texts that came from one base, by lines, as git does. Changes that share a line or touch conflict,
 * unless they are equal; a conflict is written into the text between markers, and is listed.
 */
export function mergeThreeWay(base: string, ours: string, theirs: string, options: MergePrint = {}): Merged {
  return printMerge(base, mergeLines({ base, ours, theirs }), options);
}

/** The merge by lines, in pieces. */
export function mergeLines({ base, ours, theirs }: ThreeWays<string>): MergePiece[] {
  const pieces: MergePiece[] = [];
  let at = 0;
  for (const { region, ...sides } of clusters(changesOf(base, ours), changesOf(base, theirs))) {
    pieces.push(base.slice(at, region.start));
    at = region.end;
    const ourLines = rewritten(base, region, sides.ours);
    const theirLines = rewritten(base, region, sides.theirs);
    if (sides.theirs.length === 0 || ourLines === theirLines) pieces.push(ourLines);
    else if (sides.ours.length === 0) pieces.push(theirLines);
    else pieces.push({ base: region, ours: ourLines, theirs: theirLines });
  }
  pieces.push(base.slice(at));
  return pieces;
}

/**
 * The merge of two versions of a base by lines, or null if lines conflict. It merges what git merges: lines inserted or
 * deleted among equal ones conflict with changes at any of the places that they could have.
 */
export function mergeCleanly(base: string, ours: string, theirs: string): string | null {
  const pieces = mergeLines({ base, ours, theirs });
  return pieces.every((piece) => typeof piece === "string") ? pieces.join("") : null;
}

export type MergePrint = {
  readonly ours?: string;
  readonly theirs?: string;
  /** The name of the base. With it, markers show the base's lines, and lines that both sides begin or end with are outside them. */
  readonly base?: string;
  /** How many characters a marker has. */
  readonly size?: number;
};

/** Writes the pieces of a merge, with conflicts between markers. */
export function printMerge(base: string, pieces: readonly MergePiece[], names: MergePrint = {}): Merged {
  const conflicts: MergeConflict[] = [];
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      continue;
    }
    const ending = endingAt(base, piece.base.start);
    const { head, ours, theirs, tail } =
      names.base === undefined ? { head: "", ...piece, tail: "" } : sharedEnds(piece);
    const marker = (sign: string, name: string): string => `${sign.repeat(names.size ?? 7)}${name}${ending}`;
    const old = base.slice(piece.base.start, piece.base.end);
    const marked =
      marker("<", ` ${names.ours ?? "ours"}`) +
      ended(ours, ending) +
      (names.base === undefined ? "" : marker("|", ` ${names.base}`) + ended(old, ending)) +
      marker("=", "") +
      ended(theirs, ending) +
      marker(">", ` ${names.theirs ?? "theirs"}`);
    text += head;
    conflicts.push({ ...piece, merged: { start: text.length, end: text.length + marked.length } });
    text += marked + tail;
  }
  return { text, conflicts };
}

/** Both sides without the lines that they begin and end with in common. */
function sharedEnds({ ours, theirs }: LineConflict) {
  const a = ours.split(/(?<=\n)/);
  const b = theirs.split(/(?<=\n)/);
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return {
    head: a.slice(0, head).join(""),
    ours: a.slice(head, a.length - tail).join(""),
    theirs: b.slice(head, b.length - tail).join(""),
    tail: a.slice(a.length - tail).join(""),
  };
}

/** Two changes of one base, as splices of whole lines. */
type BothChanges = { readonly ours: readonly Splice[]; readonly theirs: readonly Splice[] };

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
