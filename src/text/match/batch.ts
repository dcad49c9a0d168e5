import type { Fit, QuoteTarget } from "../model/edit.ts";
import type { Outcome, Refusal } from "../model/outcome.ts";
import type { Note } from "../model/plan.ts";
import type { Region } from "../model/region.ts";
import { compose, createOffsetMap, invert, type Splice } from "../model/splice.ts";
import { checkQuote, type Located, locateQuote, settleQuote } from "./locate.ts";
import { QuoteIndex } from "./quote-index.ts";

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
  const index = new QuoteIndex(
    text,
    edits.map(({ target }) => target.quote),
  );
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
  for (const { quote, start } of index.find(text)) {
    const end = start + quote.length;
    const meets =
      written.start === written.end
        ? start < written.start && end > written.start
        : start < written.end && end > written.start;
    if (meets) dirty.add(quote);
  }
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
