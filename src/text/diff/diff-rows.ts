import { Interner } from "../match/intern.ts";
import { align } from "./align.ts";
import { compareTexts } from "./compare.ts";

/** A piece of a line: the same on both sides, or not. */
export type DiffSegment = { readonly text: string; readonly changed: boolean };

/** A line of one side, with its number where the page counts it. `ending` is set where only the ending differs. */
export type DiffLine = {
  readonly number: number;
  readonly segments: readonly DiffSegment[];
  readonly ending?: string;
};

/** One row of the two sides next to each other. Of a row that changed, one side may be missing. */
export type DiffRow =
  | { readonly kind: "same"; readonly left: DiffLine; readonly right: DiffLine }
  | { readonly kind: "changed"; readonly left?: DiffLine; readonly right?: DiffLine };

/** Two texts as rows, with the words that differ marked in lines that belong together. */
export function diffRows(before: string, after: string, startLine: number): DiffRow[] {
  const old = splitLines(before);
  const rows: DiffRow[] = [];
  const cursor = { old: 0, fresh: 0, at: 0 };
  const keepTo = (offset: number): void => {
    while (cursor.at < offset && cursor.old < old.length) {
      const line = old[cursor.old]!;
      rows.push(sameRow(line, startLine + cursor.old, startLine + cursor.fresh));
      cursor.at += line.length;
      cursor.old++;
      cursor.fresh++;
    }
  };
  for (const { region, text } of compareTexts(before, after)) {
    keepTo(region.start);
    const removed = splitLines(before.slice(region.start, region.end));
    const added = splitLines(text);
    for (const row of changedRows(removed, added, startLine + cursor.old, startLine + cursor.fresh))
      rows.push(row);
    cursor.old += removed.length;
    cursor.fresh += added.length;
    cursor.at = region.end;
  }
  keepTo(before.length);
  return rows;
}

/** What tells two lines apart, word by word; a line that shares little with its partner is marked as a whole. */
export function diffWords(before: string, after: string): [DiffSegment[], DiffSegment[]] {
  const whole = (text: string): DiffSegment[] => (text === "" ? [] : [{ text, changed: true }]);
  if (before.length + after.length > longestLine) return diffEnds(before, after);
  const [old, fresh] = [words(before), words(after)];
  const interner = new Interner();
  const number = (list: readonly string[]): Int32Array => Int32Array.from(list, (word) => interner.id(word));
  const gaps = align(number(old), number(fresh));
  const left = segments(
    old,
    gaps.map(({ oldStart, oldEnd }) => [oldStart, oldEnd]),
  );
  const right = segments(
    fresh,
    gaps.map(({ newStart, newEnd }) => [newStart, newEnd]),
  );
  const shared = left.reduce((sum, { text, changed }) => sum + (changed ? 0 : text.trim().length), 0);
  if (shared * 4 < Math.min(before.trim().length, after.trim().length)) return [whole(before), whole(after)];
  return [left, right];
}

const longestLine = 20_000;

function sameRow(line: string, left: number, right: number): DiffRow {
  const segments = [{ text: withoutEnding(line), changed: false }];
  return { kind: "same", left: { number: left, segments }, right: { number: right, segments } };
}

function changedRows(removed: string[], added: string[], oldLine: number, newLine: number): DiffRow[] {
  const rows: DiffRow[] = [];
  for (let i = 0; i < Math.max(removed.length, added.length); i++) {
    const [old, fresh] = [removed[i], added[i]];
    if (old === undefined)
      rows.push({ kind: "changed", right: lineOf(newLine + i, [all(fresh!)], fresh!, null) });
    else if (fresh === undefined)
      rows.push({ kind: "changed", left: lineOf(oldLine + i, [all(old)], old, null) });
    else {
      const [left, right] = diffWords(withoutEnding(old), withoutEnding(fresh));
      rows.push({
        kind: "changed",
        left: lineOf(oldLine + i, left, old, fresh),
        right: lineOf(newLine + i, right, fresh, old),
      });
    }
  }
  return rows;
}

function all(line: string): DiffSegment {
  return { text: withoutEnding(line), changed: true };
}

function lineOf(
  number: number,
  segments: readonly DiffSegment[],
  line: string,
  partner: string | null,
): DiffLine {
  const ending = line.slice(withoutEnding(line).length);
  const other = partner === null ? ending : partner.slice(withoutEnding(partner).length);
  return ending === other ? { number, segments } : { number, segments, ending };
}

/** Lines with their endings; a final ending does not start another. */
function splitLines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function withoutEnding(line: string): string {
  return line.replace(/\r?\n$/, "");
}

/** Words, runs of white space, and every other character by itself. */
function words(line: string): string[] {
  return line.match(/[\p{L}\p{M}\p{N}_]+|\s+|./gsu) ?? [];
}

function segments(tokens: readonly string[], gaps: readonly (readonly number[])[]): DiffSegment[] {
  const found: DiffSegment[] = [];
  let at = 0;
  const push = (end: number, changed: boolean): void => {
    if (end > at) found.push({ text: tokens.slice(at, end).join(""), changed });
    at = Math.max(at, end);
  };
  for (const [start, end] of gaps) {
    push(start!, false);
    push(end!, true);
  }
  push(tokens.length, false);
  return found;
}

/** For lines too long to be cut into words: the text between their equal ends. */
function diffEnds(before: string, after: string): [DiffSegment[], DiffSegment[]] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const cut = (text: string): DiffSegment[] =>
    [
      { text: text.slice(0, head), changed: false },
      { text: text.slice(head, text.length - tail), changed: true },
      { text: text.slice(text.length - tail), changed: false },
    ].filter(({ text: piece }) => piece !== "");
  return [cut(before), cut(after)];
}
