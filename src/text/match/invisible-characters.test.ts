import fc from "fast-check";
import { expect, test } from "vitest";
import { codeName, findInvisibleCharacters } from "./invisible-characters.ts";

test.each([
  ["plain words, tabs\tand\nlines", []],
  ["a\u202eb", ["bidi U+202E"]],
  ["a\u200bb\ufeff", ["hidden U+200B", "hidden U+FEFF"]],
  ["ring\u0007 \u001b[31m \r", ["control U+0007", "control U+001B", "control U+000D"]],
  ["tag \u{e0061}", ["hidden U+E0061"]],
  ["\u2066x\u2069", ["bidi U+2066", "bidi U+2069"]],
  ["p\u0430ypal", ["stranger U+0430"]],
  ["пароль and password", []],
  ["Ωmega", ["stranger U+03A9"]],
  ["family \u{1f468}\u200d\u{1f469}", []],
])("hidden characters in %j are named", (text, expected) => {
  const found = findInvisibleCharacters(text, { strangers: true });
  expect(found.map(({ kind, code }) => `${kind} ${codeName(code)}`)).toEqual(expected);
});

test("regions are in order, apart, and hold the character they name", () => {
  const unit = fc.constantFrom("a", "а", "\u202e", "\u200b", "\u{e0061}", "\n", "\u001b", " ", "я");
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const text = units.join("");
      let last = 0;
      for (const { start, end, code } of findInvisibleCharacters(text, { strangers: true })) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(text.slice(start, end)).toBe(String.fromCodePoint(code));
        last = end;
      }
    }),
    { numRuns: 500 },
  );
});
