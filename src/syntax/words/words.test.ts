import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createWordFinder, hashRuns } from "./words.ts";

const find = (names: string[], text: string) =>
  createWordFinder(names)(text).map(({ name, start }) => `${name}@${start}`);

test.each<[string, string[], string, string[]]>([
  ["whole words only", ["foo"], "foo foobar _foo foo. (foo)", ["foo@0", "foo@16", "foo@22"]],
  ["dashes and dots part words", ["foo"], "foo-bar a.foo", ["foo@0", "foo@10"]],
  [
    "longer names by their longest word",
    ["a.longest", "x/y.ts"],
    "a.longest xa.longest x/y.ts x/y.tsx",
    ["a.longest@0", "x/y.ts@21"],
  ],
  [
    "a flag is not part of a longer one",
    ["--dry", "-v"],
    "--dry --dry-run a--dry ---dry -v -vv x-v",
    ["--dry@0", "-v@30"],
  ],
  [
    "several names at one place",
    ["b", "a.b", "a"],
    "a.b",
    ["a@0", "b@2", "a.b@0"].sort((x, y) => x.localeCompare(y)),
  ],
  ["letters outside ASCII part words", ["foo"], "使用foo函数 éfoo", ["foo@2", "foo@9"]],
  ["names without a word character", ["数", "→"], "数a→", ["数@0", "→@2"]],
  [
    "names that every object has",
    ["constructor", "__proto__"],
    "constructor __proto__ toString",
    ["constructor@0", "__proto__@12"],
  ],
  ["nothing sought, nothing found", [], "foo", []],
  ["an empty name is no name", [""], "foo", []],
])("%s", (_, names, text, expected) => {
  expect(find(names, text).sort()).toEqual([...expected].sort());
});

describe("laws", () => {
  const name = fc.stringMatching(/^[ab_-]{0,2}[ab][ab0._-]{0,3}$/);
  const text = fc
    .array(fc.constantFrom("a", "b", "0", "_", "-", ".", " ", "é"), { maxLength: 40 })
    .map((each) => each.join(""));

  test("it finds the same mentions as one search per name", () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 8 }), text, (names, words) => {
        const expected = names.flatMap((each) => searchOne(each, words));
        expect(find(names, words).sort()).toEqual(expected.sort());
      }),
      { numRuns: 3000 },
    );
  });
});

function searchOne(name: string, text: string): string[] {
  const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character);
  const found: string[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text[at - 1], text[at + name.length]];
    if (isWord(name[0]) && isWord(before)) continue;
    if (isWord(name.at(-1)) && isWord(after)) continue;
    if (name.startsWith("-") && (isWord(before) || before === "-")) continue;
    if (name.startsWith("-") && after === "-" && isWord(text[at + name.length + 1])) continue;
    // The word it is found by must be a whole one: a name that ends inside a word has a word character there.
    found.push(`${name}@${at}`);
  }
  return found;
}

test("the hashes of a text are those of its words, each once, however many there are", () => {
  const words = Array.from({ length: 9000 }, (_, index) => `word${index % 5000}`);
  const hashOf = (word: string): number =>
    [...word].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, 0) >>> 0;
  const expected = [...new Set(words.map(hashOf))].sort((a, b) => a - b);
  expect([...hashRuns("another text before")]).toHaveLength(3);
  expect([...hashRuns(words.join(" "))]).toEqual(expected);
  expect([...hashRuns("word1 word1")]).toEqual([hashOf("word1")]);
});
