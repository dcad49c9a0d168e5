import { defined } from "../model/defined.ts";
import type { Fit, QuoteTarget } from "../model/edit.ts";
import { loneSurrogate } from "../model/encoding.ts";
import { type Ending, endingAt, foldEndings, indexLines, lineAt, withEnding } from "../model/lines.ts";
import { accept, type Outcome, type Place, type Refused, refuse } from "../model/outcome.ts";
import type { Note } from "../model/plan.ts";
import type { Region } from "../model/region.ts";
import type { Splice } from "../model/splice.ts";
import { nearestName } from "./enclosing-heading.ts";
import { explainMiss } from "./explain.ts";
import { layOut } from "./layout.ts";
import { type Found, findQuote } from "./quote.ts";
import { readingsOf } from "./readings.ts";

/** The result of a quote edit: its splices, how strictly it matched, and how often the quotation remains in the text. */
export type Located = {
  readonly fit: Fit;
  readonly splices: readonly Splice[];
  readonly remaining: number;
  readonly notes: readonly Note[];
};

/** Finds exactly the places that a quotation means, and the new text of each; refuses rather than guesses. */
export function locateQuote(text: string, target: QuoteTarget, replacement: string): Outcome<Located> {
  const bad = checkQuote(target, replacement);
  if (bad) return bad;
  const found = findQuote(text, target.quote, {
    within: target.within,
    fit: target.fit,
    countFolded: target.countFolded,
    limit: regionsNeeded(target.occurrence),
  });
  const settled = settleQuote(text, target, replacement, found);
  return settled.ok || found.count > 0 ? settled : (readOtherwise(text, target, replacement) ?? settled);
}

/** If a quotation is not found, strips line numbers and fences, and takes the result if it occurs exactly once. */
function readOtherwise(text: string, target: QuoteTarget, replacement: string): Outcome<Located> | null {
  const { fit = "exact", occurrence = 1, within } = target;
  if (fit === "exact" || occurrence !== 1) return null;
  const segments = readSegments(text, target, replacement);
  if (segments) return segments;
  for (const { as, quote, text: now, agrees } of readingsOf(target.quote, replacement)) {
    const found = findQuote(text, quote, { within, fit, limit: 2 });
    if (found.count !== 1 || quote === now || !agrees(text, found.regions[0]!)) continue;
    const located = settleQuote(text, { ...target, quote }, now, found);
    if (!located.ok) continue;
    const notes: Note[] = [...located.value.notes, { note: "read-as", as }];
    return accept({ ...located.value, fit: found.fit === "exact" ? "white-space" : found.fit, notes });
  }
  return null;
}

/** Takes lines of three dots as left-out text, if each part between them occurs once, and in order. */
function readSegments(text: string, target: QuoteTarget, replacement: string): Outcome<Located> | null {
  const [old, now] = [splitAtDots(target.quote), splitAtDots(replacement)];
  if (old.length < 2 || old.length !== now.length || old.some((part) => part.trim() === "")) return null;
  const splices: Splice[] = [];
  let free = target.within?.start ?? 0;
  for (const [i, quote] of old.entries()) {
    const found = findQuote(text, quote, { within: target.within, limit: 2 });
    const [region] = found.regions;
    if (found.count !== 1 || !region || region.start < free) return null;
    free = region.end;
    if (quote === now[i]) continue;
    const splice = spliceAt(text, { region, quote, replacement: now[i]!, fit: found.fit }, []);
    if (!splice) return null;
    splices.push(splice);
  }
  if (splices.length === 0) return null;
  return accept({ fit: "exact", splices, remaining: 0, notes: [{ note: "read-as", as: "segments" }] });
}

function splitAtDots(text: string): string[] {
  return foldEndings(text).split(/(?:^|(?<=\n))[ \t]*\.\.\.[ \t]*(?:\n|$)/);
}

/** Malformed targets, before any text is looked at. */
export function checkQuote(target: QuoteTarget, replacement: string): Refused | null {
  const { quote, occurrence } = target;
  if (quote === "")
    return refuse({ code: "malformed", why: "empty-quote", what: "the text to find is empty" });
  if (quote === replacement) return refuse({ code: "no-change", why: "same-text" });
  if (loneSurrogate(replacement) >= 0)
    return refuse({ code: "malformed", what: "the new text holds half of a surrogate pair" });
  if (occurrence !== undefined && (!Number.isInteger(occurrence) || occurrence < -1))
    return refuse({ code: "malformed", what: "occurrence must be 1 or more, -1 for the last, or 0 for all" });
  return null;
}

/** Chooses among the places found and writes the new text for each. */
export function settleQuote(
  text: string,
  target: QuoteTarget,
  replacement: string,
  found: Found,
): Outcome<Located> {
  if (found.count === 0) {
    const view = target.within ? text.slice(target.within.start, target.within.end) : text;
    return refuse({ code: "not-found", what: "quote", ...explainIn(text, view, target, replacement) });
  }
  const { occurrence, expected } = target;
  if (expected !== undefined && found.count !== expected)
    return refuse({ code: "ambiguous", count: found.count, places: placesOf(text, found.regions) });
  // Without an occurrence, and for the first one with other white space, there must be one match only.
  const mustBeOnly = occurrence === undefined || (found.fit === "white-space" && occurrence === 1);
  if (mustBeOnly && found.count > 1)
    return refuse({ code: "ambiguous", count: found.count, places: placesOf(text, found.regions) });
  const chosen = choose(found.regions, occurrence);
  if (chosen.length === 0)
    return refuse({ code: "not-found", what: "occurrence", count: found.regions.length });
  const notes: Note[] = [];
  const splices: Splice[] = [];
  for (const region of chosen) {
    const splice = spliceAt(text, { region, quote: target.quote, replacement, fit: found.fit }, notes);
    if (!splice) return refuse({ code: "not-found", what: "quote", ...explainMiss(text, target.quote) });
    splices.push(splice);
  }
  const remaining = (occurrence === undefined ? found.count : found.regions.length) - chosen.length;
  return accept({ fit: found.fit, splices, remaining, notes });
}

const placesShown = 12;

/** A unique match needs a few places for the message; `occurrence` needs all of them. */
function regionsNeeded(occurrence: number | undefined): number {
  return occurrence === undefined ? placesShown : Number.POSITIVE_INFINITY;
}

function choose(regions: readonly Region[], occurrence: number | undefined): readonly Region[] {
  if (occurrence === 0) return regions;
  const chosen = occurrence === -1 ? regions.at(-1) : regions[(occurrence ?? 1) - 1];
  return chosen ? [chosen] : [];
}

/** A place where a quotation was found, and the text that replaces it. */
type QuoteReplacement = {
  readonly region: Region;
  readonly quote: string;
  readonly replacement: string;
  readonly fit: Fit;
};

/** The splice at a place; null where the indentation of the new text is not certain. */
function spliceAt(text: string, place: QuoteReplacement, notes: Note[]): Splice | null {
  const { region, quote, replacement, fit } = place;
  const old = text.slice(region.start, region.end);
  if (fit !== "layout" && fit !== "white-space") return { region, text: endedLike(text, place) };
  const ending = endingAt(text, region.start, region.end);
  const laid = layOut({ found: old, quote, text: replacement, ending });
  if (!laid) return null;
  if (laid.by !== "" && notes.length === 0) notes.push({ note: "re-indented", by: laid.by });
  return { region, text: laid.text };
}

/**
 * The new text with the line endings of its place. Lines that repeat the quotation keep their endings. The caller's own
 * endings are taken where the quotation has them too, and where the edit changes nothing but endings.
 */
function endedLike(text: string, { region, quote, replacement, fit }: QuoteReplacement): string {
  if (!replacement.includes("\n")) return replacement;
  if (fit === "exact" && spellsOut(quote, replacement)) return replacement;
  const old = text.slice(region.start, region.end);
  const ending = endingAt(text, region.start, region.end);
  const result = carryEndings(old, replacement, ending);
  return result === old ? replacement : result;
}

function spellsOut(quote: string, replacement: string): boolean {
  if (!quote.includes("\n")) return false;
  const crlf = (text: string): boolean => text.includes("\r\n");
  const lf = (text: string): boolean => /(^|[^\r])\n/.test(text);
  return (!crlf(replacement) || crlf(quote)) && (!lf(replacement) || lf(quote));
}

/** `replacement` with the old endings on the lines it shares with the start and end of `old`, `ending` between. */
function carryEndings(old: string, replacement: string, ending: Ending): string {
  const was = splitKeeping(old);
  const now = splitKeeping(replacement);
  const same = (i: number, j: number): boolean => foldEndings(was[i]!) === foldEndings(now[j]!);
  let head = 0;
  while (head < was.length && head < now.length && same(head, head)) head++;
  let tail = 0;
  while (
    tail < was.length - head &&
    tail < now.length - head &&
    same(was.length - 1 - tail, now.length - 1 - tail)
  )
    tail++;
  return [
    ...was.slice(0, head),
    withEnding(now.slice(head, now.length - tail).join(""), ending),
    ...was.slice(was.length - tail),
  ].join("");
}

function splitKeeping(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function placesOf(text: string, regions: readonly Region[]): Place[] {
  const lines = indexLines(text);
  return regions.slice(0, placesShown).map(({ start }) => {
    const line = lineAt(lines, start) + 1;
    const near = nearestName(text, start);
    return near === undefined ? { line } : { line, near };
  });
}

function explainIn(text: string, view: string, target: QuoteTarget, replacement: string) {
  const miss = explainMiss(view, target.quote, replacement);
  if (!target.within || target.within.start === 0) return miss;
  const above = lineAt(indexLines(text), target.within.start);
  const nearest = miss.nearest.map((passage) => ({
    ...passage,
    startLine: passage.startLine + above,
    endLine: passage.endLine + above,
    ...defined({ differsAt: passage.differsAt === undefined ? undefined : passage.differsAt + above }),
  }));
  return { ...miss, nearest };
}
