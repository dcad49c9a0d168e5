import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changes, RUNS, splicesOf, texts } from "../../../test/laws/generators.ts";
import { measureWork } from "../../../test/work.ts";
import { applySplices, compose, createOffsetMap, invert, mapOffset, type Splice, tidy } from "./splice.ts";

const splice = (start: number, end: number, text: string): Splice => ({ region: { start, end }, text });

describe("applySplices", () => {
  test.each<[string, string, Splice[], string]>([
    ["nothing asked, nothing changed", "abc", [], "abc"],
    ["a replacement", "p OLD q", [splice(2, 5, "NEW")], "p NEW q"],
    ["dollar signs are literal", "p OLD q", [splice(2, 5, "$&$1$`$'$$")], "p $&$1$`$'$$ q"],
    ["insertion at the start", "abc", [splice(0, 0, "x")], "xabc"],
    ["insertion at the end", "abc", [splice(3, 3, "x")], "abcx"],
    ["everything deleted", "abc", [splice(0, 3, "")], ""],
    ["touching regions", "abcd", [splice(0, 2, "X"), splice(2, 2, "Y"), splice(2, 4, "Z")], "XYZ"],
    ["two insertions at one point keep their order", "ab", [splice(1, 1, "1"), splice(1, 1, "2")], "a12b"],
    ["mixed line endings around it survive", "a\r\nb\nc\rd", [splice(3, 4, "B")], "a\r\nB\nc\rd"],
  ])("%s", (_, text, splices, result) => {
    expect(applySplices(text, splices)).toBe(result);
  });

  test.each<[string, Splice[]]>([
    ["out of order", [splice(2, 3, ""), splice(0, 1, "")]],
    ["overlapping", [splice(0, 2, ""), splice(1, 3, "")]],
    ["reversed", [splice(2, 1, "")]],
    ["past the end", [splice(2, 9, "")]],
    ["before the start", [splice(-1, 1, "")]],
  ])("splices %s are a bug, so they throw", (_, splices) => {
    expect(() => applySplices("abc", splices)).toThrow(RangeError);
  });
});

test("invert restores the text", () => {
  fc.assert(
    fc.property(changes, ({ text, splices }) => {
      expect(applySplices(applySplices(text, splices), invert(text, splices))).toBe(text);
    }),
    { numRuns: RUNS },
  );
});

describe("compose", () => {
  test.each<[string, Splice[], Splice[], Splice[]]>([
    ["disjoint", [splice(0, 1, "xx")], [splice(4, 5, "y")], [splice(0, 1, "xx"), splice(3, 4, "y")]],
    [
      "two inside one inserted text",
      [splice(0, 0, "abcdef")],
      [splice(1, 2, "X"), splice(4, 5, "Y")],
      [splice(0, 0, "aXcdYf")],
    ],
    ["the second takes back the first", [splice(2, 2, "new")], [splice(2, 5, "")], []],
    [
      "the second covers several of the first",
      [splice(1, 2, "A"), splice(3, 4, "B")],
      [splice(0, 6, "-")],
      [splice(0, 6, "-")],
    ],
    [
      "the second starts inside the first",
      [splice(1, 3, "wxyz")],
      [splice(3, 6, "!")],
      [splice(1, 4, "wx!")],
    ],
    ["the second ends inside the first", [splice(2, 3, "wxyz")], [splice(1, 4, "!")], [splice(1, 3, "!yz")]],
    ["touching ones become one", [splice(0, 2, "x")], [splice(1, 2, "y")], [splice(0, 3, "xy")]],
    ["an insertion before an insertion", [splice(2, 2, "b")], [splice(2, 2, "a")], [splice(2, 2, "ab")]],
  ])("%s", (_, first, second, result) => {
    expect(compose(first, second)).toEqual(result);
  });

  const successive = fc
    .tuple(changes, fc.array(fc.tuple(fc.nat(12), fc.nat(8), texts), { maxLength: 6 }))
    .map(([first, drawn]) => ({
      ...first,
      second: splicesOf(applySplices(first.text, first.splices), drawn),
    }));

  test("equals one after the other, with regions that never touch", () => {
    fc.assert(
      fc.property(successive, ({ text, splices, second }) => {
        const both = compose(splices, second);
        expect(applySplices(text, both)).toBe(applySplices(applySplices(text, splices), second));
        for (let i = 1; i < both.length; i++)
          expect(both[i]!.region.start).toBeGreaterThan(both[i - 1]!.region.end);
      }),
      { numRuns: RUNS },
    );
  });

  test("a change and its inverse compose to no change", () => {
    fc.assert(
      fc.property(changes, ({ text, splices }) => {
        expect(tidy(text, compose(splices, invert(text, splices)))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("tidy", () => {
  test.each<[string, string, Splice[], Splice[]]>([
    ["equal text is dropped", "abc", [splice(0, 3, "abc")], []],
    ["equal ends are cut off", "the old way", [splice(0, 11, "the new way")], [splice(4, 7, "new")]],
    ["a repeated character is inserted once", "aa", [splice(0, 2, "aaa")], [splice(2, 2, "a")]],
    ["a repeated character is deleted once", "aaa", [splice(0, 3, "aa")], [splice(2, 3, "")]],
    ["high surrogates stay with their pair", "x😀", [splice(0, 3, "x😁")], [splice(1, 3, "😁")]],
    [
      "low surrogates stay with their pair",
      "\u{10400}y",
      [splice(0, 3, "\u{10800}y")],
      [splice(0, 2, "\u{10800}")],
    ],
  ])("%s", (_, text, splices, result) => {
    expect(tidy(text, splices)).toEqual(result);
  });

  test("keeps the result, stays inside the regions, and can be encoded piece by piece", () => {
    fc.assert(
      fc.property(changes, ({ text, splices }) => {
        const tidied = tidy(text, splices);
        const result = applySplices(text, splices);
        expect(applySplices(text, tidied)).toBe(result);
        const size = (list: readonly Splice[]) =>
          list.reduce((sum, { region, text }) => sum + region.end - region.start + text.length, 0);
        expect(size(tidied)).toBeLessThanOrEqual(size(splices));
        for (const each of tidied) {
          expect(
            splices.some(({ region }) => region.start <= each.region.start && each.region.end <= region.end),
          ).toBe(true);
          const whole = splices.every(
            ({ region }) => isWhole(text, region.start) && isWhole(text, region.end),
          );
          if (whole) expect(isWhole(text, each.region.start) && isWhole(text, each.region.end)).toBe(true);
          if (whole) expect(each.text).not.toMatch(/\p{Surrogate}/u);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe("mapOffset", () => {
  const changed = [splice(3, 5, "WXYZ"), splice(8, 8, "!!")];
  test.each<[string, number, number, number]>([
    ["before everything", 2, 2, 2],
    ["at the start of a replaced region", 3, 3, 3],
    ["inside a replaced region", 4, 3, 7],
    ["at the end of a replaced region", 5, 7, 7],
    ["between splices", 6, 8, 8],
    ["at an insertion", 8, 10, 12],
    ["after everything", 9, 13, 13],
  ])("%s", (_, offset, before, after) => {
    expect([mapOffset(offset, changed, "before"), mapOffset(offset, changed, "after")]).toEqual([
      before,
      after,
    ]);
  });

  test("untouched characters are found again, and order is kept", () => {
    fc.assert(
      fc.property(changes, ({ text, splices }) => {
        const result = applySplices(text, splices);
        const map = createOffsetMap(splices);
        let last = { before: 0, after: 0 };
        for (let offset = 0; offset <= text.length; offset++) {
          const mapped = {
            before: mapOffset(offset, splices, "before"),
            after: mapOffset(offset, splices, "after"),
          };
          expect({ before: map(offset, "before"), after: map(offset, "after") }).toEqual(mapped);
          expect(mapped.before).toBeLessThanOrEqual(mapped.after);
          expect(mapped.before).toBeGreaterThanOrEqual(last.before);
          expect(mapped.after).toBeGreaterThanOrEqual(last.after);
          const kept = (at: number) => !splices.some(({ region }) => region.start <= at && at < region.end);
          if (offset < text.length && kept(offset)) expect(result[mapped.after]).toBe(text[offset]);
          if (offset > 0 && kept(offset - 1)) expect(result[mapped.before - 1]).toBe(text[offset - 1]);
          last = mapped;
        }
      }),
      { numRuns: RUNS },
    );
  });
});

test("a hundred thousand offsets among as many splices are mapped in linear work", () => {
  const many = Array.from({ length: 100_000 }, (_, i) => splice(3 * i, 3 * i + 1, "xy"));
  const map = createOffsetMap(many);
  let wrong = 0;
  const work = measureWork(() => {
    for (let i = 0; i < many.length; i++) if (map(3 * i + 2) - 4 * i !== 3) wrong++;
  });
  expect(wrong).toBe(0);
  expect(work).toBeLessThan(20);
});

function isWhole(text: string, offset: number): boolean {
  return (
    !/^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(Math.max(offset - 1, 0), offset + 1)) || offset === 0
  );
}
