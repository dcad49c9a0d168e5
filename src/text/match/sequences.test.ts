import fc from "fast-check";
import { expect, test } from "vitest";
import { findSequences } from "./sequences.ts";

/** The plain way: every place, one after the other. */
function findPlainly(hay: readonly number[], needle: readonly number[]): number[] {
  return hay.flatMap((_, at) =>
    needle.length > 0 && needle.every((item, i) => hay[at + i] === item) ? [at] : [],
  );
}

const items = fc.array(fc.nat(2), { maxLength: 30 });
const needles = fc.array(fc.array(fc.nat(2), { maxLength: 5 }), { maxLength: 8 });

test("every place of a sequence is found, overlaps included", () => {
  fc.assert(
    fc.property(items, needles, (hay, many) => {
      const found = findSequences(hay, many, 100);
      expect(found.map(({ places }) => places)).toEqual(many.map((needle) => findPlainly(hay, needle)));
      expect(found.some(({ more }) => more)).toBe(false);
    }),
  );
});

test("past the limit the first places are kept, and others still found", () => {
  fc.assert(
    fc.property(items, needles, fc.integer({ min: 1, max: 4 }), (hay, many, limit) => {
      for (const [i, { places, more }] of findSequences(hay, many, limit).entries()) {
        const all = findPlainly(hay, many[i]!);
        expect(places).toEqual(all.slice(0, limit));
        expect(more).toBe(all.length >= limit);
      }
    }),
  );
});

test("unknown items are found nowhere", () => {
  expect(findSequences([-1, 0, -1, 7], [[0], [1]], 10)).toEqual([
    { places: [1], more: false },
    { places: [], more: false },
  ]);
});
