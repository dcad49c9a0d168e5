/**
 * SHA-256 in hexadecimal. It is synchronous and needs no platform, so that a proof can be checked anywhere.
 * A string is hashed as UTF-8. UTF-8 has no form for half of a surrogate pair; it is hashed as the three bytes that its
 * code point would take, so that different strings have different hashes.
 */
export function sha256(data: Uint8Array | string): string {
  const hash = new Sha256();
  if (typeof data !== "string") hash.add(data);
  else for (const bytes of encodePieces(data)) hash.add(bytes);
  return hash.finish();
}

class Sha256 {
  readonly #state = new Int32Array(firstState);
  /** The bytes that do not fill a block yet, and their number. */
  readonly #rest = new Uint8Array(64);
  #held = 0;
  #length = 0;

  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    let at = 0;
    if (this.#held > 0) {
      at = Math.min(64 - this.#held, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#held);
      this.#held += at;
      if (this.#held < 64) return;
      mix(this.#state, this.#rest, 0);
    }
    for (; at + 64 <= bytes.length; at += 64) mix(this.#state, bytes, at);
    this.#rest.set(bytes.subarray(at));
    this.#held = bytes.length - at;
  }

  finish(): string {
    const bits = this.#length * 8;
    const end = new Uint8Array(this.#held < 56 ? 64 - this.#held : 128 - this.#held);
    end[0] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(end.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(end.length - 4, bits % 2 ** 32);
    this.add(end);
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }
}

/** The first 64 primes: the constants of SHA-256 are the fractions of their roots. */
const primes: readonly number[] = Array.from({ length: 312 }, (_, i) => i).filter(isPrime);

function isPrime(n: number): boolean {
  for (let factor = 2; factor * factor <= n; factor++) if (n % factor === 0) return false;
  return n > 1;
}

function fraction(root: number): number {
  return ((root % 1) * 2 ** 32) | 0;
}

const firstState = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const roundConstants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const schedule = new Int32Array(64);

/** Mixes one block of 64 bytes into the state. */
function mix(state: Int32Array, bytes: Uint8Array, start: number): void {
  for (let i = 0, at = start; i < 16; i++, at += 4)
    schedule[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  for (let i = 16; i < 64; i++) {
    const x = schedule[i - 15]!;
    const y = schedule[i - 2]!;
    const low = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const high = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    schedule[i] = (schedule[i - 16]! + low + schedule[i - 7]! + high) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const rotatedE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + rotatedE + ((e & f) ^ (~e & g)) + roundConstants[i]! + schedule[i]!) | 0;
    const rotatedA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (rotatedA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

const pieceLength = 16384;
const scratch = new Uint8Array(3 * pieceLength);

/** The bytes of a string in pieces; each is valid until the next is asked for. */
function* encodePieces(text: string): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + pieceLength, text.length);
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    const piece = text.slice(at, end);
    const size = piece.isWellFormed() ? encoder.encodeInto(piece, scratch).written : encodeLoosely(piece);
    yield scratch.subarray(0, size);
    at = end;
  }
}

/** UTF-8 that also spells halves of surrogate pairs. */
function encodeLoosely(piece: string): number {
  let size = 0;
  for (const character of piece) {
    const point = character.codePointAt(0)!;
    if (point < 0x80) scratch[size++] = point;
    else {
      const more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
      scratch[size++] = [0, 0xc0, 0xe0, 0xf0][more]! | (point >> (6 * more));
      for (let i = more - 1; i >= 0; i--) scratch[size++] = 0x80 | ((point >> (6 * i)) & 0x3f);
    }
  }
  return size;
}
