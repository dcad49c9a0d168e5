import { hashRuns } from "./words.ts";

/**
 * Which words each of many texts holds, by the key of the text and the hash of the word. It can only rule texts out: a
 * text that may hold a name must still be read.
 */
export type WordIndex = {
  readonly has: (key: string) => boolean;
  readonly add: (key: string, text: string) => void;
  /** Of these keys, those whose texts may hold one of the names, and those that were never added. */
  readonly mayHold: (keys: Iterable<string>, names: readonly string[]) => Set<string>;
  /** How many texts were added since the index was parsed. */
  readonly added: () => number;
  /** The index as bytes, of these keys alone; null where that is more than a cache should hold. */
  readonly print: (keys: ReadonlySet<string>) => Uint8Array | null;
};

// Another way to cut or hash words, or another layout, is another version: an index of the old version is dropped.
const VERSION = 1;
const MAGIC = 0x53575831;
const HEAD = 16;
const LARGEST = 96_000_000;

/** An index from its printed bytes; empty where the bytes are not an index. */
export function parseWordIndex(bytes: Uint8Array | null): WordIndex {
  const kept = bytes === null ? new Map<string, Uint32Array>() : (parse(bytes) ?? new Map());
  let added = 0;
  return {
    has: (key) => kept.has(key),
    add: (key, text) => {
      if (!kept.has(key)) added++;
      kept.set(key, hashRuns(text));
    },
    mayHold: (keys, names) => findCandidates(kept, keys, names),
    added: () => added,
    print: (keys) => print([...kept].filter(([key]) => keys.has(key))),
  };
}

function findCandidates(
  kept: ReadonlyMap<string, Uint32Array>,
  keys: Iterable<string>,
  names: readonly string[],
): Set<string> {
  const mayHold = createWordFilter(names);
  const candidates = new Set<string>();
  for (const key of keys) {
    const hashes = kept.get(key);
    if (!hashes || mayHold(hashes)) candidates.add(key);
  }
  return candidates;
}

/** Whether a text whose words have these hashes may hold one of the names. */
export function createWordFilter(names: Iterable<string>): (hashes: Uint32Array) => boolean {
  const wanted = [...names].map((name) => [...hashRuns(name)]);
  // A name without a word in it is in no index, so any text may hold it.
  if (wanted.some((hashes) => hashes.length === 0)) return () => true;
  const byHash = Map.groupBy(wanted, ([first]) => first!);
  return (hashes) =>
    // Looking up a few names costs less than passing over all words.
    wanted.length * 8 < hashes.length
      ? wanted.some((name) => name.every((one) => holds(hashes, one)))
      : holdsOne(hashes, byHash);
}

function holdsOne(hashes: Uint32Array, byHash: ReadonlyMap<number, readonly number[][]>): boolean {
  for (const hash of hashes) {
    const names = byHash.get(hash);
    if (names?.some((name) => name.every((one) => holds(hashes, one)))) return true;
  }
  return false;
}

function holds(hashes: Uint32Array, hash: number): boolean {
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashes[middle]! < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash;
}

/** Head: magic, version, count, bytes of keys. Then the lengths of keys and of hashes, the keys, the hashes. */
function print(entries: readonly (readonly [string, Uint32Array])[]): Uint8Array | null {
  const keys = new TextEncoder().encode(entries.map(([key]) => key).join("\n"));
  const padded = (keys.length + 3) & ~3;
  const words = entries.reduce((sum, [, hashes]) => sum + hashes.length, 0);
  const size = HEAD + entries.length * 4 + padded + words * 4;
  if (size > LARGEST) return null;
  const bytes = new Uint8Array(size);
  const head = new Uint32Array(bytes.buffer, 0, HEAD / 4 + entries.length);
  head.set([MAGIC, VERSION, entries.length, keys.length]);
  for (const [index, [, hashes]] of entries.entries()) head[HEAD / 4 + index] = hashes.length;
  bytes.set(keys, head.byteLength);
  const all = new Uint32Array(bytes.buffer, head.byteLength + padded, words);
  let at = 0;
  for (const [, hashes] of entries) {
    all.set(hashes, at);
    at += hashes.length;
  }
  return bytes;
}

function parse(bytes: Uint8Array): Map<string, Uint32Array> | null {
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
  const kept = new Map<string, Uint32Array>();
  let at = wordsAt / 4;
  for (const [index, key] of keys.entries()) {
    const end = at + numbers[HEAD / 4 + index]!;
    if (end > numbers.length) return null;
    kept.set(key, numbers.subarray(at, end));
    at = end;
  }
  return kept;
}

function decodeKeys(bytes: Uint8Array): string[] {
  return new TextDecoder().decode(bytes).split("\n");
}
