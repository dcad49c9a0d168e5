import { applySplices, type Splice } from "../model/splice.ts";
import { compareTexts } from "./compare.ts";

/** A text with a mark for each of its lines. Lines end at LF. */
export type MarkedText<T> = { readonly text: string; readonly marks: readonly T[] };

/** A text all of whose lines have one mark. */
export function markAll<T>(text: string, mark: T): MarkedText<T> {
  return { text, marks: Array.from({ length: countLines(text) }, () => mark) };
}

/** A text after known splices: lines that they wrote get the mark `fresh`, and all others keep theirs. */
export function carryMarks<T>(before: MarkedText<T>, splices: readonly Splice[], fresh: T): MarkedText<T> {
  const wrote = (_: unknown, text: string): T[] => Array.from({ length: countLines(text) }, () => fresh);
  return {
    text: applySplices(before.text, splices),
    marks: replaceMarks(before, wholeLines(before.text, splices), wrote),
  };
}

/**
 * A text after a change of which only the result is known. A line keeps its mark where only its white space changed, where
 * it was wrapped, or where it went to another place; all other lines that changed get the mark `unknown`.
 */
export function guessMarks<T>(before: MarkedText<T>, text: string, unknown: T): MarkedText<T> {
  const splices = compareTexts(ended(before.text), ended(text));
  const moved = findMoved(before, splices);
  const guess = (old: MarkedText<T>, fresh: string): readonly T[] => {
    const [a, b] = [squeezed(old.text), squeezed(fresh)];
    const wrapped = wrapMarks({ text: a, marks: old.marks }, b, unknown);
    if (wrapped) return wrapped;
    const found = replaceMarks(
      { text: a, marks: old.marks },
      compareTexts(a, b),
      (some, lines) =>
        wrapMarks(some, lines, unknown) ?? linesOf(lines).map((line) => moved.get(line) ?? unknown),
    );
    const lines = linesOf(b);
    return found.map((mark, i) => (/\w{3}/.test(lines[i]!) ? mark : unknown));
  };
  return { text, marks: replaceMarks(before, splices, guess) };
}

/** Marks of the same characters in other lines, or null where they are not the same. */
function wrapMarks<T>({ text, marks }: MarkedText<T>, fresh: string, unknown: T): readonly T[] | null {
  const [old, lines] = [linesOf(text), linesOf(fresh)];
  if (old.join("") !== lines.join("")) return null;
  const owners = old.flatMap((line, i) => Array.from(line, () => marks[i]!));
  let at = 0;
  return lines.map((line) => {
    const own = new Set(owners.slice(at, (at += [...line].length)));
    return own.size === 1 ? [...own][0]! : unknown;
  });
}

/** Marks of a text for the lines that another text has, too, in order; `none` for the others. */
export function alignMarks<T>(before: MarkedText<T>, text: string, none: T): readonly T[] {
  const splices = compareTexts(ended(before.text), ended(text));
  return replaceMarks(before, splices, (_, fresh) => markAll(fresh, none).marks);
}

/** The marks after splices of whole lines, where `mark` says those of the lines that a splice writes. */
function replaceMarks<T>(
  { text, marks }: MarkedText<T>,
  splices: readonly Splice[],
  mark: (old: MarkedText<T>, fresh: string) => readonly T[],
): readonly T[] {
  const result: T[] = [];
  let at = 0;
  let line = 0;
  for (const { region, text: fresh } of splices) {
    const first = line + countLines(text.slice(at, region.start));
    const old = text.slice(region.start, region.end);
    const next = first + countLines(old);
    for (; line < first; line++) result.push(marks[line]!);
    for (const each of mark({ text: old, marks: marks.slice(first, next) }, fresh)) result.push(each);
    line = next;
    at = region.end;
  }
  for (; line < marks.length; line++) result.push(marks[line]!);
  return result;
}

/** The same change as splices of whole lines, and only of lines that differ. */
function wholeLines(text: string, splices: readonly Splice[]): Splice[] {
  const groups: { start: number; end: number; parts: Splice[] }[] = [];
  for (const splice of splices) {
    const { start, end } = splice.region;
    const top = start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1;
    const isWhole = top === start && (splice.text === "" || splice.text.endsWith("\n"));
    const feed = isWhole && (end === start || text[end - 1] === "\n") ? end - 1 : text.indexOf("\n", end);
    const bottom = feed < 0 && !(isWhole && end === 0) ? text.length : feed + 1;
    const last = groups.at(-1);
    if (last && top < last.end) {
      last.end = Math.max(last.end, bottom);
      last.parts.push(splice);
    } else groups.push({ start: top, end: bottom, parts: [splice] });
  }
  return groups.flatMap(({ start, end, parts }) => {
    const shifted = (region: Splice["region"], by: number) => ({
      start: region.start + by,
      end: region.end + by,
    });
    const before = text.slice(start, end);
    const own = parts.map((part) => ({ ...part, region: shifted(part.region, -start) }));
    const lines = compareTexts(ended(before), ended(applySplices(before, own)));
    return lines.map((splice) => ({ ...splice, region: shifted(splice.region, start) }));
  });
}

/** A shorter line may be another one that happens to read the same. */
const shortestMoved = 12;

/** The marks of lines that were taken out at one place and put in at another, by their text without white space. */
function findMoved<T>({ text, marks }: MarkedText<T>, splices: readonly Splice[]): ReadonlyMap<string, T> {
  const gone = new Map<string, number>();
  const come = new Map<string, number>();
  const count = (counts: Map<string, number>, lines: string): void => {
    for (const line of linesOf(squeezed(lines)))
      if (line.length >= shortestMoved) counts.set(line, (counts.get(line) ?? 0) + 1);
  };
  for (const { region, text: fresh } of splices) {
    count(gone, text.slice(region.start, region.end));
    count(come, fresh);
  }
  const places = new Map(linesOf(squeezed(text)).map((line, i) => [line, marks[i]!] as const));
  const isOne = ([line, times]: [string, number]) => times === 1 && come.get(line) === 1;
  return new Map([...gone].filter(isOne).map(([line]) => [line, places.get(line)!]));
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** The lines without their white space. */
function squeezed(text: string): string {
  return text.replaceAll(/[^\S\n]+/g, "");
}

/** An ending that the last line lacks is not a change of the line. */
function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return text === "" || text.endsWith("\n") ? count : count + 1;
}
