import { align } from "../diff/align.ts";
import { byteOrderMark } from "../model/encoding.ts";
import { contentEnd, foldEndings, indexLines, type Lines, lineContent, lineEnd } from "../model/lines.ts";
import type { Region } from "../model/region.ts";
import { foldConfusables } from "./confusables.ts";
import { createInterner } from "./intern.ts";
import type { Found } from "./quote.ts";
import { findSequences } from "./sequences.ts";

/**
 * Finds whole lines that say the same as the quotation but are laid out otherwise: other blanks at line ends,
 * all lines shifted by one indentation, confusable characters. The tokens are the same in the same order;
 * a differing token never matches.
 */
export function findLayout(marked: string, quote: string, limit = Number.POSITIVE_INFINITY): Found {
  const wanted = quoteLines(quote);
  const top = marked.startsWith(byteOrderMark) ? 1 : 0;
  const text = marked.slice(top);
  if (wanted.lines.every((line) => line.trim() === "")) return { fit: "layout", count: 0, regions: [] };
  const lines = indexLines(text);
  const interner = createInterner();
  const needle = wanted.lines.map((line) => interner.id(layoutKey(line)));
  const hay = new Int32Array(lines.starts.length);
  for (let i = 0; i < hay.length; i++) hay[i] = interner.id(layoutKey(lineContent(lines, i)));
  let budget = shiftBudget;
  const places = findSequences(hay, [needle], Number.POSITIVE_INFINITY)[0]!.places.filter((first) => {
    // Past the budget a place counts unchecked: that can only make the answer "ambiguous".
    budget -= needle.length;
    return budget < 0 || shiftAt(lines, first, wanted.lines) !== null;
  });
  const regions: Region[] = [];
  let free = 0;
  for (const first of places) {
    if (first < free || regions.length >= limit) continue;
    free = first + needle.length;
    regions.push({
      start: top + lines.starts[first]!,
      end: top + (wanted.closed ? lineEnd(lines, free - 1) : contentEnd(lines, free - 1)),
    });
  }
  return { fit: "layout", count: places.length, regions };
}

const shiftBudget = 2_000_000;

/**
 * The new text as it must be written at a layout match: shifted like its surroundings, and with the file's own
 * characters wherever the caller repeated what was quoted.
 */
export function layOut(found: string, quote: string, text: string): { text: string; by: string } {
  const wanted = quoteLines(quote);
  const lines = indexLines(found);
  const shift = shiftAt(lines, 0, wanted.lines) ?? { remove: "", add: "" };
  const asked = quoteLines(text);
  const kept = keptLines(wanted.lines, asked.lines);
  const laid = asked.lines.map((line, i) => {
    const same = kept.get(i);
    if (same === undefined) return reindent(line, shift);
    const own = lineContent(lines, same);
    return wanted.lines[same] === line ? own : keepEnds(own, wanted.lines[same]!, line, shift);
  });
  // A quotation that ends its last line may meet a last line that does not end: then neither does the new one.
  const open = wanted.closed && !/[\r\n]$/.test(found);
  const closed = asked.closed && !open ? "\n" : "";
  return { text: text === "" ? "" : laid.join("\n") + closed, by: describe(shift) };
}

type Shift = {
  readonly remove: string;
  readonly add: string;
  readonly unit?: number;
  readonly toTabs?: boolean;
};

function quoteLines(quote: string): { lines: string[]; closed: boolean } {
  const folded = foldEndings(quote);
  const closed = folded.endsWith("\n");
  return { lines: (closed ? folded.slice(0, -1) : folded).split("\n"), closed };
}

function layoutKey(line: string): string {
  return foldConfusables(line).trim();
}

/** The one shift of indentation that explains every line, or null where lines disagree. */
function shiftAt(lines: Lines, first: number, wanted: readonly string[]): Shift | null {
  let candidates: Shift[] | null = null;
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i]!.trim() === "") continue;
    const from = indentOf(wanted[i]!);
    const to = indentOf(lineContent(lines, first + i));
    candidates =
      candidates === null
        ? possibleShifts(from, to)
        : candidates.filter((shift) => shiftIndent(from, shift) === to);
    if (candidates.length === 0) return null;
  }
  return candidates?.[0] ?? null;
}

function possibleShifts(from: string, to: string): Shift[] {
  const shifts: Shift[] = [];
  if (to.endsWith(from)) shifts.push({ remove: "", add: to.slice(0, to.length - from.length) });
  if (from.endsWith(to)) shifts.push({ remove: from.slice(0, from.length - to.length), add: "" });
  // Spaces quoted for tabs, or tabs for spaces: one unit for all lines, perhaps some levels deeper.
  for (const unit of [4, 2, 8, 3]) {
    if (/^ *$/.test(from) && /^\t*$/.test(to) && from.length % unit === 0 && to.length >= from.length / unit)
      shifts.push({ remove: "", add: to.slice(from.length / unit), unit, toTabs: true });
    if (/^\t*$/.test(from) && /^ *$/.test(to) && to.length >= from.length * unit)
      shifts.push({ remove: "", add: to.slice(from.length * unit), unit, toTabs: false });
  }
  return shifts;
}

function shiftIndent(indent: string, shift: Shift): string | null {
  if (!indent.startsWith(shift.remove)) return null;
  const rest = indent.slice(shift.remove.length);
  if (shift.unit === undefined) return shift.add + rest;
  if (shift.toTabs)
    return /^ *$/.test(rest) && rest.length % shift.unit === 0
      ? shift.add + "\t".repeat(rest.length / shift.unit)
      : null;
  return /^\t*$/.test(rest) ? shift.add + " ".repeat(rest.length * shift.unit) : null;
}

function reindent(line: string, shift: Shift): string {
  if (line.trim() === "") return line;
  const indent = indentOf(line);
  return (shiftIndent(indent, shift) ?? indent) + line.slice(indent.length);
}

function indentOf(line: string): string {
  return /^[\t \u00a0\u3000]*/.exec(line)![0];
}

/** Which line of the quotation each line of the new text repeats, or replaces where as many lines give way to as many. */
function keptLines(wanted: readonly string[], asked: readonly string[]): Map<number, number> {
  const interner = createInterner();
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

/**
 * A changed line with the file's own characters before and after the part that changed. Where the new part has quotes
 * or dashes of its own, the line is the caller's as it is: half of a pair must not be kept.
 */
function keepEnds(own: string, quoted: string, asked: string, shift: Shift): string {
  const trimmedOwn = own.trimEnd();
  const trimmedQuote = quoted.trimEnd();
  const ownIndent = indentOf(own).length;
  const quoteIndent = indentOf(quoted).length;
  // Confusable characters stand one for one, so behind the indentation both lines have the same length.
  if (
    trimmedOwn.length - ownIndent !== trimmedQuote.length - quoteIndent ||
    indentOf(asked) !== indentOf(quoted)
  )
    return reindent(asked, shift);
  const longest = Math.min(trimmedQuote.length, asked.length) - quoteIndent;
  let head = 0;
  while (head < longest && trimmedQuote[quoteIndent + head] === asked[quoteIndent + head]) head++;
  let tail = 0;
  while (tail < longest - head && trimmedQuote.at(-1 - tail) === asked.at(-1 - tail)) tail++;
  if (/["'-]/.test(foldConfusables(asked.slice(quoteIndent + head, asked.length - tail))))
    return reindent(asked, shift);
  return (
    trimmedOwn.slice(0, ownIndent + head) +
    asked.slice(quoteIndent + head, asked.length - tail) +
    trimmedOwn.slice(trimmedOwn.length - tail)
  );
}

function describe(shift: Shift): string {
  if (shift.unit !== undefined)
    return shift.toTabs ? `tabs for ${shift.unit} spaces` : `${shift.unit} spaces for a tab`;
  if (shift.add) return `+${JSON.stringify(shift.add)}`;
  return shift.remove ? `-${JSON.stringify(shift.remove)}` : "";
}
