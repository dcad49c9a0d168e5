const longestIndexed = 4096;
const probeLengths = [8, 3];
/** Verifications allowed in all; more means quotations chosen to defeat the index. */
const mostVerified = 2_000_000;

/** A place of an indexed quotation in a text. */
type IndexedPlace = { readonly quote: string; readonly start: number };

/**
 * Where many quotations occur in one text, looked up in a single pass, and a way to look for all of them in other texts.
 * Its loops call no closures: the compiler would start again for each index.
 */
export class QuoteIndex {
  /** One less than the longest indexed quotation. */
  readonly reach: number;
  readonly #probes: readonly Probes[];
  readonly #starts = new Map<string, number[]>();
  #budget = mostVerified;

  constructor(text: string, asked: readonly string[]) {
    const quotes = [...new Set(asked)].filter(isIndexed);
    this.#probes = probeLengths.map((length, i) => {
      const longer = probeLengths[i - 1] ?? Number.POSITIVE_INFINITY;
      return createProbes(
        quotes.filter((quote) => quote.length >= length && quote.length < longer),
        length,
      );
    });
    this.reach = quotes.reduce((longest, quote) => Math.max(longest, quote.length), 1) - 1;
    for (const quote of quotes) this.#starts.set(quote, []);
    for (const { quote, start } of this.find(text)) this.#starts.get(quote)!.push(start);
  }

  /** The places of a quotation in the first text; undefined if it is not indexed. */
  starts(quote: string): readonly number[] | undefined {
    return this.#budget < 0 ? undefined : this.#starts.get(quote);
  }

  /** All places of the indexed quotations in a text. */
  find(text: string): IndexedPlace[] {
    const places: IndexedPlace[] = [];
    for (const probes of this.#probes) if (probes.quotes.length > 0) this.#findBy(probes, text, places);
    return places;
  }

  #findBy(probes: Probes, text: string, places: IndexedPlace[]): void {
    const { quotes, offsets, length, byHash } = probes;
    for (let at = nextStretch(text, 0, probes); at >= 0; at = nextStretch(text, at + 1, probes)) {
      const alike = byHash.get(hashAt(text, at, length));
      if (alike === undefined) continue;
      for (const i of alike) {
        const quote = quotes[i]!;
        const start = at - offsets[i]!;
        if (start < 0 || --this.#budget < 0) continue;
        if (text.slice(start, start + quote.length) === quote) places.push({ quote, start });
      }
    }
  }
}

/** Quotations that could end inside a CRLF, or that are too short for a probe, are not indexed. */
function isIndexed(quote: string): boolean {
  return quote.length >= probeLengths.at(-1)! && quote.length <= longestIndexed && !quote.endsWith("\r");
}

/** Quotations, and the stretch of each by which it is found. */
type Probes = {
  readonly quotes: readonly string[];
  /** Where the stretch begins in each quotation. */
  readonly offsets: Int32Array;
  readonly length: number;
  /** Which quotations have a stretch with this hash. */
  readonly byHash: ReadonlyMap<number, readonly number[]>;
  /** The same hashes by their upper 19 bits. */
  readonly bits: Int32Array;
};

function createProbes(quotes: readonly string[], length: number): Probes {
  const offsets = chooseStretches(quotes, length);
  const byHash = new Map<number, number[]>();
  const bits = new Int32Array(1 << 14);
  for (let i = 0; i < quotes.length; i++) {
    const hash = hashAt(quotes[i]!, offsets[i]!, length);
    const alike = byHash.get(hash);
    if (alike) alike.push(i);
    else byHash.set(hash, [i]);
    bits[hash >>> 18]! |= 1 << (hash >>> 13);
  }
  return { quotes, offsets, length, byHash, bits };
}

/** How many stretches of a quotation are compared to find the rarest one. */
const stretchesTried = 64;

/** Where in each quotation the stretch begins that the fewest other quotations have: those of one file are often alike. */
function chooseStretches(quotes: readonly string[], length: number): Int32Array {
  const offsets = new Int32Array(quotes.length);
  if (quotes.length === 0) return offsets;
  const bits = Math.min(22, Math.ceil(Math.log2(4 * stretchesTried * quotes.length)));
  // Different stretches may share a counter. That makes the choice worse, never the result.
  const counts = new Uint32Array(2 ** bits);
  const slots = new Int32Array(stretchesTried);
  for (const quote of quotes) {
    const tried = slotStretches(quote, length, slots, bits);
    for (let i = 0; i < tried; i++) counts[slots[i]!]!++;
  }
  for (let at = 0; at < quotes.length; at++) {
    const quote = quotes[at]!;
    const tried = slotStretches(quote, length, slots, bits);
    let best = 0;
    for (let i = 1; i < tried; i++) if (counts[slots[i]!]! < counts[slots[best]!]!) best = i;
    offsets[at] = firstStretch(quote, length) + best * stepOf(quote, length);
  }
  return offsets;
}

/** Stretches are taken at even steps, and the last one ends with the quotation. */
function stepOf(quote: string, length: number): number {
  return Math.ceil((quote.length - length + 1) / stretchesTried);
}

function firstStretch(quote: string, length: number): number {
  return (quote.length - length) % stepOf(quote, length);
}

/** Writes the slot of the hash of each stretch that is tried, and returns their number. */
function slotStretches(quote: string, length: number, slots: Int32Array, bits: number): number {
  const step = stepOf(quote, length);
  const shift = shiftFor(length);
  let hash = 0;
  let tried = 0;
  for (let at = 0, next = firstStretch(quote, length) + length - 1; at < quote.length; at++) {
    hash = roll(hash, quote.charCodeAt(at), shift);
    if (at < next) continue;
    slots[tried++] = Math.imul(hash, spread) >>> (32 - bits);
    next += step;
  }
  return tried;
}

/** The next stretch of a text, from an offset on, whose hash may be one of the probes; -1 if there is none. */
function nextStretch(text: string, from: number, { length, bits }: Probes): number {
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

const spread = 0x9e3779b1;

const unitHashes = Int32Array.from({ length: 256 }, (_, unit) => {
  const mixed = Math.imul(unit + 1, spread);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
});
