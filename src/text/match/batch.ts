import type { Fit, QuoteTarget } from "../model/edit.ts";
import type { Outcome, Refusal } from "../model/outcome.ts";
import type { Note } from "../model/plan.ts";
import type { Region } from "../model/region.ts";
import { compose, createOffsetMap, invert, type Splice } from "../model/splice.ts";
import { checkQuote, type Located, locateQuote, settleQuote } from "./locate.ts";

export type QuoteEdit = { readonly target: QuoteTarget; readonly text: string };

/** How one edit of a run landed; regions refer to the text before the run. */
export type QuoteStep = {
  readonly fit: Fit;
  readonly before: readonly Region[];
  readonly remaining: number;
  readonly notes: readonly Note[];
};

export type QuoteRun =
  | { readonly ok: true; readonly splices: readonly Splice[]; readonly steps: readonly QuoteStep[] }
  | { readonly ok: false; readonly at: number; readonly refusal: Refusal };

/**
 * Makes many quote edits in order, each in the text that the edits before it left, in about the time of one: a single
 * pass over the first text looks up all quotations, and later only inserted text is searched again. Where this index
 * cannot decide, `locateQuote` searches the whole text, so the result is the same as without the index.
 */
export function runQuotes(text: string, edits: readonly QuoteEdit[]): QuoteRun {
  const index = indexQuotes(text, edits);
  const pieces = new Pieces(text);
  /** Quotations for which the index is no longer right. */
  const dirty = new Set<string>();
  const steps: QuoteStep[] = [];
  for (const [at, edit] of edits.entries()) {
    const bad = checkQuote(edit.target, edit.text);
    if (bad) return { ok: false, at, refusal: bad.refusal };
    const quick = dirty.has(edit.target.quote) ? null : locateQuickly(text, edit, index, pieces);
    if (quick) {
      steps.push(stepOf(quick, regionsOf(quick.splices)));
      for (const splice of quick.splices) markDirty(index, pieces, pieces.add(splice), dirty);
      continue;
    }
    const located = locateQuote(pieces.text, edit.target, edit.text);
    if (!located.ok) return { ok: false, at, refusal: located.refusal };
    const { splices } = located.value;
    const earlier = pieces.splices;
    steps.push(stepOf(located.value, regionsBefore(text, earlier, regionsOf(splices))));
    pieces.replaceAll(compose(earlier, splices));
    for (const piece of piecesOf(pieces.splices, splices)) markDirty(index, pieces, piece, dirty);
  }
  return { ok: true, splices: pieces.splices, steps };
}

function regionsOf(splices: readonly Splice[]): Region[] {
  return splices.map(({ region }) => region);
}

/**
 * Regions of the text after `earlier`, as regions of `text`. A region that begins or ends inside a splice is widened to
 * the whole splice.
 */
export function regionsBefore(
  text: string,
  earlier: readonly Splice[],
  regions: readonly Region[],
): readonly Region[] {
  if (earlier.length === 0) return regions;
  const back = createOffsetMap(invert(text, earlier));
  return regions.map(({ start, end }) => ({ start: back(start, "before"), end: back(end, "after") }));
}

function stepOf(located: Located, before: readonly Region[]): QuoteStep {
  return { fit: located.fit, before, remaining: located.remaining, notes: located.notes };
}

/** Locates an edit by the index, if no earlier edit has touched the text around it; null where that is not certain. */
function locateQuickly(text: string, edit: QuoteEdit, index: QuoteIndex, pieces: Pieces): Located | null {
  const { quote, occurrence } = edit.target;
  const starts = index.starts(quote);
  if (!starts || starts.length === 0) return null;
  // A quotation that begins with LF must not meet half of a CRLF, so the character before it counts too.
  const lead = quote.startsWith("\n") ? 1 : 0;
  if (lead > 0 && starts.some((start) => start === 0 || text[start - 1] === "\r")) return null;
  const alive = starts.filter((start) => pieces.isUntouched(start, start + quote.length));
  // If only the character before the quotation has changed, the quotation may now begin inside a CRLF, or no longer.
  if (lead > 0 && alive.some((start) => !pieces.isUntouched(start - lead, start))) return null;
  if (alive.length === 0 || (occurrence === undefined && alive.length > 1)) return null;
  const regions: Region[] = [];
  let free = 0;
  for (const start of alive)
    if (start >= free) {
      free = start + quote.length;
      regions.push({ start, end: free });
    }
  // The ending that new lines take is read from the text around; it must still be what it was.
  if (edit.text.includes("\n"))
    for (const { start, end } of regions) {
      const feed = text.indexOf("\n", start);
      if (feed < 0 || !pieces.isUntouched(start, Math.max(end, feed + 1))) return null;
    }
  const settled: Outcome<Located> = settleQuote(text, edit.target, edit.text, {
    fit: "exact",
    count: alive.length,
    regions,
  });
  return settled.ok ? settled.value : null;
}

/** The splices made so far: sorted, disjoint, and referring to `base`. */
class Pieces {
  readonly #base: string;
  #list: Splice[] = [];
  /** The text after the splices; null until it is needed. */
  #joined: string | null;

  constructor(base: string) {
    this.#base = base;
    this.#joined = base;
  }

  get splices(): readonly Splice[] {
    return this.#list;
  }

  /** The text after the splices. */
  get text(): string {
    this.#joined ??= join(this.#base, this.#list);
    return this.#joined;
  }

  replaceAll(splices: readonly Splice[]): void {
    this.#list = [...splices];
    this.#joined = null;
  }

  /** Adds a splice and returns its index. */
  add(splice: Splice): number {
    const at = this.#indexFrom(splice.region.start);
    if (at === this.#list.length) this.#list.push(splice);
    else this.#list.splice(at, 0, splice);
    this.#joined = null;
    return at;
  }

  isUntouched(start: number, end: number): boolean {
    const next = this.#list[this.#indexFrom(start)];
    return next === undefined || next.region.start >= end;
  }

  /** The text that one splice wrote, with `reach` characters of the text around it. */
  around(at: number, reach: number): { readonly text: string; readonly written: Region } {
    const { region, text } = this.#list[at]!;
    const before = this.#textBefore(at, region.start, reach);
    const written = { start: before.length, end: before.length + text.length };
    return { text: before + text + this.#textAfter(at, region.end, reach), written };
  }

  #textBefore(at: number, offset: number, reach: number): string {
    let before = "";
    for (let i = at - 1, end = offset; before.length < reach; i--) {
      const other = this.#list[i];
      const gap = this.#base.slice(Math.max(other?.region.end ?? 0, end - (reach - before.length)), end);
      before = gap + before;
      if (!other || before.length >= reach) break;
      before = other.text + before;
      end = other.region.start;
    }
    return before.slice(Math.max(0, before.length - reach));
  }

  #textAfter(at: number, offset: number, reach: number): string {
    let after = "";
    for (let i = at + 1, start = offset; after.length < reach; i++) {
      const other = this.#list[i];
      const limit = start + reach - after.length;
      after += this.#base.slice(start, Math.min(other?.region.start ?? this.#base.length, limit));
      if (!other || after.length >= reach) break;
      after += other.text;
      start = other.region.end;
    }
    return after.slice(0, reach);
  }

  /** The index of the first splice that ends behind an offset. */
  #indexFrom(offset: number): number {
    let low = 0;
    let high = this.#list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#list[middle]!.region.end <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function join(base: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { region, text } of splices) {
    parts.push(base.slice(at, region.start), text);
    at = region.end;
  }
  parts.push(base.slice(at));
  return parts.join("");
}

/** Marks the quotations that occur in the text a splice wrote, or across its edges. */
function markDirty(index: QuoteIndex, pieces: Pieces, at: number, dirty: Set<string>): void {
  const { text, written } = pieces.around(at, index.reach);
  index.scan(text, (quote, start) => {
    const end = start + quote.length;
    const meets =
      written.start === written.end
        ? start < written.start && end > written.start
        : start < written.end && end > written.start;
    if (meets) dirty.add(quote);
  });
}

/** The indexes of the splices in `all` that contain the text of the `newest` splices, which refer to the text before them. */
function piecesOf(all: readonly Splice[], newest: readonly Splice[]): number[] {
  const found: number[] = [];
  let [at, written, made] = [0, 0, 0];
  for (const { region, text } of newest) {
    const start = region.start + made;
    made += text.length - (region.end - region.start);
    // `written` is how much longer the text is before the splice at hand than the first text was.
    for (; at < all.length; at++) {
      const piece = all[at]!;
      if (piece.region.start + written + piece.text.length >= start) break;
      written += piece.text.length - (piece.region.end - piece.region.start);
    }
    if (at < all.length && found.at(-1) !== at) found.push(at);
  }
  return found;
}

type QuoteIndex = {
  /** The places of a quotation in the first text; undefined if it is not indexed. */
  starts(quote: string): readonly number[] | undefined;
  scan(text: string, found: (quote: string, start: number) => void): void;
  /** One less than the longest indexed quotation. */
  readonly reach: number;
};

const longestIndexed = 4096;
const probeLengths = [8, 3];
/** Verifications allowed in all; more means quotations chosen to defeat the index. */
const mostVerified = 2_000_000;

function indexQuotes(text: string, edits: readonly QuoteEdit[]): QuoteIndex {
  const quotes = [...new Set(edits.map(({ target }) => target.quote))].filter(isIndexed);
  const probes = probeLengths.map((length, i) =>
    createProbes(
      quotes.filter((quote) => quote.length >= length && (i === 0 || quote.length < probeLengths[i - 1]!)),
      length,
    ),
  );
  let budget = mostVerified;
  const scan: QuoteIndex["scan"] = (view, found) => {
    for (const probe of probes)
      probe(view, (quote, start) => {
        if (--budget >= 0 && view.slice(start, start + quote.length) === quote) found(quote, start);
      });
  };
  const starts = new Map<string, number[]>(quotes.map((quote) => [quote, []]));
  scan(text, (quote, start) => starts.get(quote)!.push(start));
  const reach = quotes.reduce((longest, quote) => Math.max(longest, quote.length), 1) - 1;
  return { starts: (quote) => (budget < 0 ? undefined : starts.get(quote)), scan, reach };
}

/** Quotations that could end inside a CRLF, or that are too short for a probe, are not indexed. */
function isIndexed(quote: string): boolean {
  return quote.length >= probeLengths.at(-1)! && quote.length <= longestIndexed && !quote.endsWith("\r");
}

/** How many stretches of a quotation are compared to find the rarest one. */
const stretchesTried = 64;

/** Where in each quotation the stretch begins that the fewest other quotations have: those of one file are often alike. */
function chooseProbes(quotes: readonly string[], length: number): Int32Array {
  const bits = Math.min(22, Math.ceil(Math.log2(4 * stretchesTried * quotes.length)));
  // Different stretches may share a counter. That makes the choice worse, never the result.
  const counts = new Uint32Array(2 ** bits);
  const hashes = new Int32Array(stretchesTried);
  const slot = (at: number): number => Math.imul(hashes[at]!, spread) >>> (32 - bits);
  for (const quote of quotes) {
    const { count } = hashStretches(quote, length, hashes);
    for (let i = 0; i < count; i++) counts[slot(i)]!++;
  }
  return Int32Array.from(quotes, (quote) => {
    const { first, step, count } = hashStretches(quote, length, hashes);
    let best = 0;
    for (let i = 1; i < count; i++) if (counts[slot(i)]! < counts[slot(best)]!) best = i;
    return first + step * best;
  });
}

const spread = 0x9e3779b1;

/** Stretches of a quotation, evenly spaced: where the first begins, how far apart they are, and how many they are. */
type Stretches = { readonly first: number; readonly step: number; readonly count: number };

/** Writes the hashes of evenly spaced stretches of a quotation. */
function hashStretches(quote: string, length: number, hashes: Int32Array): Stretches {
  const last = quote.length - length;
  const step = Math.max(1, Math.ceil((last + 1) / stretchesTried));
  const first = last % step;
  const shift = shiftFor(length);
  let hash = 0;
  let count = 0;
  for (let at = 0, next = first + length - 1; at < quote.length; at++) {
    hash = roll(hash, quote.charCodeAt(at), shift);
    if (at < next) continue;
    hashes[count++] = hash;
    next += step;
  }
  return { first, step, count };
}

/** Returns a function that passes once over a text and reports every place where a quotation may occur. */
function createProbes(quotes: readonly string[], length: number) {
  const offsets = quotes.length === 0 ? new Int32Array() : chooseProbes(quotes, length);
  const byHash = new Map<number, number[]>();
  const hashes: HashSet = { length, bits: new Int32Array(1 << 14) };
  for (const [i, quote] of quotes.entries()) {
    const hash = hashAt(quote, offsets[i]!, length);
    const list = byHash.get(hash);
    if (list) list.push(i);
    else byHash.set(hash, [i]);
    hashes.bits[hash >>> 18]! |= 1 << (hash >>> 13);
  }
  return (text: string, maybe: (quote: string, start: number) => void): void => {
    if (quotes.length === 0) return;
    for (let at = nextStretch(text, 0, hashes); at >= 0; at = nextStretch(text, at + 1, hashes)) {
      const alike = byHash.get(hashAt(text, at, length));
      if (!alike) continue;
      for (const i of alike) if (at >= offsets[i]!) maybe(quotes[i]!, at - offsets[i]!);
    }
  };
}

/** Hashes of stretches of one length, by their upper 19 bits. */
type HashSet = { readonly length: number; readonly bits: Int32Array };

/** The next stretch of a text, from an offset on, whose hash may be in a set; -1 if there is none. */
function nextStretch(text: string, from: number, { length, bits }: HashSet): number {
  const shift = shiftFor(length);
  let hash = 0;
  let at = from;
  for (const warm = Math.min(from + length - 1, text.length); at < warm; at++)
    hash = roll(hash, text.charCodeAt(at), shift);
  for (; at < text.length; at++) {
    hash = roll(hash, text.charCodeAt(at), shift);
    if ((bits[hash >>> 18]! >>> (hash >>> 13)) & 1) return at + 1 - length;
  }
  return -1;
}

function hashAt(text: string, offset: number, length: number): number {
  const shift = shiftFor(length);
  let hash = 0;
  for (let at = offset; at < offset + length; at++) hash = roll(hash, text.charCodeAt(at), shift);
  return hash;
}

/** A hash of the last few characters: each step shifts by so many bits that those before them are gone. */
function roll(hash: number, unit: number, shift: number): number {
  return ((hash << shift) + unitHashes[unit & 0xff]!) | 0;
}

function shiftFor(length: number): number {
  return Math.ceil(32 / length);
}

const unitHashes = Int32Array.from({ length: 256 }, (_, unit) => {
  const mixed = Math.imul(unit + 1, spread);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
});
