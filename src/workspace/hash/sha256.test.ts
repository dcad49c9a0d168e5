import { hash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SmallHasher, sha256 } from "./sha256.ts";
import { printProgram, program } from "./sha256-program.ts";

const small = new SmallHasher();

test("the program is the one that its source prints", () => {
  expect(program).toBe(Buffer.from(printProgram()).toString("base64"));
});

test("every length around the size of a block has the hash that Node computes", () => {
  for (let length = 0; length <= 300; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255);
    expect(small.hash(bytes)).toBe(hash("sha256", bytes));
  }
});

test("lengths around the memory of the program have the hash that Node computes", () => {
  for (const middle of [64_512, 129_024])
    for (const length of [middle - 65, middle - 64, middle - 1, middle, middle + 1, middle + 64]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) & 255);
      expect(small.hash(bytes)).toBe(hash("sha256", bytes));
    }
});

test("any bytes and any text have the hash that Node computes, however much a process has hashed", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), fc.string({ unit: "binary" }), (bytes, text) => {
      expect(small.hash(bytes)).toBe(hash("sha256", bytes));
      expect(sha256(bytes)).toBe(hash("sha256", bytes));
      expect(sha256(text)).toBe(hash("sha256", text));
    }),
    { numRuns: 1000 },
  );
});
