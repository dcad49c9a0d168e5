import { findQuote } from "../text/match/quote.ts";
import { defined } from "../text/model/defined.ts";
import { contentEnd, indexLines, type Lines, lineAt } from "../text/model/lines.ts";
import type { Region } from "../text/model/region.ts";
import { applySplices, type Splice } from "../text/model/splice.ts";

export type QuotedEdit = {
  readonly old_string: string;
  readonly new_string: string;
  /** Which match of the quotation is meant, from 1, where the lines around it are the same elsewhere. */
  readonly occurrence?: number;
  readonly splices: readonly number[];
};

/** Splices of one text as edits that quote. Applied in order, the edits give what the splices give. */
export function quoteEdits(text: string, splices: readonly Splice[]): QuotedEdit[] {
  return new PageQuotes(text).edits(splices);
}

/**
 * Quotations of one page: whole lines, as few as make each one unique. Where many equal lines stand together, a number
 * tells them apart. The page is searched once for each different quotation, and only as long as the budget lasts;
 * splices beyond it get no edit.
 */
export class PageQuotes {
  readonly #text: string;
  readonly #lines: Lines;
  readonly #places = new Map<string, Places>();
  #budget: number;

  constructor(text: string, budget = mostSearched) {
    this.#text = text;
    this.#lines = indexLines(text);
    this.#budget = budget;
  }

  /** `splices` of an edit are the positions of those it carries out. Edits with numbers come from the bottom up. */
  edits(splices: readonly Splice[]): QuotedEdit[] {
    const groups: { quote: Quote; members: number[] }[] = [];
    for (const i of inOrder(splices)) {
      const { region } = splices[i]!;
      const last = groups.at(-1);
      if (last && isInside(region, last.quote.region)) {
        last.members.push(i);
        continue;
      }
      const quote = this.#quote(region);
      if (quote === null) return [];
      if (last && quote.region.start <= last.quote.region.end) {
        const region = {
          start: Math.min(last.quote.region.start, quote.region.start),
          end: quote.region.end,
        };
        const joined = isNumbered(last.quote) && isNumbered(quote) ? this.#number(region) : { region };
        if (joined === null) return [];
        last.quote = joined;
        last.members.push(i);
      } else groups.push({ quote, members: [i] });
    }
    const edits = groups.map(({ quote, members }) => this.#edit(quote, members, splices));
    return edits.some(({ occurrence }) => occurrence !== undefined) ? edits.reverse() : edits;
  }

  #edit({ region, occurrence }: Quote, members: readonly number[], splices: readonly Splice[]): QuotedEdit {
    const old = this.#text.slice(region.start, region.end);
    const inner = members.map((i) => shift(splices[i]!, -region.start));
    return {
      old_string: old,
      new_string: applySplices(old, inner),
      ...defined({ occurrence }),
      splices: members,
    };
  }

  /** The fewest whole lines around a region that occur nowhere else, or its own lines with their number. */
  #quote(region: Region): Quote | null {
    const { starts } = this.#lines;
    if (starts.length === 0) return { region: { start: 0, end: this.#text.length } };
    let first = lineAt(this.#lines, region.start);
    let last = lineAt(this.#lines, region.end);
    let narrow: Region | null = null;
    for (let added = 0; added <= mostAddedLines; added++) {
      const wide = { start: starts[first]!, end: Math.max(contentEnd(this.#lines, last), region.end) };
      const isWhole = first === 0 && last === starts.length - 1;
      const hasWords = this.#text.slice(wide.start, wide.end).trim() !== "";
      if (hasWords && narrow === null) narrow = wide;
      const places = isWhole || !hasWords ? null : this.#find(wide);
      if (isWhole || places?.count === 1) return { region: wide };
      if (hasWords && places === null) return null;
      // Above first: a heading or a lead line tells more than what follows.
      if (first > 0 && (last - first) % 2 === 0) first--;
      else if (last < starts.length - 1) last++;
      else first--;
    }
    return narrow && this.#number(narrow);
  }

  /** A region with the number of its match, where its text has more than one. */
  #number(region: Region): Quote | null {
    const places = this.#find(region);
    if (places === null || places.count === 1) return places && { region };
    const index = indexOf(places.starts, region.start);
    return index < 0 ? null : { region, occurrence: index + 1 };
  }

  /** Where the text of a region occurs; null where the budget is used up. */
  #find({ start, end }: Region): Places | null {
    const quote = this.#text.slice(start, end);
    this.#budget -= quote.length;
    const known = this.#places.get(quote);
    if (known || this.#budget < 0) return known ?? null;
    this.#budget -= this.#text.length;
    const { count, regions } = findQuote(this.#text, quote);
    const places = { count, starts: regions.map((region) => region.start) };
    this.#places.set(quote, places);
    return places;
  }
}

type Quote = { readonly region: Region; readonly occurrence?: number };

function isNumbered({ occurrence }: Quote): boolean {
  return occurrence !== undefined;
}

/** All matches of a quotation, counted, and the starts of those that do not overlap. */
type Places = { readonly count: number; readonly starts: readonly number[] };

/** Characters to search for the quotations of one page: about a second. */
const mostSearched = 4_000_000_000;

/** Beyond so many lines a longer quotation helps no reader. */
const mostAddedLines = 20;

/** The positions of splices, from the top of the text to the bottom. */
function inOrder(splices: readonly Splice[]): number[] {
  return splices.map((_, i) => i).sort((a, b) => splices[a]!.region.start - splices[b]!.region.start);
}

function isInside(inner: Region, outer: Region): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** The position of a number in a rising list, or -1. */
function indexOf(list: readonly number[], wanted: number): number {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return list[low] === wanted ? low : -1;
}

function shift({ region, text }: Splice, by: number): Splice {
  return { region: { start: region.start + by, end: region.end + by }, text };
}
