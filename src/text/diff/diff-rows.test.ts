import fc from "fast-check";
import { expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import { type DiffLine, type DiffSegment, diffRows, diffWords } from "./diff-rows.ts";

const marked = (segments: readonly DiffSegment[]): string =>
  segments.map(({ text, changed }) => (changed ? `[${text}]` : text)).join("");

test.each([
  [
    "The timeout is 30 seconds.",
    "The timeout is 60 seconds.",
    "The timeout is [30] seconds.",
    "The timeout is [60] seconds.",
  ],
  ["call `old()` here", "call `fresh()` here", "call `[old]()` here", "call `[fresh]()` here"],
  ["a b", "a  b", "a[ ]b", "a[  ]b"],
  ["nothing in common", "ganz anders formuliert", "[nothing in common]", "[ganz anders formuliert]"],
  ["größe", "grösse", "[größe]", "[grösse]"],
])("words that differ: %s", (before, after, left, right) => {
  expect(diffWords(before, after).map(marked)).toEqual([left, right]);
});

test("a change of line endings alone is a row of its own with a note", () => {
  expect(diffRows("a\r\nb\n", "a\nb\n", 1)[0]).toMatchObject({
    kind: "changed",
    left: { ending: "\r\n" },
    right: { ending: "\n" },
  });
});

test("rows give back both texts, whatever they are", () => {
  const text = fc
    .array(fc.constantFrom("a", "b b", "c\t", "", "d", "e "), { maxLength: 30 })
    .map((lines) => lines.join("\n"));
  const joined = (lines: (DiffLine | undefined)[]): string =>
    lines.flatMap((line) => (line ? line.segments.map((segment) => segment.text).join("") : [])).join("\n");
  const plain = (value: string): string => value.replace(/\n$/, "");
  fc.assert(
    fc.property(text, text, (before, after) => {
      const rows = diffRows(before, after, 1);
      expect(joined(rows.map(({ left }) => left))).toBe(plain(before));
      expect(joined(rows.map(({ right }) => right))).toBe(plain(after));
    }),
    { numRuns: 2000 },
  );
});

test("a line of five million characters is compared in linear work", () => {
  const long = "x".repeat(5_000_000);
  const work = measureWork(() => {
    const [left] = diffWords(`${long}a${long}`, `${long}b${long}`);
    expect(left!.find(({ changed }) => changed)?.text).toBe("a");
  });
  expect(work).toBeLessThan(200);
});
