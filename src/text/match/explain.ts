import { foldConfusables } from "../characters/confusables.ts";
import { contentEnd, foldEndings, indexLines, type Lines, lineAt, lineContent } from "../model/lines.ts";
import type { Difference, MissCause, Passage } from "../model/outcome.ts";
import { foldedLine, likeness } from "./likeness.ts";
import { longestCompared, tokens } from "./line-words.ts";
import { findQuote } from "./quote.ts";
import { linePrefix } from "./readings.ts";
import { lineEditOf, wasApplied } from "./was-applied.ts";

export type Miss = { readonly cause?: MissCause; readonly nearest: readonly Passage[] };

/**
 * Why a quotation is not in the text, and the passages that come nearest. Near-linear: a few of the
 * quotation's lines are looked up as they are; all lines are compared by a folded key only if none is found. The result
 * serves only to explain: no edit is applied at a passage found here.
 */
export function explainMiss(text: string, quote: string, replacement?: string): Miss {
  if (quote.trim() === "") return { cause: "blank", nearest: [] };
  const meant = unescaped(quote);
  if (meant !== quote && occurs(text, meant))
    return { cause: "escaped-text", nearest: passagesOf(text, meant, quote) };
  const bare = withoutLineNumbers(quote);
  if (bare !== null && occurs(text, bare))
    return { cause: "line-number-prefixes", nearest: passagesOf(text, bare, quote) };
  if (replacement !== undefined && isApplied(text, quote, replacement))
    return { cause: "already-applied", nearest: passagesOf(text, replacement, quote) };
  const nearest = nearestPassages(text, quote);
  return nearest.length > 0 ? { cause: "nearby", nearest } : { nearest };
}

/** Whether the text has the new text and no longer has the old one. */
function isApplied(text: string, quote: string, replacement: string): boolean {
  if (replacement.trim().length < shortestUseful) return false;
  const [region] = findQuote(text, replacement, { limit: 1, first: true }).regions;
  if (!region) return false;
  const split = (part: string): string[] => foldEndings(part).split("\n");
  // A newline at the end of both texts ends their last line. It is no line of context.
  const isClosed = [quote, replacement].every((part) => part.endsWith("\n"));
  const [old, now] = [quote, replacement].map((part) => split(part).slice(0, isClosed ? -1 : undefined));
  const edit = lineEditOf(old!, now!);
  const isInside = foldEndings(quote).includes(foldEndings(replacement));
  if (isInside && (edit.before.length === 0 || edit.after.length === 0)) return false;
  return wasApplied(split(text), edit, lineAt(indexLines(text), region.start));
}

/** The passages of a text most like a quotation, best first. */
function nearestPassages(text: string, quote: string, most = 3): Passage[] {
  const wanted = foldEndings(quote)
    .replace(/^\n+|\n+$/g, "")
    .split("\n");
  const lines = indexLines(text);
  const spaced = wanted.length === 1 ? linesWithOtherSpace(lines, wanted[0]!) : [];
  return (spaced.length > 0 ? spaced : findStarts(lines, wanted))
    .slice(0, most)
    .map((start) => passageAt(lines, start, wanted));
}

/** The lines that hold a part of a line in other white space; none where it is too short, or too many hold it. */
function linesWithOtherSpace(lines: Lines, wanted: string): number[] {
  const part = strip(wanted);
  if (part.length < shortestPart) return [];
  const words = wanted.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const [word] = words.sort((a, b) => b.length - a.length);
  if (word === undefined) return [];
  const found = placesOf(lines, word, mostParts).filter(
    (line, at, all) => line !== all[at - 1] && strip(lineContent(lines, line)).includes(part),
  );
  return found.length > placesPerLine ? [] : found;
}

/** Rare lines come first, then the same in a folded form, then frequent lines. */
function findStarts(lines: Lines, wanted: readonly string[]): number[] {
  const exact = alignByLookUp(lines, wanted);
  const rank = (votes: Votes): number[] => ranked(votes, lines, wanted);
  const first = rank(exact.rare);
  const isGood = first.length > 0 && likenessAt(lines, first[0]!, wanted) >= goodShare * wanted.length;
  if (isGood) return first;
  const folded = alignByKey(lines, wanted);
  for (const votes of [[...exact.rare, ...folded.rare], exact.common, folded.common])
    if (votes.length > 0) return rank(votes);
  return rank(alignByWord(lines, wanted));
}

/** Starts of passages, and the number of votes for each. */
type Votes = readonly (readonly [start: number, weight: number])[];

/** Votes of rare lines, and of frequent lines: the latter prove no place. */
type LineVotes = { readonly rare: Votes; readonly common: Votes };

const goodShare = 0.75;

const shortestUseful = 4;
const shortestPart = 3;
const mostParts = 200;
const lookedUp = 12;
const placesPerLine = 8;

function occurs(text: string, quote: string): boolean {
  return findQuote(text, quote, { limit: 1, first: true }).count > 0;
}

/** The place of a text that was found, and how it differs from the quotation. */
function passagesOf(text: string, standing: string, quote: string): Passage[] {
  const [region] = findQuote(text, standing, { limit: 1, first: true }).regions;
  if (!region) return [];
  const lines = indexLines(text);
  const first = lineAt(lines, region.start);
  const last = lineAt(lines, Math.max(region.start, region.end - 1));
  const found = text.slice(region.start, region.end);
  const difference = /\n/.test(found + quote) ? "several-lines" : lineDifference(found, quote);
  return [{ startLine: first + 1, endLine: last + 1, text: clip(found), difference }];
}

/** The text that `\n`, `\t`, `\"` and `\\` written out would have meant. */
export function unescaped(quote: string): string {
  if (!quote.includes("\\")) return quote;
  return quote.replace(/\\(r\\n|[nrt"'`\\])/g, (_, code: string) => {
    if (code === "n" || code === "r\\n") return "\n";
    if (code === "r") return "\r";
    return code === "t" ? "\t" : code;
  });
}

/** The quotation without the line numbers a reading tool put before each line; null where it has none. */
export function withoutLineNumbers(quote: string): string | null {
  const lines = quote.split("\n");
  if (!lines.every((line, i) => linePrefix.test(line) || (line === "" && i === lines.length - 1)))
    return null;
  return lines.map((line) => line.replace(linePrefix, "")).join("\n");
}

/** Votes for passages that share a whole line with the quotation. */
function alignByLookUp(lines: Lines, wanted: readonly string[]): LineVotes {
  const longest = wanted
    .map((line, i) => ({ line: line.trim(), i }))
    .filter(({ line }) => line.length >= shortestUseful)
    .sort((a, b) => b.line.length - a.line.length || a.i - b.i);
  const places = new Map<string, number[]>();
  for (const { line } of longest) {
    if (places.size === lookedUp) break;
    if (!places.has(line)) places.set(line, placesOf(lines, line.slice(0, 256)));
  }
  return votesOf(longest, places);
}

/** The same by keys that ignore case, blanks and confusable characters. */
function alignByKey(lines: Lines, wanted: readonly string[]): LineVotes {
  const keyed = wanted.map((line, i) => ({ line: foldedLine(line), i }));
  const places = new Map<string, number[]>();
  for (const { line } of keyed) if (line.length >= shortestUseful) places.set(line, []);
  const lengths = new Set([...places.keys()].map((key) => key.length));
  for (let i = 0; i < lines.starts.length && places.size > 0; i++) {
    const size = contentEnd(lines, i) - lines.starts[i]!;
    if (size < shortestUseful || size > longestCompared) continue;
    const key = foldedLine(lineContent(lines, i));
    const list = lengths.has(key.length) ? places.get(key) : undefined;
    if (list && list.length <= placesPerLine) list.push(i);
  }
  return votesOf(keyed, places);
}

function votesOf(
  wanted: readonly { readonly line: string; readonly i: number }[],
  places: ReadonlyMap<string, readonly number[]>,
): LineVotes {
  const votes = wanted.flatMap(({ line, i }) => {
    const found = places.get(line) ?? [];
    const isCommon = found.length > placesPerLine;
    return found
      .slice(0, placesPerLine)
      .map((place) => ({ isCommon, vote: [place - i, line.length] as const }));
  });
  const where = (common: boolean): Votes =>
    votes.filter(({ isCommon }) => isCommon === common).map(({ vote }) => vote);
  return { rare: where(false), common: where(true) };
}

/** Votes by the longest words, for quotations of which the text has no line in any form. */
function alignByWord(lines: Lines, wanted: readonly string[]): Votes {
  const words = new Map<string, number>();
  for (let i = 0; i < Math.min(wanted.length, 40); i++)
    for (const word of wanted[i]!.slice(0, 400).match(/[\p{L}\p{N}_$-]{4,}/gu) ?? [])
      if (!words.has(word)) words.set(word, i);
  const longest = [...words].sort((a, b) => b[0].length - a[0].length || a[1] - b[1]).slice(0, 8);
  return longest.flatMap(([word, line]) =>
    placesOf(lines, word)
      .slice(0, placesPerLine)
      .map((place) => [place - line, word.length] as const),
  );
}

/** The lines that hold a needle; one more than are counted shows that there are more. */
function placesOf(lines: Lines, needle: string, most = placesPerLine): number[] {
  const places: number[] = [];
  for (let at = lines.text.indexOf(needle); at >= 0; at = lines.text.indexOf(needle, at + 1))
    if (places.push(lineAt(lines, at)) > most) break;
  return places;
}

const mostCompared = 24;

/** The starts with the most votes, those first whose lines are most like the quotation. */
function ranked(votes: Votes, lines: Lines, wanted: readonly string[]): number[] {
  const sums = new Map<number, number>();
  const last = lines.starts.length - 1;
  for (const [start, weight] of votes) {
    const inside = Math.min(Math.max(start, 0), last);
    sums.set(inside, (sums.get(inside) ?? 0) + weight);
  }
  const compared = [...sums]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, mostCompared)
    .map(([start]) => ({ start, like: likenessAt(lines, start, wanted) }))
    .sort((a, b) => b.like - a.like || a.start - b.start);
  const chosen: number[] = [];
  for (const { start } of compared) {
    const near = (other: number): boolean => Math.abs(other - start) < Math.max(1, wanted.length);
    if (!chosen.some(near)) chosen.push(start);
    if (chosen.length === 3) break;
  }
  return chosen;
}

function likenessAt(lines: Lines, start: number, wanted: readonly string[]): number {
  return likeness(linesFrom(lines, start, wanted.length), wanted);
}

function linesFrom(lines: Lines, start: number, count: number): string[] {
  const end = Math.min(lines.starts.length, start + count);
  return Array.from({ length: end - start }, (_, i) => lineContent(lines, start + i));
}

function passageAt(lines: Lines, start: number, wanted: readonly string[]): Passage {
  const last = Math.min(lines.starts.length, start + wanted.length) - 1;
  const text = clip(lines.text.slice(lines.starts[start], contentEnd(lines, last)));
  const passage = { startLine: start + 1, endLine: last + 1, text };
  // A patch quotes whole lines, so that a part of one may be all that differs.
  const first = firstDiffering(lines, start, wanted, holds) ?? firstDiffering(lines, start, wanted, isLine);
  if (first === undefined) return { ...passage, difference: "line-endings" };
  const found = start + first <= last ? lineContent(lines, start + first) : "";
  return {
    ...passage,
    differsAt: Math.min(start + first, last) + 1,
    expected: clip(wanted[first]!),
    found: clip(found),
    difference: differenceOf(lines, wanted, { start, last, first }),
  };
}

type Fits = (found: string, wanted: readonly string[], i: number) => boolean;

function isLine(found: string, wanted: readonly string[], i: number): boolean {
  return found === wanted[i];
}

/** The position of the first quoted line that the text does not have at its place. */
function firstDiffering(
  lines: Lines,
  start: number,
  wanted: readonly string[],
  fits: Fits,
): number | undefined {
  const count = lines.starts.length - start;
  const at = wanted.findIndex((_, i) => i >= count || !fits(lineContent(lines, start + i), wanted, i));
  return at < 0 ? undefined : at;
}

/** The lines of a passage from 0, and the first of them that differs, counted within it. */
type DifferingLines = { readonly start: number; readonly last: number; readonly first: number };

function differenceOf(
  lines: Lines,
  wanted: readonly string[],
  { start, last, first }: DifferingLines,
): Difference {
  if (start + first > last) return "missing-lines";
  const kinds = new Set<Difference>();
  for (let i = first; i < wanted.length && start + i <= last; i++) {
    const found = lineContent(lines, start + i);
    if (i === first || !holds(found, wanted, i)) kinds.add(edgeDifference(found, wanted, i));
    if (kinds.size > 1) break;
  }
  const [only] = kinds;
  if (kinds.size === 1 && only !== "several-lines") return only!;
  // If the lines agree again one line further on, one side has a line too many.
  const next = wanted[first + 1];
  if (next !== undefined && start + first <= last && lineContent(lines, start + first) === next)
    return "extra-lines";
  if (start + first + 1 < lines.starts.length && lineContent(lines, start + first + 1) === wanted[first])
    return "missing-lines";
  return kinds.has("several-lines") || kinds.size > 1 ? "several-lines" : (only ?? "several-lines");
}

/** Whether a line is what is quoted of it: the first line of a quotation may lack its beginning, the last its end. */
function holds(found: string, wanted: readonly string[], i: number): boolean {
  const line = wanted[i]!;
  if (line === found) return true;
  if (line === "" || (i > 0 && i < wanted.length - 1)) return false;
  if (wanted.length === 1) return found.includes(line);
  return i === 0 ? found.endsWith(line) : found.startsWith(line);
}

function edgeDifference(found: string, wanted: readonly string[], i: number): Difference {
  const difference = lineDifference(found, wanted[i]!);
  const isEdge = i === 0 || i === wanted.length - 1;
  if (!isEdge || (difference !== "several-lines" && difference !== "one-token")) return difference;
  const without = (change: (line: string) => string): boolean =>
    holds(change(found), wanted.map(change), i) && change(wanted[i]!) !== "";
  if (without((line) => line.trimStart())) return "indentation";
  return without(strip) ? "white-space" : difference;
}

function lineDifference(found: string, wanted: string): Difference {
  if (found.trimStart() === wanted.trimStart()) return "indentation";
  if (strip(found) === strip(wanted)) return "white-space";
  const [plainFound, plainWanted] = [foldConfusables(found), foldConfusables(wanted)];
  if (strip(plainFound) === strip(plainWanted))
    return /["'\u2018-\u201f]/.test(wanted + found) ? "quotes" : "look-alikes";
  if (unquote(plainFound) === unquote(plainWanted)) return "quotes";
  if (strip(plainFound).toLowerCase() === strip(plainWanted).toLowerCase()) return "case";
  const [a, b] = [tokens(found), tokens(wanted)];
  if (a.length === b.length && a.filter((token, i) => token !== b[i]).length === 1) return "one-token";
  return "several-lines";
}

function strip(line: string): string {
  return line.slice(0, longestCompared).replace(/\s+/g, "");
}

function unquote(line: string): string {
  return strip(line).replace(/["'`]/g, "'");
}

const longestClip = 1500;

/** Long passages are shown by their beginning, never cut through a character. */
function clip(text: string): string {
  if (text.length <= longestClip) return text;
  const end = (text.charCodeAt(longestClip - 1) & 0xfc00) === 0xd800 ? longestClip - 1 : longestClip;
  return `${text.slice(0, end)}…`;
}
