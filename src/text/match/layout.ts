import { foldConfusables } from "../characters/confusables.ts";
import { align } from "../diff/align.ts";
import { byteOrderMark } from "../model/encoding.ts";
import {
  contentEnd,
  type Ending,
  foldEndings,
  indexLines,
  type Lines,
  lineContent,
  lineEnd,
} from "../model/lines.ts";
import type { Region } from "../model/region.ts";
import { commonShifts, describeShift, indentOf, isWithinReach, reindent, type Shift } from "./indentation.ts";
import { Interner } from "./intern.ts";
import type { Found } from "./quote.ts";
import { findSequences } from "./sequences.ts";
import { type MarginStars, starsAtMargin, withoutStars } from "./star-comments.ts";

/** `white-space`: other indentation and other blanks at line ends; `layout`: confusable characters too. */
export type LayoutFit = "white-space" | "layout";

/**
 * Finds whole lines with the tokens of the quotation in another layout: other blanks at line ends, another indentation
 * and, on request, confusable characters. A different token never matches.
 */
export function findLayout(
  marked: string,
  quote: string,
  { fit, limit = Number.POSITIVE_INFINITY }: { readonly fit: LayoutFit; readonly limit?: number | undefined },
): Found {
  const wanted = quoteLines(quote);
  const top = marked.startsWith(byteOrderMark) ? 1 : 0;
  const text = marked.slice(top);
  if (!wanted.lines.some(isFilled)) return { fit, count: 0, regions: [] };
  const lines = indexLines(text);
  const places = findPlaces(lines, wanted.lines, fit);
  const regions: Region[] = [];
  let free = 0;
  for (const first of places) {
    if (first < free || regions.length >= limit) continue;
    free = first + wanted.lines.length;
    regions.push({
      start: first === 0 && quote.startsWith(byteOrderMark) ? 0 : top + lines.starts[first]!,
      end: top + (wanted.closed ? lineEnd(lines, free - 1) : contentEnd(lines, free - 1)),
    });
  }
  return { fit, count: places.length, regions };
}

function findPlaces(lines: Lines, wanted: readonly string[], fit: LayoutFit): number[] {
  const interner = new Interner();
  const needle = wanted.map((line) => interner.id(layoutKey(line, fit)));
  const hay = new Int32Array(lines.starts.length);
  for (let i = 0; i < hay.length; i++) hay[i] = interner.id(layoutKey(lineContent(lines, i), fit));
  return [...findSequences(hay, [needle], Number.POSITIVE_INFINITY)[0]!.places];
}

/** A layout match: the text found, the quotation, its new text, and the line ending of the place. */
type LayoutMatch = {
  readonly found: string;
  readonly quote: string;
  readonly text: string;
  readonly ending: Ending;
};

/**
 * The new text as it must be written at a layout match, with the file's own characters and line endings wherever the
 * caller repeated what was quoted. The lines that the caller repeated tell how the others are indented: like the
 * quotation, and then they are shifted, or like the file. Null where they do not tell.
 */
export function layOut({ found, quote, text, ending }: LayoutMatch): { text: string; by: string } | null {
  const wanted = quoteLines(quote);
  const asked = quoteLines(text);
  const standing = standingLines(found, ending);
  const own = wanted.lines.map((_, i) => standing[i]!.content);
  const laid = layQuote({ quoted: wanted.lines, own, asked: asked.lines });
  if (!laid) return null;
  if (text === "") return { text: "", by: laid.by };
  // The quotation may end with a newline where the file does not. Then the new text gets none either.
  const isOpen = !asked.closed || (wanted.closed && standing[own.length - 1]!.ending === "");
  const kept = keptLines(wanted.lines, asked.lines);
  const written = laid.lines.map((line, i) => {
    if (isOpen && i === laid.lines.length - 1) return line;
    return line + (standing[kept.get(i) ?? -1]?.ending || ending);
  });
  return { text: written.join(""), by: laid.by };
}

/** The lines of a region of the file, each with its own ending; the last may have none. */
function standingLines(
  found: string,
  ending: Ending,
): { readonly content: string; readonly ending: string }[] {
  const feed = ending === "\r" ? "\r" : "\n";
  const parts = found.split(feed);
  return parts.map((part, i) => {
    if (i === parts.length - 1) return { content: part, ending: "" };
    const hasReturn = feed === "\n" && part.endsWith("\r");
    return hasReturn ? { content: part.slice(0, -1), ending: "\r\n" } : { content: part, ending: feed };
  });
}

function layQuote(asked: LineSwap): { readonly lines: readonly string[]; readonly by: string } | null {
  const swap = withoutUniformBlanks(asked);
  const shared = sharedLines(swap.quoted, swap.asked);
  const shifted = layLines(swap);
  const asItIs = swap.asked.map((line, i) => {
    const old = shared.get(i) ?? -1;
    const own = swap.own[old] ?? line;
    const repeats = trailingBlanks(line) === trailingBlanks(swap.quoted[old] ?? "");
    return repeats && own.trimEnd() === line.trimEnd() ? own : line;
  });
  if (shifted?.lines.every((line, i) => indentOf(line) === indentOf(asItIs[i]!))) return shifted;
  // Without a shared line, a line that replaces another in its place tells as much, and so does the first line.
  const tells = shared.size > 0 ? shared : keptLines(swap.quoted, swap.asked).set(0, 0);
  const indented = indentedLike(swap, tells);
  // A line that moved into a block, or out of one, may be indented like the other side by chance.
  if (indented === "quotation") return leastIndent(swap.asked) === leastIndent(swap.quoted) ? shifted : null;
  const opening = swap.asked.slice(0, Math.min(...tells.keys()) + 1);
  const isOpened = leastIndent(opening).length < leastIndent(swap.own).length;
  // Nor does a line that moved into a block look like the file where the lines beside it are indented less than any there.
  const isShallow = leastInner(swap.asked) < leastInner(swap.own);
  // Where the edit only adds or takes blank lines, a slip in the new text may look like the file by chance, too.
  const [before, after] = [swap.quoted, swap.asked].map((lines) => lines.filter(isFilled).length);
  const isBlank = before === shared.size && after === shared.size && swap.quoted.length !== swap.asked.length;
  return indented === null || isOpened || isShallow || isBlank ? null : { lines: asItIs, by: "" };
}

const isFilled = (line: string): boolean => line.trim() !== "";

function leastIndent(lines: readonly string[]): string {
  const indents = lines.filter(isFilled).map(indentOf);
  return indents.reduce((least, indent) => (indent.length < least.length ? indent : least), indents[0] ?? "");
}

/** The least indentation but none, without the lines of comments that begin with a star. */
function leastInner(lines: readonly string[]): number {
  const inner = lines.filter((line) => isFilled(line) && !line.trimStart().startsWith("*"));
  return Math.min(...inner.flatMap((line) => indentOf(line).length || []));
}

/**
 * Whether the new text indents the lines that it shares with the quotation as the quotation does, or as the file does.
 * Null: some so and some so, or none. A shared line with an indentation of its own was moved, and tells nothing.
 */
function indentedLike(
  { quoted, own, asked }: LineSwap,
  shared: ReadonlyMap<number, number>,
): "quotation" | "file" | null {
  const found = new Set<"quotation" | "file">();
  for (const [i, old] of shared) {
    const [now, quote, file] = [asked[i]!, quoted[old]!, own[old]!].map(indentOf);
    if (quote === file) continue;
    if (now === quote) found.add("quotation");
    if (now === file) found.add("file");
  }
  const [first = null] = found;
  return found.size === 1 ? first : null;
}

/** The quoted line with the same tokens that each new line repeats. Blank lines tell nothing. */
function sharedLines(quoted: readonly string[], asked: readonly string[]): Map<number, number> {
  const trim = (line: string): string => line.trim();
  const tokens = asked.map(trim);
  const kept = keptLines(quoted.map(trim), tokens);
  return new Map([...kept].filter(([i, old]) => tokens[i] !== "" && quoted[old]!.trim() === tokens[i]));
}

/** Lines as the caller quoted them, the same lines in the file, and the lines that replace them. */
export type LineSwap = {
  readonly quoted: readonly string[];
  readonly own: readonly string[];
  readonly asked: readonly string[];
};

/** The new lines as they must be written; null where two possible shifts give different lines, or there is none. */
export function layLines(asked: LineSwap): { readonly lines: string[]; readonly by: string } | null {
  const swap = withoutUniformBlanks(asked);
  const stars = starsAtMargin(swap);
  const shifts: readonly (Shift | null)[] = commonShifts(...withoutStars(swap, stars));
  const readings = (shifts.length > 0 ? shifts : [null]).flatMap((shift) => {
    const lines = layBy(swap, shift, stars);
    return lines === null ? [] : [{ shift, lines }];
  });
  const agree = areSame(readings) ? readings : readings.filter(({ lines }) => isEven(lines, swap.own));
  const borneOut = areSame(agree) ? agree.find(({ shift }) => isBorneOut(swap, shift, stars)) : undefined;
  return borneOut ? { lines: borneOut.lines, by: borneOut.shift ? describeShift(borneOut.shift) : "" } : null;
}

function areSame([first, ...others]: readonly { readonly lines: readonly string[] }[]): boolean {
  return others.every(({ lines }) => lines.join("\n") === first!.lines.join("\n"));
}

/** Whether each line is indented by whole units of the file. */
function isEven(lines: readonly string[], own: readonly string[]): boolean {
  const depths = own.filter(isFilled).map((line) => indentOf(line).length);
  const least = Math.min(...depths);
  const unit = Math.min(...depths.flatMap((depth) => depth - least || []));
  return lines.every(
    (line) => !isFilled(line) || line.trimStart().startsWith("*") || indentOf(line).length % unit === 0,
  );
}

/** Whether the quoted lines bear a shift out for every new line that is indented by it. */
function isBorneOut({ quoted, asked }: LineSwap, shift: Shift | null, stars: MarginStars): boolean {
  if (shift === null) return true;
  const kept = keptLines(quoted, asked);
  return asked.every((line, i) => {
    const old = quoted[kept.get(i) ?? -1];
    if (old === line || (old !== undefined && isFilled(line) && indentOf(old) === indentOf(line)))
      return true;
    // How far the stars of a comment stand from its opening is known only where the quotation has some.
    if (stars.asked.has(i))
      return stars.indent !== null || !isMoving(shift) || reindent(line, shift) !== line;
    return isWithinReach(line, shift, { quoted, above: asked.slice(0, i).findLast(isFilled) });
  });
}

function isMoving({ add, units }: Shift): boolean {
  return add !== "" || units !== undefined;
}

/** The lines without blanks that the caller put at the end of every line, and that the file has at none. */
function withoutUniformBlanks({ quoted, own, asked }: LineSwap): LineSwap {
  const extra = trailingBlanks(quoted[0] ?? "").slice(trailingBlanks(own[0] ?? "").length);
  const isAdded = (line: string, i: number): boolean =>
    trailingBlanks(line) === trailingBlanks(own[i] ?? "") + extra;
  if (extra === "" || !quoted.every(isAdded)) return { quoted, own, asked };
  const strip = (line: string): string => (line.endsWith(extra) ? line.slice(0, -extra.length) : line);
  return { quoted: quoted.map(strip), own, asked: asked.map(strip) };
}

function trailingBlanks(line: string): string {
  return line.slice(line.trimEnd().length);
}

/** The new lines with the indentation of those they replace, or by the shift; null where neither tells. */
function layBy({ quoted, own, asked }: LineSwap, shift: Shift | null, stars: MarginStars): string[] | null {
  const kept = keptLines(quoted, asked);
  const laid = asked.map((asked, i) => {
    const same = kept.get(i);
    const line = same === undefined ? asked : withoutAddedBlanks(asked, quoted[same]!, own[same]!);
    if (same !== undefined && quoted[same] === line) return own[same]!;
    const areFilled = isFilled(line) && isFilled(quoted[same ?? -1] ?? "");
    if (same !== undefined && areFilled && indentOf(quoted[same]!) === indentOf(line))
      return keepEnds(own[same]!, quoted[same]!, line);
    if (stars.indent !== null && stars.asked.has(i)) return stars.indent + line;
    return shift === null && isFilled(line) ? null : reindent(line, shift!);
  });
  return laid.every((line) => line !== null) ? laid : null;
}

function quoteLines(quote: string): { lines: string[]; closed: boolean } {
  const folded = foldEndings(quote);
  const closed = folded.endsWith("\n");
  return { lines: (closed ? folded.slice(0, -1) : folded).split("\n"), closed };
}

function layoutKey(line: string, fit: LayoutFit): string {
  return fit === "layout" ? foldConfusables(line).trim() : line.trim();
}

/** The quoted line that each new line repeats; in a run with as many new lines as old ones, the one that it replaces. */
export function keptLines(wanted: readonly string[], asked: readonly string[]): Map<number, number> {
  const interner = new Interner();
  const numbers = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines, (line) => interner.id(line));
  const kept = new Map<number, number>();
  const pair = (from: number, to: number, shift: number): void => {
    for (let i = from; i < to; i++) kept.set(i, i + shift);
  };
  let [old, now] = [0, 0];
  for (const gap of align(numbers(wanted), numbers(asked))) {
    pair(now, gap.newStart, old - now);
    if (gap.oldEnd - gap.oldStart === gap.newEnd - gap.newStart)
      pair(gap.newStart, gap.newEnd, gap.oldStart - gap.newStart);
    [old, now] = [gap.oldEnd, gap.newEnd];
  }
  pair(now, asked.length, old - now);
  return kept;
}

/** A changed line without the blanks at its end that the caller put behind both lines and the file does not have. */
function withoutAddedBlanks(asked: string, quoted: string, own: string): string {
  const blanks = quoted.slice(quoted.trimEnd().length);
  const isAdded = blanks !== "" && asked !== quoted && asked.endsWith(blanks) && own === own.trimEnd();
  return isAdded ? asked.slice(0, asked.length - blanks.length) : asked;
}

/**
 * A changed line with the file's own characters before and after the part that changed. If the new part has quotes or
 * dashes, the whole line is the caller's: a pair of quotes must not get one half from each side.
 */
function keepEnds(own: string, quoted: string, asked: string): string {
  const trimmedOwn = own.trimEnd();
  const trimmedQuote = quoted.trimEnd();
  const ownIndent = indentOf(own).length;
  const quoteIndent = indentOf(quoted).length;
  const whole = own.slice(0, ownIndent) + asked.slice(quoteIndent);
  // Confusable characters correspond one to one, so after the indentation both lines have the same length.
  if (trimmedOwn.length - ownIndent !== trimmedQuote.length - quoteIndent) return whole;
  const longest = Math.min(trimmedQuote.length, asked.length) - quoteIndent;
  let head = 0;
  while (head < longest && trimmedQuote[quoteIndent + head] === asked[quoteIndent + head]) head++;
  let tail = 0;
  while (tail < longest - head && trimmedQuote.at(-1 - tail) === asked.at(-1 - tail)) tail++;
  if (/["'-]/.test(foldConfusables(asked.slice(quoteIndent + head, asked.length - tail)))) return whole;
  return (
    trimmedOwn.slice(0, ownIndent + head) +
    asked.slice(quoteIndent + head, asked.length - tail) +
    trimmedOwn.slice(trimmedOwn.length - tail)
  );
}
