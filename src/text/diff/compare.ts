import { Interner } from "../match/intern.ts";
import type { Splice } from "../model/splice.ts";
import { align } from "./align.ts";

/**
 * Splices of whole lines that turn `before` into `after`, where only the two texts are known. Lines end at LF.
 * Shortest for ordinary edits, coarser for hostile ones, near-linear for all. `tidy` narrows them to characters.
 */
export function compareTexts(before: string, after: string): Splice[] {
  if (before === after) return [];
  const stretches = differingStretches(before, after, differingLines(before, after));
  return settle(before, after, stretches).map((stretch) => ({
    region: { start: stretch.start, end: stretch.end },
    text: after.slice(stretch.newStart, stretch.newEnd),
  }));
}

/** The lines left when the equal ones at both ends are set aside. */
function differingLines(before: string, after: string) {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  const start = head === 0 ? 0 : before.lastIndexOf("\n", head - 1) + 1;
  let oldEnd = before.length;
  let newEnd = after.length;
  while (oldEnd > start && newEnd > start && before.charCodeAt(oldEnd - 1) === after.charCodeAt(newEnd - 1)) {
    oldEnd--;
    newEnd--;
  }
  const startsLine = (text: string, at: number): boolean => at === start || text[at - 1] === "\n";
  if (!startsLine(before, oldEnd) || !startsLine(after, newEnd)) {
    const feed = before.indexOf("\n", oldEnd);
    const cut = feed < 0 ? before.length - oldEnd : feed + 1 - oldEnd;
    oldEnd += cut;
    newEnd += cut;
  }
  return { start, oldEnd, newEnd };
}

type Stretch = { start: number; end: number; newStart: number; newEnd: number };

function differingStretches(
  before: string,
  after: string,
  { start, oldEnd, newEnd }: { start: number; oldEnd: number; newEnd: number },
): Stretch[] {
  if (start === oldEnd || start === newEnd) return [{ start, end: oldEnd, newStart: start, newEnd }];
  const interner = new Interner();
  const old = numberLines(before, start, oldEnd, interner);
  const fresh = numberLines(after, start, newEnd, interner);
  return align(old.kinds, fresh.kinds).map((gap) => ({
    start: old.starts[gap.oldStart]!,
    end: old.starts[gap.oldEnd]!,
    newStart: fresh.starts[gap.newStart]!,
    newEnd: fresh.starts[gap.newEnd]!,
  }));
}

/** The start of each line and the end of the last, and a number for each line: equal lines have equal numbers. */
function numberLines(text: string, start: number, end: number, interner: Interner) {
  const count = countLines(text, start, end);
  const starts = new Int32Array(count + 1);
  const kinds = new Int32Array(count);
  let at = start;
  for (let line = 0; line < count; line++) {
    const feed = text.indexOf("\n", at);
    const next = feed < 0 ? end : Math.min(feed + 1, end);
    starts[line] = at;
    kinds[line] = interner.id(text.slice(at, next));
    at = next;
  }
  starts[count] = end;
  return { starts, kinds };
}

function countLines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; count++) {
    const feed = text.indexOf("\n", at);
    at = feed < 0 ? end : feed + 1;
  }
  return count;
}

/**
 * Lines inserted or deleted among equal lines have several possible places. They are moved as far down as possible, as
 * git does, and joined with a difference that they touch, so that two comparisons with one text agree.
 */
function settle(before: string, after: string, stretches: readonly Stretch[]): Stretch[] {
  const settled: Stretch[] = [];
  let next = 0;
  while (next < stretches.length) {
    const stretch = { ...stretches[next++]! };
    for (;;) {
      const following = stretches[next];
      if (following && following.start === stretch.end) {
        stretch.end = following.end;
        stretch.newEnd = following.newEnd;
        next++;
      }
      const length = stepDown(before, after, stretch);
      if (length === 0) break;
      stretch.start += length;
      stretch.end += length;
      stretch.newStart += length;
      stretch.newEnd += length;
    }
    settled.push(stretch);
  }
  return settled;
}

/** Length of the line that a pure insertion or deletion can move below, or 0. */
function stepDown(before: string, after: string, stretch: Stretch): number {
  if (stretch.start === stretch.end) return firstLineRepeated(after, stretch.newStart, stretch.newEnd);
  if (stretch.newStart === stretch.newEnd) return firstLineRepeated(before, stretch.start, stretch.end);
  return 0;
}

function firstLineRepeated(text: string, start: number, end: number): number {
  if (text.charCodeAt(start) !== text.charCodeAt(end)) return 0;
  const feed = text.indexOf("\n", start);
  if (feed < 0 || feed >= end) return 0;
  return text.startsWith(text.slice(start, feed + 1), end) ? feed + 1 - start : 0;
}
