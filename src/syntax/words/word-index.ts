import { hashRuns } from "./words.ts";

/**
 * Which words each of many texts holds, by the key of the text and the hash of the word. It can only rule texts out: a
 * text that may hold a name must still be read.
 */
export type WordIndex = {
  readonly has: (key: string) => boolean;
  readonly add: (key: string, text: string) => void;
  /** The hashes of the words of a text, which is added if it is not there. */
  readonly wordsOf: (key: string, text: string) => Uint32Array;
  /** Where the hashes of the words of a text are; undefined for a text that was never added. */
  readonly stretchOf: (key: string) => HashStretch | undefined;
  /** How many texts were added since the index was parsed. */
  readonly added: () => number;
  /** The index as bytes, of these keys alone; null where that is more than a cache should hold. */
  readonly print: (keys: ReadonlySet<string>) => Uint8Array | null;
};

/** A stretch of hashes, sorted. A view of them for each text would take longer to make than to search. */
export type HashStretch = { readonly hashes: Uint32Array; readonly start: number; readonly end: number };

// Another way to cut or hash words, or another layout, is another version: an index of the old version is dropped.
const VERSION = 1;
const MAGIC = 0x53575831;
const HEAD = 16;
const LARGEST = 96_000_000;

/** An index from its printed bytes; empty where the bytes are not an index. */
export function parseWordIndex(bytes: Uint8Array | null): WordIndex {
  const kept = bytes === null ? new Map<string, HashStretch>() : (parse(bytes) ?? new Map());
  let added = 0;
  const add = (key: string, text: string): Uint32Array => {
    if (!kept.has(key)) added++;
    const hashes = hashRuns(text);
    kept.set(key, { hashes, start: 0, end: hashes.length });
    return hashes;
  };
  return {
    has: (key) => kept.has(key),
    add,
    wordsOf: (key, text) => {
      const known = kept.get(key);
      return known ? wordsIn(known) : add(key, text);
    },
    stretchOf: (key) => kept.get(key),
    added: () => added,
    print: (keys) => print([...kept].filter(([key]) => keys.has(key))),
  };
}

function wordsIn({ hashes, start, end }: HashStretch): Uint32Array {
  return hashes.subarray(start, end);
}

/** Whether a text whose words have these hashes, or this stretch of them, may hold one of the names. */
export function createWordFilter(
  names: Iterable<string>,
): (hashes: Uint32Array, start?: number, end?: number) => boolean {
  const wanted = [...names].map((name) => [...hashRuns(name)]);
  // A name without a word in it is in no index, so any text may hold it.
  if (wanted.some((hashes) => hashes.length === 0)) return () => true;
  const byHash = Map.groupBy(wanted, ([first]) => first!);
  return (hashes, start = 0, end = hashes.length) => {
    const stretch = { hashes, start, end };
    // Looking up a few names costs less than passing over all words.
    if (wanted.length * 8 < end - start) return holdsOne(stretch, wanted);
    for (let at = start; at < end; at++) {
      const named = byHash.get(hashes[at]!);
      if (named !== undefined && holdsOne(stretch, named)) return true;
    }
    return false;
  };
}

/** Whether a stretch has all words of one of the names. A check asks this of every file, so nothing is allocated. */
function holdsOne(stretch: HashStretch, names: readonly (readonly number[])[]): boolean {
  for (const name of names) {
    let at = 0;
    while (at < name.length && holds(stretch, name[at]!)) at++;
    if (at === name.length) return true;
  }
  return false;
}

function holds({ hashes, start, end }: HashStretch, hash: number): boolean {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashes[middle]! < hash) low = middle + 1;
    else high = middle;
  }
  return low < end && hashes[low] === hash;
}

/** Head: magic, version, count, bytes of keys. Then the lengths of keys and of hashes, the keys, the hashes. */
function print(entries: readonly (readonly [string, HashStretch])[]): Uint8Array | null {
  const keys = new TextEncoder().encode(entries.map(([key]) => key).join("\n"));
  const padded = (keys.length + 3) & ~3;
  const words = entries.reduce((sum, [, { start, end }]) => sum + end - start, 0);
  const size = HEAD + entries.length * 4 + padded + words * 4;
  if (size > LARGEST) return null;
  const bytes = new Uint8Array(size);
  const head = new Uint32Array(bytes.buffer, 0, HEAD / 4 + entries.length);
  head.set([MAGIC, VERSION, entries.length, keys.length]);
  for (const [index, [, { start, end }]] of entries.entries()) head[HEAD / 4 + index] = end - start;
  bytes.set(keys, head.byteLength);
  const all = new Uint32Array(bytes.buffer, head.byteLength + padded, words);
  let at = 0;
  for (const [, stretch] of entries) {
    all.set(wordsIn(stretch), at);
    at += stretch.end - stretch.start;
  }
  return bytes;
}

function parse(bytes: Uint8Array): Map<string, HashStretch> | null {
  // A view of numbers must begin at a multiple of four, which a slice of a file does not.
  const whole = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  if (whole.length < HEAD || whole.length % 4 !== 0) return null;
  const numbers = new Uint32Array(whole.buffer, whole.byteOffset, whole.length / 4);
  const [magic, version, count, keyBytes] = numbers;
  if (magic !== MAGIC || version !== VERSION) return null;
  const keysAt = HEAD + count! * 4;
  const wordsAt = keysAt + ((keyBytes! + 3) & ~3);
  if (wordsAt > whole.length) return null;
  const keys = count === 0 ? [] : decodeKeys(whole.subarray(keysAt, keysAt + keyBytes!));
  if (keys.length !== count) return null;
  const kept = new Map<string, HashStretch>();
  let at = wordsAt / 4;
  for (const [index, key] of keys.entries()) {
    const end = at + numbers[HEAD / 4 + index]!;
    if (end > numbers.length) return null;
    kept.set(key, { hashes: numbers, start: at, end });
    at = end;
  }
  return kept;
}

function decodeKeys(bytes: Uint8Array): string[] {
  return new TextDecoder().decode(bytes).split("\n");
}
