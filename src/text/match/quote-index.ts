/** Where many quotations occur in one text, and a way to look for all of them in other texts. */
export type QuoteIndex = {
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

/** Looks all quotations up in a single pass over the text. */
export function indexQuotes(text: string, asked: readonly string[]): QuoteIndex {
  const quotes = [...new Set(asked)].filter(isIndexed);
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
