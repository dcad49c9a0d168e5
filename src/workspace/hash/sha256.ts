import { blockSize, blocksAt, constantsAt, memorySize, program, stateAt } from "./sha256-program.ts";

/**
 * SHA-256 as hexadecimal digits. Loading Node's cryptography takes a fifth of the start of a command, so the first bytes
 * of a process are hashed by a small WebAssembly program. A process that hashes more is worth the loading.
 */
export function sha256(input: string | Uint8Array): string {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  if (bytes.length > left) {
    left = 0;
    return process.getBuiltinModule("node:crypto").hash("sha256", bytes, "hex");
  }
  left -= bytes.length;
  hasher ??= new SmallHasher();
  return hasher.hash(bytes);
}

/** How many bytes the program still hashes. Node's hash is faster by more than its loading takes from here on. */
let left = 128 * 1024;
let hasher: SmallHasher | undefined;

// The types of Node leave it out.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Program };
};

type Program = {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly compress: (from: number, to: number) => void;
};

/** Hashes with the WebAssembly program. */
export class SmallHasher {
  readonly #memory: Uint8Array;
  readonly #state: Uint32Array;
  readonly #start: Uint32Array;
  readonly #compress: (from: number, to: number) => void;

  constructor() {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(program, "base64")));
    const { memory, compress } = exports;
    const primes = firstPrimes(64);
    this.#compress = compress;
    this.#memory = new Uint8Array(memory.buffer);
    this.#state = new Uint32Array(memory.buffer, stateAt, 8);
    this.#start = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
    new Uint32Array(memory.buffer, constantsAt, 64).set(primes.map((prime) => fraction(Math.cbrt(prime))));
  }

  hash(bytes: Uint8Array): string {
    this.#state.set(this.#start);
    const whole = bytes.length - (bytes.length % blockSize);
    const most = memorySize - blocksAt;
    for (let at = 0; at < whole; at += most) this.#add(bytes.subarray(at, Math.min(whole, at + most)));
    this.#add(lastBlocks(bytes.subarray(whole), bytes.length));
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, "0")).join("");
  }

  #add(blocks: Uint8Array): void {
    this.#memory.set(blocks, blocksAt);
    this.#compress(blocksAt, blocksAt + blocks.length);
  }
}

/** The rest of the input, a one bit, zeros, and the length of the whole input in bits. */
function lastBlocks(rest: Uint8Array, length: number): Uint8Array {
  const blocks = new Uint8Array(rest.length + 9 > blockSize ? 2 * blockSize : blockSize);
  blocks.set(rest);
  blocks[rest.length] = 0x80;
  new DataView(blocks.buffer).setUint32(blocks.length - 4, length * 8);
  return blocks;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}

/** The first 32 bits of the fraction of a number. */
function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32);
}
