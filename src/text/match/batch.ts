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
 * Many quote edits in order, each seeing the text the ones before it left, in about the time of one: all
 * quotations are looked up in a single pass over the first text, and only what an edit wrote is searched again.
 * Whatever that cannot decide falls back to the plain way, so the answer is always the plain one's.
 */
export function runQuotes(text: string, edits: readonly QuoteEdit[]): QuoteRun {
  const index = indexQuotes(text, edits);
  const pieces = createPieces(text);
  const dirty = new Set<string>();
  const steps: QuoteStep[] = [];
  for (const [at, edit] of edits.entries()) {
    const bad = checkQuote(edit.target, edit.text);
    if (bad) return { ok: false, at, refusal: bad.refusal };
    const quick = dirty.has(edit.target.quote) ? null : locateQuickly(text, edit, index, pieces);
    if (quick) {
      steps.push(stepOf(quick, quick.splices));
      for (const splice of quick.splices) markDirty(index, pieces, pieces.add(splice), dirty);
      continue;
    }
    const plain = locateQuote(pieces.text(), edit.target, edit.text);
    if (!plain.ok) return { ok: false, at, refusal: plain.refusal };
    const earlier = pieces.splices();
    steps.push(stepOf(plain.value, regionsBefore(text, earlier, plain.value.splices)));
    pieces.replace(compose(earlier, plain.value.splices));
    for (const at of piecesOf(pieces.splices(), plain.value.splices)) markDirty(index, pieces, at, dirty);
  }
  return { ok: true, splices: pieces.splices(), steps };
}

/** Regions of a changed text as regions of the text it came from: of whole splices where they fall inside one. */
export function regionsBefore(
  text: string,
  earlier: readonly Splice[],
  splices: readonly Splice[],
): { readonly region: Region }[] {
  if (earlier.length === 0) return splices.map(({ region }) => ({ region }));
  const back = createOffsetMap(invert(text, earlier));
  return splices.map(({ region }) => ({
    region: { start: back(region.start, "before"), end: back(region.end, "after") },
  }));
}

function stepOf(located: Located, placed: readonly { readonly region: Region }[]): QuoteStep {
  const before = placed.map(({ region }) => region);
  return { fit: located.fit, before, remaining: located.remaining, notes: located.notes };
}

/** The place of an edit whose surroundings no earlier edit has touched; null where that cannot be said. */
function locateQuickly(text: string, edit: QuoteEdit, index: QuoteIndex, pieces: Pieces): Located | null {
  const { quote, occurrence } = edit.target;
  const starts = index.starts(quote);
  if (!starts || starts.length === 0) return null;
  // A quotation that begins with LF must not meet half of a CRLF, so the character before it counts too.
  const lead = quote.startsWith("\n") ? 1 : 0;
  if (lead > 0 && starts.some((start) => start === 0 || text[start - 1] === "\r")) return null;
  const alive = starts.filter((start) => pieces.untouched(start, start + quote.length));
  // Where only the character before it has changed, half of a CRLF may have come or gone.
  if (lead > 0 && alive.some((start) => !pieces.untouched(start - lead, start))) return null;
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
      if (feed < 0 || !pieces.untouched(start, Math.max(end, feed + 1))) return null;
    }
  const settled: Outcome<Located> = settleQuote(text, edit.target, edit.text, {
    fit: "exact",
    count: alive.length,
    regions,
  });
  return settled.ok ? settled.value : null;
}

type Pieces = ReturnType<typeof createPieces>;

/** The splices made so far, in order of place, disjoint. */
function createPieces(base: string) {
  let list: Splice[] = [];
  let joined: string | null = base;
  /** Index of the first splice that ends behind an offset. */
  const from = (offset: number): number => {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle]!.region.end <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    splices: (): readonly Splice[] => list,
    replace(splices: readonly Splice[]): void {
      list = [...splices];
      joined = null;
    },
    untouched(start: number, end: number): boolean {
      const next = list[from(start)];
      return next === undefined || next.region.start >= end;
    },
    add(splice: Splice): number {
      const at = from(splice.region.start);
      if (at === list.length) list.push(splice);
      else list.splice(at, 0, splice);
      joined = null;
      return at;
    },
    text(): string {
      joined ??= join(base, list);
      return joined;
    },
    /** What one splice wrote, with `reach` characters of the text around it. */
    around(at: number, reach: number): { readonly text: string; readonly written: Region } {
      const { region, text } = list[at]!;
      let before = "";
      for (let i = at - 1, end = region.start; before.length < reach; i--) {
        const other = list[i];
        const gap = base.slice(Math.max(other?.region.end ?? 0, end - (reach - before.length)), end);
        before = gap + before;
        if (!other || before.length >= reach) break;
        before = other.text + before;
        end = other.region.start;
      }
      let after = "";
      for (let i = at + 1, start = region.end; after.length < reach; i++) {
        const other = list[i];
        after += base.slice(
          start,
          Math.min(other?.region.start ?? base.length, start + reach - after.length),
        );
        if (!other || after.length >= reach) break;
        after += other.text;
        start = other.region.end;
      }
      before = before.slice(Math.max(0, before.length - reach));
      const written = { start: before.length, end: before.length + text.length };
      return { text: before + text + after.slice(0, reach), written };
    },
  };
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

/** Remembers the quotations that a splice may have brought about; they go the plain way from now on. */
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

/** Which splices hold what the newest ones wrote: their regions are those of the text before the newest. */
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
  /** Where a quotation stands in the first text; undefined where it is not indexed. */
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
        if (--budget >= 0 && view.startsWith(quote, start)) found(quote, start);
      });
  };
  const starts = new Map<string, number[]>(quotes.map((quote) => [quote, []]));
  scan(text, (quote, start) => starts.get(quote)!.push(start));
  const reach = quotes.reduce((longest, quote) => Math.max(longest, quote.length), 1) - 1;
  return { starts: (quote) => (budget < 0 ? undefined : starts.get(quote)), scan, reach };
}

/** Quotations that could end inside a CRLF, or that no probe fits, go the plain way. */
function isIndexed(quote: string): boolean {
  return quote.length >= probeLengths.at(-1)! && quote.length <= longestIndexed && !quote.endsWith("\r");
}

type Probe = { readonly quote: string; readonly offset: number };

/** How many stretches of a quotation are looked at for one that others do not share. */
const stretchesTried = 64;

/** The stretch of each quotation that the fewest others have: quotations of one file are often alike. */
function chooseProbes(
  quotes: readonly string[],
  length: number,
): readonly (Probe & { readonly hash: number })[] {
  const counts = new Map<number, number>();
  const stretches = quotes.map((quote) => {
    const last = quote.length - length;
    const step = Math.max(1, Math.ceil((last + 1) / stretchesTried));
    const found: { readonly offset: number; readonly hash: number }[] = [];
    for (let offset = last % step; offset <= last; offset += step) {
      const hash = hashOf(quote, offset, length);
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
      found.push({ offset, hash });
    }
    return found;
  });
  return stretches.map((found, i) => {
    const rarest = found.reduce((best, each) =>
      counts.get(each.hash)! < counts.get(best.hash)! ? each : best,
    );
    return { quote: quotes[i]!, ...rarest };
  });
}

function hashOf(text: string, offset: number, length: number): number {
  let hash = 0;
  for (let i = 0; i < length; i++) hash = roll(hash, text.charCodeAt(offset + i));
  return hash;
}

/** A pass over a text that names every place where one of the quotations may stand. */
function createProbes(quotes: readonly string[], length: number) {
  const byHash = new Map<number, Probe[]>();
  const seen = new Uint8Array(1 << 16);
  for (const { quote, offset, hash } of chooseProbes(quotes, length)) {
    const list = byHash.get(hash);
    if (list) list.push({ quote, offset });
    else byHash.set(hash, [{ quote, offset }]);
    seen[hash >>> 16] = 1;
  }
  let power = 1;
  for (let i = 0; i < length; i++) power = Math.imul(power, multiplier);
  return (text: string, maybe: (quote: string, start: number) => void): void => {
    if (quotes.length === 0 || text.length < length) return;
    let hash = 0;
    for (let i = 0; i < length; i++) hash = roll(hash, text.charCodeAt(i));
    for (let end = length; ; end++) {
      if (seen[hash >>> 16] === 1)
        for (const { quote, offset } of byHash.get(hash) ?? []) {
          const start = end - length - offset;
          if (start >= 0) maybe(quote, start);
        }
      if (end >= text.length) return;
      hash = (roll(hash, text.charCodeAt(end)) - Math.imul(text.charCodeAt(end - length), power)) >>> 0;
    }
  };
}

const multiplier = 0x9e3779b1;

function roll(hash: number, unit: number): number {
  return (Math.imul(hash, multiplier) + unit) >>> 0;
}
