import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import { findQuote } from "./quote.ts";
import { scan } from "./scan.ts";

describe("finding a quotation", () => {
  const rows: [string, string, string, string, number, [number, number][]][] = [
    ["one match", "abc", "b", "exact", 1, [[1, 2]]],
    ["no match", "abc", "x", "exact", 0, []],
    ["one space too many is no match", "a b", "a  b", "exact", 0, []],
    ["letter case matters", "Foo", "foo", "exact", 0, []],
    ["overlapping matches are counted", "aaa", "aa", "exact", 2, [[0, 2]]],
    ["metacharacters are literal", "a.*b", ".*", "exact", 1, [[1, 3]]],
    ["characters beyond the basic plane match", "x😀y", "😀", "exact", 1, [[1, 3]]],
    ["LF quote in a CRLF text", "a\r\nb\r\nc", "a\nb", "line-endings", 1, [[0, 4]]],
    ["CRLF quote in an LF text", "a\nb\nc", "a\r\nb", "line-endings", 1, [[0, 3]]],
    ["a quote that ends with the ending", "a\r\nb", "a\n", "line-endings", 1, [[0, 3]]],
    ["a quote that starts with the ending", "a\r\nb", "\nb", "line-endings", 1, [[1, 4]]],
    ["an exact match is tried first", "a\nb a\r\nb", "a\nb", "exact", 1, [[0, 3]]],
    ["a lone CR is not a line ending", "a\rb", "a\nb", "exact", 0, []],
  ];
  test.each(rows)("%s", (_, text, quote, fit, count, regions) => {
    expect(findQuote(text, quote)).toEqual({
      fit,
      count,
      regions: regions.map(([start, end]) => ({ start, end })),
    });
  });

  test("matches are counted on text with normalized line endings", () => {
    expect(findQuote("a\nb a\r\nb", "a\nb", { countFolded: true })).toMatchObject({
      fit: "line-endings",
      count: 2,
    });
    expect(findQuote("a\nb\r\n", "a\nb", { countFolded: true })).toMatchObject({ fit: "exact", count: 1 });
  });

  test("within a region only", () => {
    expect(findQuote("x a x a x", "a", { within: { start: 4, end: 9 } }).regions).toEqual([
      { start: 6, end: 7 },
    ]);
    expect(findQuote("a\r\nb a\r\nb", "a\nb", { within: { start: 4, end: 9 } }).regions).toEqual([
      { start: 5, end: 9 },
    ]);
  });
});

test("the scan finds the same places as a comparison at every offset", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 60 });
  fc.assert(
    fc.property(
      word,
      fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 24 }),
      (text, needle) => {
        const found: number[] = [];
        scan(text, needle, 0, (start) => found.push(start) > 0);
        const looked = [...text].map((_, i) => i).filter((i) => text.startsWith(needle, i));
        expect(found).toEqual(looked);
      },
    ),
    { numRuns: 10_000 },
  );
});

describe("no quotation makes the search slow", () => {
  const size = 1_000_000;
  const rows: [string, string, string][] = [
    ["all the same, the odd one first", "a".repeat(size), `b${"a".repeat(size / 2)}`],
    ["all the same, the odd one last", "a".repeat(size), `${"a".repeat(size / 2)}b`],
    [
      "all the same, the odd one in the middle",
      "a".repeat(size),
      `${"a".repeat(size / 4)}b${"a".repeat(size / 4)}`,
    ],
    ["everywhere, overlapping", "a".repeat(size), "a".repeat(size / 2)],
    ["a long period", "ab".repeat(size / 2), `${"ab".repeat(size / 4)}b`],
    ["short and everywhere", "a".repeat(size), "aa"],
    ["identical lines", "same line\n".repeat(size / 10), "same line\n".repeat(size / 20)],
    ["identical lines, CRLF", "same line\r\n".repeat(size / 11), "same line\n".repeat(size / 22)],
  ];
  test.each(rows)("matching takes linear work: %s", (_, text, quote) => {
    expect(measureWork(() => findQuote(text, quote, { limit: 12 }))).toBeLessThan(25);
  });
});
