import { compareTexts } from "../../text/diff/compare.ts";
import { decode } from "../../text/model/encoding.ts";
import { indexLines, lineAt } from "../../text/model/lines.ts";
import { tidy } from "../../text/model/splice.ts";
import type { ClaimedEdit, ToolClaim } from "./tool-claim.ts";

/** A file at one moment. `null`: there is none. */
export type FileMoment = { readonly bytes: Uint8Array; readonly mode: number } | null;

/** A change that a tool made to a file beyond its input. Lines count from 1. */
export type Collateral =
  | { readonly what: "line-endings"; readonly count: number; readonly line: number }
  | { readonly what: "byte-order-mark"; readonly is: "lost" | "added" }
  | { readonly what: "encoding" }
  | { readonly what: "final-newline"; readonly is: "lost" | "added" }
  | { readonly what: "mode"; readonly before: number; readonly after: number }
  /** The text to replace was not in the file, so the tool chose a place itself. */
  | { readonly what: "guessed"; readonly line: number }
  /** The text occurs in several places, and the tool changed one of them. */
  | { readonly what: "ambiguous"; readonly count: number; readonly line: number }
  /** Text changed that the tool was not asked to change. */
  | { readonly what: "other-text"; readonly line: number };

/**
 * Compares a file before and after a tool with what the tool was asked to do. Proves from the two texts that nothing
 * else changed, or says what did.
 */
export function judgeEdit(claim: ToolClaim, before: FileMoment, after: FileMoment): Collateral[] {
  if (!before || !after) return [];
  const mode = before.mode === after.mode ? [] : [modeChange(before.mode, after.mode)];
  if (claim.does === "write") return [...mode, ...judgeBytes(before.bytes, after.bytes)];
  const [old, fresh] = [textOf(before.bytes), textOf(after.bytes)];
  const edits = claim.does === "edit" ? claim.edits : [];
  if (edits.length > 0 && isExactly(old.text, fresh.text, edits) && old.isText === fresh.isText) return mode;
  const around = [...judgeBytes(before.bytes, after.bytes), ...judgeLines(old.text, fresh.text)];
  // A change around the text explains other text, too.
  const places = judgePlaces(old.text, fresh.text, edits).filter(
    ({ what }) => what !== "other-text" || around.length === 0,
  );
  return [...mode, ...around, ...places];
}

function modeChange(before: number, after: number): Collateral {
  return { what: "mode", before: before & 0o777, after: after & 0o777 };
}

/** Whether a text is another with exactly these replacements, each at the only place it can mean. */
function isExactly(before: string, after: string, edits: readonly ClaimedEdit[]): boolean {
  let text = before;
  for (const { old, fresh, all } of edits) {
    const found = occurrences(text, old);
    if (found.length === 0 || (found.length > 1 && !all)) return false;
    const eol = lineEnding(text);
    const inserted = eol === "\r\n" ? fresh.replace(/\r?\n/g, "\r\n") : fresh;
    for (const { start, end } of found.toReversed()) text = text.slice(0, start) + inserted + text.slice(end);
  }
  return text === after;
}

type QuotePlace = { readonly start: number; readonly end: number };

/** The places of a quotation; if there is no exact one, line endings may differ. */
function occurrences(text: string, quote: string): readonly QuotePlace[] {
  if (quote === "") return [];
  const found = findAll(text, quote);
  return found.length > 0 ? found : findAll(text, quote.replace(/\r?\n/g, "\r\n"));
}

const mostPlaces = 1000;

function findAll(text: string, quote: string): QuotePlace[] {
  const places: QuotePlace[] = [];
  for (let at = text.indexOf(quote); at >= 0 && places.length < mostPlaces; ) {
    places.push({ start: at, end: at + quote.length });
    at = text.indexOf(quote, at + quote.length);
  }
  return places;
}

/** The line ending of every line; `null` where a text has several kinds. */
function lineEnding(text: string): "\r\n" | "\n" | null {
  const all = text.match(/\n/g)?.length ?? 0;
  const windows = text.match(/\r\n/g)?.length ?? 0;
  return windows === 0 ? "\n" : windows === all ? "\r\n" : null;
}

/** The changes of the bytes around the text: the byte order mark, the encoding. */
function judgeBytes(before: Uint8Array, after: Uint8Array): Collateral[] {
  const [had, has] = [hasMark(before), hasMark(after)];
  const [old, fresh] = [textOf(before), textOf(after)];
  return [
    ...(had === has ? [] : [{ what: "byte-order-mark", is: had ? "lost" : "added" } as const]),
    ...(!old.isText && fresh.isText ? [{ what: "encoding" } as const] : []),
  ];
}

function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Line endings of lines that are the same but for them, and the end of the last line. */
function judgeLines(before: string, after: string): Collateral[] {
  const [old, fresh] = [splitLines(before), splitLines(after)];
  const [plainOld, plainFresh] = [old.map(({ text }) => text), fresh.map(({ text }) => text)];
  let start = 0;
  while (start < plainOld.length && plainOld[start] === plainFresh[start]) start++;
  let end = 0;
  const most = Math.min(plainOld.length, plainFresh.length) - start;
  while (end < most && plainOld.at(-1 - end) === plainFresh.at(-1 - end)) end++;
  const pairs = [
    ...old.slice(0, start).map((line, i) => ({ line, other: fresh[i], number: i + 1 })),
    ...Array.from({ length: end }, (_, i) => ({
      line: old[old.length - 1 - i]!,
      other: fresh.at(-1 - i),
      number: old.length - i,
    })),
  ];
  const changed = pairs.filter(
    ({ line, other }) => line.ending && other?.ending && line.ending !== other.ending,
  );
  const endings = changed.map(({ number }) => number);
  const [had, has] = [/\n$|\r$/.test(before), /\n$|\r$/.test(after)];
  const isSameLast = plainOld.findLast((one) => one !== "") === plainFresh.findLast((one) => one !== "");
  return [
    ...(endings.length > 0
      ? [{ what: "line-endings", count: endings.length, line: Math.min(...endings) } as const]
      : []),
    ...(had !== has && before !== "" && isSameLast
      ? [{ what: "final-newline", is: had ? "lost" : "added" } as const]
      : []),
  ];
}

function splitLines(text: string): { text: string; ending: string }[] {
  return Array.from(text.matchAll(/([^\r\n]*)(\r\n|\r|\n|$)/g), ([, line = "", ending = ""]) => ({
    text: line,
    ending,
  }));
}

/** Whether the text changed outside the places of the quotation. */
function judgePlaces(before: string, after: string, edits: readonly ClaimedEdit[]): Collateral[] {
  const [old, fresh] = [unified(before), unified(after)];
  const lines = indexLines(old);
  const changes = tidy(old, compareTexts(old, fresh));
  const line = changes[0] ? lineAt(lines, changes[0].region.start) + 1 : 1;
  const found: Collateral[] = [];
  let allowed: readonly QuotePlace[] = [];
  for (const { old: quote, all } of edits) {
    const places = occurrences(old, unified(quote));
    if (places.length === 0 && edits.length === 1) found.push({ what: "guessed", line });
    if (places.length > 1 && !all) found.push({ what: "ambiguous", count: places.length, line });
    allowed = [...allowed, ...places];
  }
  const stray = changes.find(
    ({ region }) => !allowed.some(({ start, end }) => region.start >= start && region.end <= end),
  );
  if (edits.length === 0 || found.length > 0) return found;
  if (stray) return [{ what: "other-text", line: lineAt(lines, stray.region.start) + 1 }];
  const claimed = edits.map((one) => ({
    ...one,
    old: unified(one.old),
    fresh: one.fresh.replace(/\r\n?/g, "\n"),
  }));
  return unifiedEquals(old, fresh, claimed) ? [] : [{ what: "other-text", line }];
}

/** Whether the edits lead from one text to the other, apart from the differences that are judged elsewhere. */
function unifiedEquals(before: string, after: string, edits: readonly ClaimedEdit[]): boolean {
  const isMarked = (text: string): boolean => text.startsWith("\ufeff");
  const [old, fresh] = [before, after].map((text) => (isMarked(text) ? text.slice(1) : text));
  return isExactly(old!, fresh!, edits) || isExactly(`${old}\n`, fresh!, edits);
}

/** A text without the differences that are judged elsewhere. */
function unified(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/(?<!\n)\n+$/, "\n");
}

function textOf(bytes: Uint8Array): { readonly text: string; readonly isText: boolean } {
  const strict = decode(bytes);
  if (strict.ok) return { text: strict.value.text, isText: true };
  const loose = decode(bytes, { strayBytes: "keep" });
  return { text: loose.ok ? loose.value.text : "", isText: false };
}
