import { accept, type Outcome, refuse } from "./outcome.ts";
import type { Region } from "./region.ts";
import type { Splice } from "./splice.ts";

/**
 * How the text of a file is written as bytes. A byte order mark is a character of the text, so that
 * encoding a decoded text gives back every byte. `utf-8-stray` is UTF-8 with invalid bytes: each of them
 * becomes a lone surrogate U+DC80 to U+DCFF. It is used only on request. `8-bit` is an unknown
 * encoding that extends ASCII: every byte beyond ASCII becomes such a surrogate.
 */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "utf-8-stray" | "8-bit";

export type Decoded = { readonly text: string; readonly encoding: Encoding };

export const byteOrderMark = "\uFEFF";

/** The text of a file; the refusal names the first byte that is not text. */
export function decode(bytes: Uint8Array, options: { strayBytes?: "keep" } = {}): Outcome<Decoded> {
  const encoding = markedEncoding(bytes);
  if (options.strayBytes === "keep" && encoding === "utf-8") return accept(decodeStray(bytes));
  let text: string;
  try {
    text = (encoding === "utf-8" ? strictUtf8 : strictDecoder(encoding)).decode(bytes);
  } catch {
    return encoding === "utf-8"
      ? refuse({ code: "not-text", offset: firstBadByte(bytes, 0), why: "not valid UTF-8" })
      : refuse({ code: "not-text", offset: firstBadUnit(bytes, encoding), why: "not valid UTF-16" });
  }
  const nul = encoding === "utf-8" ? bytes.indexOf(0) : 2 * text.indexOf("\0");
  if (nul >= 0)
    return refuse({ code: "not-text", offset: nul, why: "contains a NUL, so it is not a text file" });
  return accept({ text, encoding });
}

function strictDecoder(encoding: "utf-8" | "utf-16le" | "utf-16be") {
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
}

const strictUtf8 = strictDecoder("utf-8");

/** The bytes of a text; refuses characters that the encoding cannot hold. */
export function encode(text: string, encoding: Encoding): Outcome<Uint8Array> {
  const foreign = encoding === "8-bit" ? text.search(notAscii) : -1;
  if (foreign >= 0)
    return refuse({
      code: "not-text",
      offset: foreign,
      why: "the file is not UTF-8, and the new text is not ASCII",
    });
  if (encoding === "utf-8-stray" || encoding === "8-bit") return encodeStray(text);
  const lone = loneSurrogate(text);
  if (lone >= 0) return refuse({ code: "not-text", offset: lone, why: "holds half of a surrogate pair" });
  return accept(encoding === "utf-8" ? new TextEncoder().encode(text) : encodeUnits(text, encoding));
}

/** Characters that are neither ASCII nor a byte that `decode` kept as a surrogate. */
const notAscii = /[^\u0000-\u007f\udc80-\udcff]|[\ud800-\udbff]/;

/**
 * The bytes after the splices. All bytes outside the splices are copied from `bytes` and never encoded
 * again, so they cannot change.
 */
export function spliceBytes(
  bytes: Uint8Array,
  text: string,
  encoding: Encoding,
  splices: readonly Splice[],
): Outcome<Uint8Array> {
  const inserted = encodeEach(splices, encoding);
  if (!inserted.ok) return inserted;
  const regions = byteRegions(bytes, text, encoding, splices);
  const removed = regions.reduce((sum, { start, end }) => sum + end - start, 0);
  const result = new Uint8Array(bytes.length - removed + inserted.value.bytes.length);
  // A view without the class of `bytes`: parts of a Node buffer take longer to make.
  const source = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  let [at, kept, used] = [0, 0, 0];
  for (let i = 0; i < regions.length; i++) {
    const { start, end } = regions[i]!;
    result.set(source.subarray(kept, start), at);
    at += start - kept;
    kept = end;
    const stop = inserted.value.ends[i]!;
    if (stop - used > shortCopy) {
      result.set(inserted.value.bytes.subarray(used, stop), at);
      at += stop - used;
      used = stop;
    }
    while (used < stop) result[at++] = inserted.value.bytes[used++]!;
  }
  result.set(source.subarray(kept), at);
  return accept(result);
}

/** Fewer bytes than this are copied one by one. */
const shortCopy = 64;

type EncodedTexts = { readonly bytes: Uint8Array; readonly ends: readonly number[] };

/** The bytes of the new texts, one behind the other, and where each ends. Thousands of small arrays would cost more. */
function encodeEach(splices: readonly Splice[], encoding: Encoding): Outcome<EncodedTexts> {
  for (const { text } of splices)
    if (encoding === "8-bit" || encoding === "utf-8-stray" || !text.isWellFormed()) {
      const alone = encode(text, encoding);
      if (!alone.ok) return alone;
    }
  const joined = splices.map(({ text }) => text).join("");
  const encoded = encode(joined, encoding);
  if (!encoded.ok) return encoded;
  const ends: number[] = [];
  let [unit, byte] = [0, 0];
  for (const { text } of splices) {
    const region = { start: unit, end: unit + text.length };
    byte += byteOffset(joined, encoding, region, encoded.value.length);
    ends.push(byte);
    unit = region.end;
  }
  return accept({ bytes: encoded.value, ends });
}

/** The regions of the splices, counted in bytes. */
function byteRegions(
  bytes: Uint8Array,
  text: string,
  encoding: Encoding,
  splices: readonly Splice[],
): Region[] {
  const isUtf8 = encoding === "utf-8" && bytes.length !== text.length;
  const byteAt = (offset: number, unit: number, byte: number): number => {
    if (!isUtf8) return byte + byteOffset(text, encoding, { start: unit, end: offset }, bytes.length);
    const rest = text.length - offset;
    return rest < offset - unit ? unitsBack(bytes, rest) : unitsOn(bytes, byte, offset - unit);
  };
  let [unit, byte] = [0, 0];
  return splices.map(({ region }) => {
    const start = byteAt(region.start, unit, byte);
    byte = byteAt(region.end, region.start, start);
    unit = region.end;
    return { start, end: byte };
  });
}

/** Offset of the first lone half of a surrogate pair, or -1. */
export function loneSurrogate(text: string): number {
  if (text.isWellFormed()) return -1;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if ((unit & 0xf800) !== 0xd800) continue;
    if (unit >= 0xdc00 || (text.charCodeAt(i + 1) & 0xfc00) !== 0xdc00) return i;
    i++;
  }
  return -1;
}

function markedEncoding(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return "utf-8";
}

/** The number of bytes of a region. `total`: the number of bytes of the whole text, where it is known. */
function byteOffset(text: string, encoding: Encoding, { start, end }: Region, total?: number): number {
  if (encoding === "utf-16le" || encoding === "utf-16be") return 2 * (end - start);
  if (total === text.length) return end - start;
  if (encoding === "utf-8-stray" || encoding === "8-bit") return strayLength(text, start, end);
  return utf8Length(text, start, end);
}

/** The byte so many UTF-16 units behind a byte of valid UTF-8 at which a character begins. */
function unitsOn(bytes: Uint8Array, from: number, units: number): number {
  let at = from;
  let left = units;
  if (left > 2 * blockUnits) {
    const { words, first } = wordsOf(bytes);
    for (; (at - first) % 4 !== 0; at++) left -= unitsOf(bytes[at]!);
    for (; left > blockUnits; at += 4 * blockWords) left -= unitsInBlock(words, (at - first) / 4);
  }
  for (; left > 0; at++) left -= unitsOf(bytes[at]!);
  while (at < bytes.length && continues(bytes[at]!)) at++;
  return at;
}

/** The byte so many UTF-16 units before the end of valid UTF-8. */
function unitsBack(bytes: Uint8Array, units: number): number {
  let at = bytes.length;
  let left = units;
  if (left > 2 * blockUnits) {
    const { words, first } = wordsOf(bytes);
    while ((at - first) % 4 !== 0) left -= unitsOf(bytes[--at]!);
    for (; left > blockUnits; at -= 4 * blockWords)
      left -= unitsInBlock(words, (at - first) / 4 - blockWords);
  }
  while (left > 0) left -= unitsOf(bytes[--at]!);
  return at;
}

/** How many UTF-16 units begin with a byte: two for a sequence of four bytes, none in the middle of a sequence. */
function unitsOf(byte: number): number {
  if (continues(byte)) return 0;
  return byte >= 0xf0 ? 2 : 1;
}

/** The bytes by fours, and the byte at which the first four begin. */
function wordsOf(bytes: Uint8Array): { readonly words: Int32Array; readonly first: number } {
  const first = -bytes.byteOffset & 3;
  const count = (bytes.length - first) >> 2;
  return { words: new Int32Array(bytes.buffer, bytes.byteOffset + first, count), first };
}

const blockWords = 64;
/** No block holds more units than this: four bytes hold at most five. */
const blockUnits = 5 * blockWords;

/** The sum of `unitsOf` over a block, four bytes at a time: each byte of a sum counts one byte of the words. */
function unitsInBlock(words: Int32Array, start: number): number {
  let inside = 0;
  let long = 0;
  for (let i = start; i < start + blockWords; i++) {
    const word = words[i]!;
    const high = (word >>> 7) & 0x01010101;
    inside += high & ~(word >>> 6);
    long += high & (word >>> 6) & (word >>> 5) & (word >>> 4);
  }
  return 4 * blockWords - sumOfBytes(inside) + sumOfBytes(long);
}

function sumOfBytes(word: number): number {
  const pairs = (word & 0x00ff00ff) + ((word >>> 8) & 0x00ff00ff);
  return (pairs & 0xffff) + (pairs >>> 16);
}

const scratch = new Uint8Array(1 << 16);

function utf8Length(text: string, start: number, end: number): number {
  const encoder = new TextEncoder();
  let length = 0;
  let at = start;
  while (at < end) {
    // A slice that ended between the halves of a pair would encode each half as U+FFFD.
    let stop = Math.min(end, at + 16384);
    if (stop < end && (text.charCodeAt(stop - 1) & 0xfc00) === 0xd800) stop--;
    length += encoder.encodeInto(text.slice(at, stop), scratch).written;
    at = stop;
  }
  return length;
}

function strayLength(text: string, start: number, end: number): number {
  let length = 0;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) length += 1;
    else if (unit < 0x800) length += 2;
    else if ((unit & 0xfc00) === 0xd800) {
      length += 4;
      i++;
    } else length += (unit & 0xfc00) === 0xdc00 ? 1 : 3;
  }
  return length;
}

function encodeUnits(text: string, encoding: "utf-16le" | "utf-16be"): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  const [low, high] = encoding === "utf-16le" ? [0, 1] : [1, 0];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[2 * i + low] = unit & 0xff;
    bytes[2 * i + high] = unit >> 8;
  }
  return bytes;
}

/** Decodes UTF-8 with invalid bytes. If most bytes beyond ASCII are invalid, the encoding is `8-bit`. */
function decodeStray(bytes: Uint8Array): Decoded {
  try {
    return { text: strictUtf8.decode(bytes), encoding: "utf-8" };
  } catch {
    // The bytes have to be looked at one by one.
  }
  const { stray, sequences } = countBeyondAscii(bytes);
  if (stray > sequences) return { text: decodeOpaque(bytes), encoding: "8-bit" };
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const bad = firstBadByte(bytes, at);
    pieces.push(strictUtf8.decode(bytes.subarray(at, bad)));
    at = bad;
    while (at < bytes.length && sequenceLength(bytes, at) === 0)
      pieces.push(String.fromCharCode(0xdc00 + bytes[at++]!));
  }
  return { text: pieces.join(""), encoding: "utf-8-stray" };
}

/** How many bytes are not UTF-8, and how many sequences of several bytes are. */
function countBeyondAscii(bytes: Uint8Array): { readonly stray: number; readonly sequences: number } {
  let [stray, sequences] = [0, 0];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at]! < 0x80 ? 1 : sequenceLength(bytes, at);
    if (length === 0) stray++;
    else if (length > 1) sequences++;
    at += Math.max(1, length);
  }
  return { stray, sequences };
}

function decodeOpaque(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += opaqueChunk)
    pieces.push(
      String.fromCharCode(...bytes.subarray(at, at + opaqueChunk)).replace(/[\u0080-\u00ff]/g, (unit) =>
        String.fromCharCode(0xdc00 + unit.charCodeAt(0)),
      ),
    );
  return pieces.join("");
}

const opaqueChunk = 8192;

function encodeStray(text: string): Outcome<Uint8Array> {
  const encoder = new TextEncoder();
  const result = new Uint8Array(strayLength(text, 0, text.length));
  let at = 0;
  let clean = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if ((unit & 0xf800) !== 0xd800) continue;
    if (unit < 0xdc00) {
      if ((text.charCodeAt(i + 1) & 0xfc00) !== 0xdc00)
        return refuse({ code: "not-text", offset: i, why: "holds half of a surrogate pair" });
      i++;
      continue;
    }
    if (unit < 0xdc80 || unit > 0xdcff)
      return refuse({ code: "not-text", offset: i, why: "holds half of a surrogate pair" });
    at += encoder.encodeInto(text.slice(clean, i), result.subarray(at)).written;
    result[at++] = unit - 0xdc00;
    clean = i + 1;
  }
  encoder.encodeInto(text.slice(clean), result.subarray(at));
  return accept(result);
}

/** Offset of the first byte from `at` on that is not part of valid UTF-8; the length where all is. */
function firstBadByte(bytes: Uint8Array, at: number): number {
  while (at < bytes.length) {
    if (bytes[at]! < 0x80) {
      at++;
      continue;
    }
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

/** Length of the UTF-8 sequence that starts here; 0 where none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const second = bytes[at + 1] ?? 0;
  if (first >= 0xc2 && first <= 0xdf) return continues(second) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    if (first === 0xe0 && second < 0xa0) return 0;
    if (first === 0xed && second > 0x9f) return 0;
    return continues(second) && continues(bytes[at + 2] ?? 0) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    if (first === 0xf0 && second < 0x90) return 0;
    if (first === 0xf4 && second > 0x8f) return 0;
    return continues(second) && continues(bytes[at + 2] ?? 0) && continues(bytes[at + 3] ?? 0) ? 4 : 0;
  }
  return 0;
}

function continues(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function firstBadUnit(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be"): number {
  const [low, high] = encoding === "utf-16le" ? [0, 1] : [1, 0];
  const unitAt = (at: number): number => (bytes[at + high] ?? 0) * 256 + (bytes[at + low] ?? 0);
  let at = 0;
  for (; at + 1 < bytes.length; at += 2) {
    const unit = unitAt(at);
    if ((unit & 0xf800) !== 0xd800) continue;
    if (unit >= 0xdc00 || at + 3 >= bytes.length || (unitAt(at + 2) & 0xfc00) !== 0xdc00) return at;
    at += 2;
  }
  return at;
}
