import fc from "fast-check";
import { expect, test } from "vitest";
import { findGaps } from "./align.ts";
import { compareFile, compareFiles, pairLines } from "./comparison.ts";
import { splitLines } from "./tokens.ts";

const line = fc.constantFrom(
  "",
  "a",
  "read(path)",
  "read(file)",
  "  return path",
  "é — ü",
  "write(path, mode)",
);
const text = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 12 })
  .map((lines) => lines.flat().join(""));
const side = fc.option(text, { nil: null });

test("the lines of rewrites are those of the two texts, whatever ends them", () => {
  fc.assert(
    fc.property(side, side, (before, after) => {
      const { rewrites } = compareFile({ path: "a.ts", before, after });
      const [old, fresh] = [before, after].map((one) => (one === null ? [] : splitLines(one)));
      expect(rewrites.map(({ gap }) => gap)).toEqual(before === after ? [] : findGaps(old!, fresh!));
      for (const { gap, removed, added } of rewrites) {
        expect(removed.map(({ text }) => text)).toEqual(old!.slice(gap.oldStart, gap.oldEnd));
        expect(added.map(({ text }) => text)).toEqual(fresh!.slice(gap.newStart, gap.newEnd));
        expect(removed.map(({ number }) => number)).toEqual(removed.map((_, at) => gap.oldStart + at + 1));
        expect(added.map(({ number }) => number)).toEqual(added.map((_, at) => gap.newStart + at + 1));
      }
    }),
  );
});

test("a pair has a line of each side", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      for (const { removed, added } of compareFile({ path: "a.ts", before, after }).rewrites)
        for (const pair of pairLines(removed, added)) {
          expect(removed).toContain(pair.old);
          expect(added).toContain(pair.new);
        }
    }),
  );
});

test("rewrites that were dropped are cut out again, with the same lines", () => {
  const long = (word: string): string => Array.from({ length: 9000 }, (_, i) => `${word} ${i}`).join("\n");
  const files = ["a", "b", "c"].map((name) => ({ path: name, before: long(name), after: long(`${name}2`) }));
  const [first, second, third] = compareFiles(files);
  const shown = first!.rewrites;
  expect(first!.rewrites).toBe(shown);
  expect([second!.rewrites.length, third!.rewrites.length]).toEqual([1, 1]);
  expect(first!.rewrites).not.toBe(shown);
  expect(first!.rewrites).toEqual(compareFile(files[0]!).rewrites);
  const small = compareFile({ path: "d", before: "a\n", after: "b\n" });
  expect(small.rewrites).toBe(small.rewrites);
});
