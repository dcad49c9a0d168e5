import type { Fit } from "../model/edit.ts";
import { foldEndings } from "../model/lines.ts";
import type { Region } from "../model/region.ts";
import { findLayout, type LayoutFit } from "./layout.ts";
import { scan } from "./scan.ts";

/**
 * The matches of a quotation. `count` includes matches that overlap; `regions` are the disjoint ones, read from
 * the left, up to the requested limit.
 */
export type Found = { readonly fit: Fit; readonly count: number; readonly regions: readonly Region[] };

export type FindOptions = {
  readonly within?: Region | undefined;
  /** How far a match may differ; `exact` and absent: by line endings. */
  readonly fit?: "exact" | LayoutFit | undefined;
  /** Count with CRLF and LF taken as equal even when one place matches exactly. */
  readonly countFolded?: boolean | undefined;
  /** How many regions to list; all of them are counted. */
  readonly limit?: number;
  /** Stop as soon as `limit` regions are known; `count` is then only a lower bound. */
  readonly first?: boolean;
};

/** Every place where `quote` occurs, at the strictest fit that finds any. A caller that asks for `layout` gets that name for
 *  other white space too. */
export function findQuote(text: string, quote: string, options: FindOptions = {}): Found {
  const { within } = options;
  const view = within ? text.slice(within.start, within.end) : text;
  const found = findIn(view, quote, options);
  if (!within || within.start === 0) return found;
  const regions = found.regions.map(({ start, end }) => ({
    start: start + within.start,
    end: end + within.start,
  }));
  return { ...found, regions };
}

function findIn(view: string, quote: string, options: FindOptions): Found {
  if (quote === "") return none;
  if (options.countFolded && endingsCanDiffer(view, quote)) {
    const folded = findFolded(view, quote, options);
    const exact = folded.regions.every(({ start, end }) => view.slice(start, end) === quote);
    return exact ? { ...folded, fit: "exact" } : folded;
  }
  const exact = findExactly(view, quote, options);
  const folded =
    exact.count === 0 && endingsCanDiffer(view, quote) ? findFolded(view, quote, options) : exact;
  const { fit = "exact", limit } = options;
  const isCut =
    fit !== "exact" &&
    quote.includes("\n") &&
    folded.regions.some(({ start }) => cutsIndentation(view, start));
  if (fit === "exact" || (folded.count > 0 && !isCut)) return folded;
  const laid = findLayout(view, quote, { fit: "white-space", limit });
  if (laid.count === 0 && isCut) return folded;
  if (fit === "white-space") return laid;
  return laid.count > 0 ? { ...laid, fit } : findLayout(view, quote, { fit, limit });
}

/** Whether a match begins inside the indentation of its line, so that the quotation has a part of it only. */
function cutsIndentation(view: string, start: number): boolean {
  const line = view.lastIndexOf("\n", start - 1) + 1;
  return start > line && view.slice(line, start).trim() === "";
}

const none: Found = { fit: "exact", count: 0, regions: [] };

function findExactly(view: string, quote: string, options: FindOptions): Found {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const regions: Region[] = [];
  let count = 0;
  let free = 0;
  const edged = quote.startsWith("\n") || quote.endsWith("\r");
  scan(view, quote, 0, (start) => {
    if (edged && splitsEnding(view, start, start + quote.length)) return true;
    count++;
    if (start >= free && regions.length < limit) {
      free = start + quote.length;
      regions.push({ start, end: free });
    }
    return !(options.first && regions.length >= limit);
  });
  return { fit: "exact", count, regions };
}

/** Half of a CRLF is never matched: replacing it would leave the other half behind. */
function splitsEnding(view: string, start: number, end: number): boolean {
  const between = (offset: number): boolean => view[offset - 1] === "\r" && view[offset] === "\n";
  return between(start) || between(end);
}

function endingsCanDiffer(view: string, quote: string): boolean {
  return quote.includes("\n") && (quote.includes("\r\n") || view.includes("\r\n"));
}

/** Finds on a view in which CRLF is LF, and answers with regions of the original. */
function findFolded(view: string, quote: string, options: FindOptions): Found {
  const found = findExactly(foldEndings(view), foldEndings(quote), options);
  const unfold = unfolder(view);
  const regions = found.regions.map(({ start, end }) => ({ start: unfold(start), end: unfold(end) }));
  return { fit: "line-endings", count: found.count, regions };
}

/** Folded offsets, asked for in rising order, as offsets of the original. */
function unfolder(view: string): (offset: number) => number {
  let pair = view.indexOf("\r\n");
  let passed = 0;
  return (offset) => {
    while (pair >= 0 && pair - passed < offset) {
      passed++;
      pair = view.indexOf("\r\n", pair + 2);
    }
    return offset + passed;
  };
}
