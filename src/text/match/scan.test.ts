import fc from "fast-check";
import { expect, test } from "vitest";
import { scan } from "./scan.ts";

function placesOf(text: string, needle: string): number[] {
  const places: number[] = [];
  scan(text, needle, 0, (start) => places.push(start) > 0);
  return places;
}

/** Words that repeat, so that long needles overlap themselves and nearly match. */
const words = fc
  .array(fc.constantFrom("a", "a", "ab", "abcdefg", "line\n", "é…"), { minLength: 1, maxLength: 12 })
  .chain((parts) => fc.integer({ min: 1, max: 90 }).map((times) => parts.join("").repeat(times)));

test("every place of a needle is found, however long and periodic it is", () => {
  let longest = 0;
  fc.assert(
    fc.property(words, words, words, fc.nat(), fc.nat(), (head, middle, tail, from, length) => {
      const text = head + middle + tail + middle;
      const start = from % text.length;
      const needle = text.slice(start, start + 1 + (length % 600));
      const wanted: number[] = [];
      for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) wanted.push(at);
      expect(placesOf(text, needle)).toEqual(wanted);
      expect(placesOf(text, `${needle}x`)).toEqual([]);
      longest = Math.max(longest, needle.length);
    }),
    { numRuns: 1000 },
  );
  expect(longest).toBeGreaterThan(500);
});
