import { indexLines, type Lines, lineAt } from "../../text/model/lines.ts";
import type { Region } from "../../text/model/region.ts";
import type { Splice } from "../../text/model/splice.ts";
import type { LineHunk, LineRegion } from "../journal/entries.ts";
import { foldPath } from "../paths/names.ts";
import { parsePath } from "../paths/paths.ts";

/** The lines each splice touches. Whole lines put between two others touch neither. */
export function lineHunks(
  before: string,
  splices: readonly Splice[],
  lines = indexLines(before),
): LineHunk[] {
  return splices.map(({ region, text }) => {
    const touched = touchedLines(lines, region, text);
    const removed = countFeeds(before.slice(region.start, region.end), lines.feed);
    const height = touched.endLine - touched.startLine + 1;
    return { ...touched, after: Math.max(0, height + countFeeds(text, lines.feed) - removed) };
  });
}

/** The lines of a text that a region of it covers; an empty region at the start of a line is the seam before it. */
export function coveredLines(lines: Lines, { start, end }: Region): LineRegion {
  const first = lineOf(lines, start);
  if (start === end) return { startLine: first, endLine: startsLine(lines, start) ? first - 1 : first };
  return { startLine: first, endLine: lineOf(lines, end - 1) };
}

function touchedLines(lines: Lines, region: Region, inserted: string): LineRegion {
  const { start, end } = region;
  const covered = coveredLines(lines, region);
  const whole = inserted === "" ? startsLine(lines, start) : inserted.endsWith(lines.feed);
  if (whole) return covered;
  // Text that does not end its line changes the line that follows it.
  return start === end || (startsLine(lines, end) && end < lines.text.length)
    ? { startLine: covered.startLine, endLine: lineOf(lines, end) }
    : covered;
}

function lineOf(lines: Lines, offset: number): number {
  if (offset === lines.text.length && startsLine(lines, offset)) return lines.starts.length + 1;
  return lineAt(lines, offset) + 1;
}

function startsLine({ text, feed }: Lines, offset: number): boolean {
  return offset === 0 || text[offset - 1] === feed;
}

function countFeeds(text: string, feed: string): number {
  let count = 0;
  for (let at = text.indexOf(feed); at >= 0; at = text.indexOf(feed, at + 1)) count++;
  return count;
}

/** Where lines lie after a change; lines that it replaced are where their replacement is. */
export function moveLines(region: LineRegion, hunks: readonly LineHunk[]): LineRegion {
  let { startLine, endLine } = region;
  let above = 0;
  let inside = 0;
  for (const hunk of hunks) {
    const grown = hunk.after - (hunk.endLine - hunk.startLine + 1);
    if (hunk.endLine < region.startLine) above += grown;
    else if (hunk.startLine <= region.endLine) {
      // It lies in the region, or across one of its edges.
      inside += grown;
      startLine = Math.min(startLine, hunk.startLine);
      endLine = Math.max(endLine, hunk.endLine);
    }
  }
  return { startLine: startLine + above, endLine: endLine + above + inside };
}

/** Lines are inclusive: one in common is an overlap, neighbours are not. A seam overlaps only what it lies inside. */
export function overlapLines(a: LineRegion, b: LineRegion): boolean {
  return a.startLine <= b.endLine && b.startLine <= a.endLine && !(isSeam(a) && isSeam(b));
}

function isSeam({ startLine, endLine }: LineRegion): boolean {
  return endLine < startLine;
}

/** Whether lines overlap any of several regions; made once, asked often. */
export function overlapsAny(regions: readonly LineRegion[]): (lines: LineRegion) => boolean {
  const apart: LineRegion[] = [];
  for (const region of regions.toSorted((a, b) => a.startLine - b.startLine || a.endLine - b.endLine)) {
    const last = apart.at(-1);
    if (!last || region.startLine > last.endLine) apart.push(region);
    else if (region.endLine > last.endLine) apart[apart.length - 1] = { ...last, endLine: region.endLine };
  }
  return (lines) => {
    let low = 0;
    let high = apart.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (apart[middle]!.endLine < lines.startLine - 1) low = middle + 1;
      else high = middle;
    }
    return apart.slice(low, low + 4).some((region) => overlapLines(region, lines));
  };
}

/** Whether two changes of one text share a line, or one puts lines between those that the other is about. */
export function linesClash(mine: readonly LineRegion[], theirs: readonly LineRegion[]): boolean {
  return theirs.some(overlapsAny(mine));
}

/** One edit that a task has made. `startLine` and `endLine` are where its lines are now. */
export type EditRecord = LineRegion & {
  readonly path: string;
  readonly task: string;
  readonly entry?: string;
  readonly reason?: string;
};

/** Who has edited which lines, moved along as others edit above them. */
export type FileEditTracker = {
  /** These lines of the file as it is now have become `linesAfter` lines; as many as they were, unless said. */
  recordEdit(edit: EditRecord & { readonly linesAfter?: number }): void;
  /** Earlier edits of the same file that overlap these lines; those of `task` itself do not count. */
  checkConflicts(path: string, region: LineRegion, task?: string): EditRecord[];
};

export function createFileEditTracker(): FileEditTracker {
  const records = new Map<string, EditRecord[]>();
  return {
    recordEdit: ({ linesAfter, ...edit }) => {
      const { startLine, endLine } = edit;
      const after = linesAfter ?? Math.max(0, endLine - startLine + 1);
      const earlier = (records.get(spell(edit.path)) ?? []).map((record) => ({
        ...record,
        ...moveLines(record, [{ startLine, endLine, after }]),
      }));
      records.set(spell(edit.path), [...earlier, { ...edit, endLine: startLine + after - 1 }]);
    },
    checkConflicts: (path, region, task) =>
      (records.get(spell(path)) ?? []).filter(
        (record) => record.task !== task && overlapLines(record, region),
      ),
  };
}

/** One key for every spelling of a path, also those the gate would not take. */
function spell(path: string): string {
  const parsed = parsePath(path.replaceAll("\\", "/"));
  return parsed.ok ? parsed.value.path : foldPath(path);
}
