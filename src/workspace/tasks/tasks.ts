import { indexLines, type Lines, lineAt } from "../../text/model/lines.ts";
import type { Region } from "../../text/model/region.ts";
import type { Splice } from "../../text/model/splice.ts";
import type { LineHunk, LineRegion } from "../journal/entries.ts";
import { foldPath } from "../paths/names.ts";
import { parsePath } from "../paths/paths.ts";

/** The lines that each splice touches. Whole lines inserted between two others touch neither. */
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

/** The lines that a region covers. An empty region at the start of a line is the seam before that line. */
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
  // Inserted text without a final line feed changes the line that follows it.
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

/** The position of lines after a change. Replaced lines move to their replacement. */
export function moveLines(region: LineRegion, hunks: readonly LineHunk[]): LineRegion {
  let { startLine, endLine } = region;
  let above = 0;
  let inside = 0;
  for (const hunk of hunks) {
    const grown = hunk.after - (hunk.endLine - hunk.startLine + 1);
    if (hunk.endLine < region.startLine) above += grown;
    else if (hunk.startLine <= region.endLine) {
      // The hunk is inside the region, or crosses one of its edges.
      inside += grown;
      startLine = Math.min(startLine, hunk.startLine);
      endLine = Math.max(endLine, hunk.endLine);
    }
  }
  return { startLine: startLine + above, endLine: endLine + above + inside };
}

/** Lines are inclusive: a common line is an overlap, adjacent lines are not. A seam overlaps only a region around it. */
export function overlapLines(a: LineRegion, b: LineRegion): boolean {
  return a.startLine <= b.endLine && b.startLine <= a.endLine && !(isSeam(a) && isSeam(b));
}

function isSeam({ startLine, endLine }: LineRegion): boolean {
  return endLine < startLine;
}

/** A test whether lines overlap any of several regions. Building it once makes repeated tests fast. */
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
      if ((apart[middle]?.endLine ?? 0) < lines.startLine - 1) low = middle + 1;
      else high = middle;
    }
    return apart.slice(low, low + 4).some((region) => overlapLines(region, lines));
  };
}

/** Whether two changes of one text share a line, or one inserts lines between lines of the other. */
export function linesClash(mine: readonly LineRegion[], theirs: readonly LineRegion[]): boolean {
  return theirs.some(overlapsAny(mine));
}

/** One edit of a task. `startLine` and `endLine` are the current position of its lines. */
export type EditRecord = LineRegion & {
  readonly path: string;
  readonly task: string;
  readonly entry?: string;
  readonly reason?: string;
};

/** Tracks which task has edited which lines. Later edits above move them. */
export type FileEditTracker = {
  /** Records that these lines of the current file have become `linesAfter` lines; by default the same number. */
  recordEdit(edit: EditRecord & { readonly linesAfter?: number }): void;
  /** Earlier edits of the file that overlap these lines, without those of `task`. */
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

/** One key for every spelling of a path, including paths that the gate refuses. */
function spell(path: string): string {
  const parsed = parsePath(path.replaceAll("\\", "/"));
  return parsed.ok ? parsed.value.path : foldPath(path);
}
