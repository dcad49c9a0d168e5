import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { RUNS } from "../../../test/laws/generators.ts";
import { measureWork } from "../../../test/work.ts";
import { sha256 } from "./sha256.ts";

const reference = (data: Uint8Array | string): string => createHash("sha256").update(data).digest("hex");

test.each<[string, string, string]>([
  ["nothing", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
])("published value for %s", (_, text, hash) => {
  expect(sha256(text)).toBe(hash);
});

test("every length around the block size", () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) % 256);
    expect(sha256(bytes)).toBe(reference(bytes));
  }
});

test("equals the platform's on bytes and on text", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: "grapheme", maxLength: 100 }),
      (bytes, text) => {
        expect(sha256(bytes)).toBe(reference(bytes));
        expect(sha256(text)).toBe(reference(text));
      },
    ),
    { numRuns: RUNS },
  );
});

test("equals the platform's on long text with pairs across every border", () => {
  for (const lead of ["", "a", "é", "日"]) {
    const text = lead + "😀é日a\n".repeat(20_000);
    expect(sha256(text)).toBe(reference(text));
  }
});

test("halves of surrogate pairs are told apart, from each other and from U+FFFD", () => {
  const hashes = ["\uD83D", "\uD83E", "\uDE00", "\uFFFD", "\uD83Da", "a\uD83D", "\uDE00\uD83D", "😀"].map(
    sha256,
  );
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(sha256("é\uD83D")).toBe(reference(Uint8Array.of(0xc3, 0xa9, 0xed, 0xa0, 0xbd)));
});

test("hashes a megabyte in a few units of work", () => {
  const text = "an ordinary line of some text, ended by a feed\n".repeat(400_000);
  const works = [1, 2, 3].map(() => measureWork(() => sha256(text)) / (text.length / 1_000_000));
  expect(Math.min(...works)).toBeLessThan(3);
});
