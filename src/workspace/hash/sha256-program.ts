// The memory of the program: the state, the constants, the schedule of a block, and the blocks to hash.
export const [stateAt, constantsAt, scheduleAt, blocksAt] = [0, 64, 320, 1024] as const;
export const blockSize = 64;
export const memorySize = 65_536;

/** What `printProgram` prints, in base64. Printing it takes longer than hashing a page. */
export const program = [
  "AGFzbQEAAAABBgFgAn9/AAMCAQAFAwEAAQcVAgZtZW1vcnkCAAhjb21wcmVzcwAACuwDAekDAQp/A0BBACECA0AgAiAAIAJqKAIA",
  "QQh4QYD+g3hxIAAgAmooAgBBGHhB/4H8B3FyNgLAAiACQQRqIQIgAkHAAEkNAAsDQCACIAIoAoACIAIoAqQCaiACKAKEAkEHeCAC",
  "KAKEAkESeHMgAigChAJBA3ZzaiACKAK4AkEReCACKAK4AkETeHMgAigCuAJBCnZzajYCwAIgAkEEaiECIAJBgAJJDQALQQAoAgAh",
  "A0EEKAIAIQRBCCgCACEFQQwoAgAhBkEQKAIAIQdBFCgCACEIQRgoAgAhCUEcKAIAIQpBACECA0AgCiAHQQZ4IAdBC3hzIAdBGXhz",
  "aiAHIAhxIAdBf3MgCXFzaiACKAJAaiACKALAAmohCyAJIQogCCEJIAchCCAGIAtqIQcgCyADQQJ4IANBDXhzIANBFnhzaiADIARx",
  "IAMgBXFzIAQgBXFzaiELIAUhBiAEIQUgAyEEIAshAyACQQRqIQIgAkGAAkkNAAtBAEEAKAIAIANqNgIAQQRBBCgCACAEajYCAEEI",
  "QQgoAgAgBWo2AgBBDEEMKAIAIAZqNgIAQRBBECgCACAHajYCAEEUQRQoAgAgCGo2AgBBGEEYKAIAIAlqNgIAQRxBHCgCACAKajYC",
  "ACAAQcAAaiEAIAAgAUkNAAsL",
].join("");

/** Instructions of WebAssembly that leave one value, or none. */
type Code = readonly number[];

// The local variables of the program.
const [from, to, at, sum] = [0, 1, 2, 11];
const [a, b, c, d, e, f, g, h] = [3, 4, 5, 6, 7, 8, 9, 10] as const;
const working = [a, b, c, d, e, f, g, h];

const get = (local: number): Code => [0x20, local];
const set = (local: number, value: Code): Code => [...value, 0x21, local];
const constant = (value: number): Code => [0x41, ...signed(value)];
const load = (address: Code, offset = 0): Code => [...address, 0x28, 2, ...unsigned(offset)];
const store = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  0x36,
  2,
  ...unsigned(offset),
];
const joined = (operation: number, values: readonly Code[]): Code =>
  values.flatMap((value, i) => (i === 0 ? value : [...value, operation]));
const add = (...values: Code[]): Code => joined(0x6a, values);
const and = (...values: Code[]): Code => joined(0x71, values);
const or = (...values: Code[]): Code => joined(0x72, values);
const xor = (...values: Code[]): Code => joined(0x73, values);
const turned = (value: Code, bits: number): Code => [...value, ...constant(bits), 0x78];
const shifted = (value: Code, bits: number): Code => [...value, ...constant(bits), 0x76];

/** Repeats `body`, then adds `step` to a local variable, until that reaches `end`. */
const repeat = (local: number, { step, end, body }: { step: number; end: Code; body: Code }): Code => [
  ...[0x03, 0x40, ...body, ...set(local, add(get(local), constant(step)))],
  ...[...get(local), ...end, 0x49, 0x0d, 0, 0x0b],
];

/** The program: it hashes the blocks between two addresses into the state. */
export function printProgram(): Uint8Array<ArrayBuffer> {
  const block = [...readBlock(), ...extendSchedule(), ...startRounds(), ...runRounds(), ...addToState()];
  const body = [1, 10, 0x7f, ...repeat(from, { step: blockSize, end: get(to), body: block }), 0x0b];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 2, 0x7f, 0x7f, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...named("memory"), 2, 0, ...named("compress"), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

/** The words of a block have their first byte at the top. */
function readBlock(): Code {
  const word = load(add(get(from), get(at)));
  const swapped = or(
    and(turned(word, 8), constant(0xff00ff00 | 0)),
    and(turned(word, 24), constant(0x00ff00ff)),
  );
  const body = store(get(at), swapped, scheduleAt);
  return [...set(at, constant(0)), ...repeat(at, { step: 4, end: constant(64), body })];
}

function extendSchedule(): Code {
  const earlier = (words: number): Code => load(get(at), scheduleAt - 4 * words);
  const [old, recent] = [earlier(15), earlier(2)];
  const value = add(
    earlier(16),
    earlier(7),
    xor(turned(old, 7), turned(old, 18), shifted(old, 3)),
    xor(turned(recent, 17), turned(recent, 19), shifted(recent, 10)),
  );
  return repeat(at, { step: 4, end: constant(256), body: store(get(at), value, scheduleAt) });
}

function startRounds(): Code {
  const loads = working.flatMap((local, i) => set(local, load(constant(stateAt + 4 * i))));
  return [...loads, ...set(at, constant(0))];
}

function runRounds(): Code {
  const choice = xor(and(get(e), get(f)), and(xor(get(e), constant(-1)), get(g)));
  const majority = xor(and(get(a), get(b)), and(get(a), get(c)), and(get(b), get(c)));
  const mixedE = xor(turned(get(e), 6), turned(get(e), 11), turned(get(e), 25));
  const mixedA = xor(turned(get(a), 2), turned(get(a), 13), turned(get(a), 22));
  const body = [
    ...set(sum, add(get(h), mixedE, choice, load(get(at), constantsAt), load(get(at), scheduleAt))),
    ...set(h, get(g)),
    ...set(g, get(f)),
    ...set(f, get(e)),
    ...set(e, add(get(d), get(sum))),
    ...set(sum, add(get(sum), mixedA, majority)),
    ...set(d, get(c)),
    ...set(c, get(b)),
    ...set(b, get(a)),
    ...set(a, get(sum)),
  ];
  return repeat(at, { step: 4, end: constant(256), body });
}

function addToState(): Code {
  return working.flatMap((local, i) => {
    const place = constant(stateAt + 4 * i);
    return store(place, add(load(place), get(local)));
  });
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

function named(name: string): Code {
  return [name.length, ...new TextEncoder().encode(name)];
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const rest = value >> 7;
  const isLast = (rest === 0 && (value & 64) === 0) || (rest === -1 && (value & 64) !== 0);
  return isLast ? [value & 127] : [(value & 127) | 128, ...signed(rest)];
}
