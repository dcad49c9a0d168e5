import type { Region } from "../../text/model/region.ts";

/** A name in a text, as a whole word, with its offset. */
export type WordMention = Region & { readonly name: string };

/**
 * Finds every whole-word mention of many names in one pass over a text: each run of word characters is hashed as it
 * is read and looked up once, so the cost does not grow with the number of names. A word character is an ASCII
 * letter, a digit or an underscore; a flag (`--dry`) does not match inside a longer one (`--dry-run`).
 */
export function createWordFinder(names: Iterable<string>): (text: string) => WordMention[] {
  const sought = [...new Set(names)].filter((name) => name !== "").map(anchored);
  const table = createTable(sought.filter(({ length }) => length > 0));
  const wordless = sought.filter(({ length }) => length === 0).map(({ name }) => name);
  return (text) => {
    const mentions: WordMention[] = [];
    if (table)
      scan(text, table, (run, bucket) => mentions.push(...matchesAt(text, run, table.buckets[bucket]!)));
    if (wordless.length === 0) return mentions;
    for (const name of wordless)
      for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
        mentions.push({ name, start: at, end: at + name.length });
    return mentions.sort((a, b) => a.start - b.start || a.end - b.end);
  };
}

/** Finds which of many names a text holds as whole words. A name that was found is not looked for in the rest of the text. */
export function createNameFinder(names: Iterable<string>): (text: string) => readonly string[] {
  const sought = [...new Set(names)].filter((name) => name !== "").map(anchored);
  const table = createTable(sought.filter(({ length }) => length > 0));
  const wordless = sought.filter(({ length }) => length === 0).map(({ name }) => name);
  const done = new Uint32Array(table?.buckets.length ?? 0);
  let round = 0;
  return (text) => {
    const found = new Set(wordless.filter((name) => text.includes(name)));
    round++;
    if (table)
      scan(text, table, (run, at) => {
        if (done[at] === round) return;
        const bucket = table.buckets[at]!;
        for (const { name } of matchesAt(text, run, bucket)) found.add(name);
        if (bucket.every(({ name }) => found.has(name))) done[at] = round;
      });
    return [...found];
  };
}

/** The hashes of the runs of word characters of a text, each once, in ascending order. */
export function hashRuns(text: string): Uint32Array {
  seen.clear();
  const { length } = text;
  for (let at = 0; at < length; ) {
    let code = text.charCodeAt(at);
    if (code > 127 || IS_WORD[code] === 0) {
      at++;
      continue;
    }
    let hash = 0;
    do {
      hash = next(hash, code);
      code = ++at < length ? text.charCodeAt(at) : 0;
    } while (code < 128 && IS_WORD[code] === 1);
    seen.add(hash);
  }
  return seen.sorted();
}

/** A set of hashes that is cleared without touching its slots: one that was written in an earlier round is empty. */
class HashSet {
  private slots = new Int32Array(1 << 12);
  private rounds = new Uint32Array(1 << 12);
  private round = 0;
  private members = new Uint32Array(1 << 11);
  private size = 0;

  clear(): void {
    this.size = 0;
    if (++this.round < 0xffffffff) return;
    this.rounds.fill(0);
    this.round = 1;
  }

  add(hash: number): void {
    const mask = this.slots.length - 1;
    let slot = spread(hash) & mask;
    while (this.rounds[slot] === this.round) {
      if (this.slots[slot] === hash) return;
      slot = (slot + 1) & mask;
    }
    this.slots[slot] = hash;
    this.rounds[slot] = this.round;
    this.members[this.size++] = hash;
    if (this.size === this.members.length) this.grow();
  }

  sorted(): Uint32Array {
    return this.members.slice(0, this.size).sort();
  }

  private grow(): void {
    const members = this.members;
    this.slots = new Int32Array(this.slots.length * 2);
    this.rounds = new Uint32Array(this.slots.length);
    this.members = new Uint32Array(members.length * 2);
    this.round = 1;
    this.size = 0;
    for (const hash of members) this.add(hash | 0);
  }
}

/** A name and the run of word characters in it by which it is found: the longest, for it is the rarest. */
type Sought = { readonly name: string; readonly at: number; readonly length: number; readonly hash: number };

function anchored(name: string): Sought {
  let best = { at: 0, length: 0 };
  for (const run of name.matchAll(/[A-Za-z0-9_]+/g))
    if (run[0].length > best.length) best = { at: run.index, length: run[0].length };
  let hash = 0;
  for (let i = best.at; i < best.at + best.length; i++) hash = next(hash, name.charCodeAt(i));
  return { name, ...best, hash };
}

/** Open addressing by hash: a slot holds one more than the index of a list in `buckets`, or 0. */
type Table = {
  readonly mask: number;
  readonly slots: Int32Array;
  readonly hashes: Int32Array;
  readonly buckets: readonly (readonly Sought[])[];
};

function createTable(sought: readonly Sought[]): Table | undefined {
  if (sought.length === 0) return undefined;
  const byHash = new Map<number, Sought[]>();
  for (const each of sought) {
    const bucket = byHash.get(each.hash);
    if (bucket) bucket.push(each);
    else byHash.set(each.hash, [each]);
  }
  let size = 64;
  while (size < byHash.size * 4) size *= 2;
  const slots = new Int32Array(size);
  const hashes = new Int32Array(size);
  const buckets = [...byHash.values()];
  buckets.forEach((bucket, index) => {
    let slot = spread(bucket[0]!.hash) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = index + 1;
    hashes[slot] = bucket[0]!.hash;
  });
  return { mask: size - 1, slots, hashes, buckets };
}

function next(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}

const seen = new HashSet();

const IS_WORD = new Uint8Array(128);
for (let code = 0; code < 128; code++) IS_WORD[code] = /[A-Za-z0-9_]/.test(String.fromCharCode(code)) ? 1 : 0;

/** Hands over each run of word characters that a bucket has the hash of, and the index of the bucket. */
function scan(text: string, table: Table, take: (run: Region, bucket: number) => void): void {
  const { mask, slots, hashes } = table;
  const { length } = text;
  for (let at = 0; at < length; ) {
    let code = text.charCodeAt(at);
    if (code > 127 || IS_WORD[code] === 0) {
      at++;
      continue;
    }
    const start = at;
    let hash = 0;
    do {
      hash = next(hash, code);
      code = ++at < length ? text.charCodeAt(at) : 0;
    } while (code < 128 && IS_WORD[code] === 1);
    for (let slot = spread(hash) & mask; slots[slot] !== 0; slot = (slot + 1) & mask)
      if (hashes[slot] === hash) {
        take({ start, end: at }, slots[slot]! - 1);
        break;
      }
  }
}

function matchesAt(text: string, run: Region, bucket: readonly Sought[]): WordMention[] {
  const found: WordMention[] = [];
  for (const sought of bucket) {
    const from = run.start - sought.at;
    const to = from + sought.name.length;
    if (
      sought.length === run.end - run.start &&
      from >= 0 &&
      text.startsWith(sought.name, from) &&
      isBounded(text, sought.name, from, to)
    )
      found.push({ name: sought.name, start: from, end: to });
  }
  return found;
}

/** Whether neither end of a match goes on into a longer word, or a longer flag. */
function isBounded(text: string, name: string, from: number, to: number): boolean {
  if (isWord(name.charCodeAt(0)) && isWord(text.charCodeAt(from - 1))) return false;
  if (isWord(name.charCodeAt(name.length - 1)) && isWord(text.charCodeAt(to))) return false;
  if (name.charCodeAt(0) !== 45) return true;
  const before = text.charCodeAt(from - 1);
  return !isWord(before) && before !== 45 && !(text.charCodeAt(to) === 45 && isWord(text.charCodeAt(to + 1)));
}

function isWord(code: number): boolean {
  return code < 128 && IS_WORD[code] === 1;
}
