import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createWordFilter, parseWordIndex, type WordIndex } from "./word-index.ts";
import { createWordFinder, hashRuns } from "./words.ts";

const all = (index: ReturnType<typeof parseWordIndex>, keys: string[]): Uint8Array =>
  index.print(new Set(keys))!;

test("a text that holds a name is never ruled out, and printing loses nothing", () => {
  const word = fc.constantFrom(
    "a",
    "read",
    "read_all",
    "dry-run",
    "--dry",
    "é",
    "x.y",
    "$",
    "read all",
    "B2",
  );
  fc.assert(
    fc.property(
      fc.array(fc.array(word), { maxLength: 6 }),
      fc.array(word, { minLength: 1 }),
      (texts, names) => {
        const index = parseWordIndex(null);
        const keys = texts.map((words, at) => {
          index.add(`k${at}`, words.join(" "));
          return `k${at}`;
        });
        const again = parseWordIndex(all(index, keys));
        const find = createWordFinder(names);
        const may = keys.filter(holders(again, names));
        expect(may).toEqual(keys.filter(holders(index, names)));
        texts.forEach((words, at) => {
          if (find(words.join(" ")).length) expect(may).toContain(`k${at}`);
          expect(again.wordsOf(`k${at}`, "")).toEqual(hashRuns(words.join(" ")));
        });
      },
    ),
  );
});

describe("bytes that are not an index give an empty index", () => {
  const index = parseWordIndex(null);
  index.add("k", "some words");
  const bytes = all(index, ["k"]);
  const rows: [name: string, bytes: Uint8Array][] = [
    ["nothing", new Uint8Array()],
    ["other bytes", new TextEncoder().encode("not an index, but long enough to be read as one")],
    ["one cut short", bytes.slice(0, -4)],
    ["one of another version", Uint8Array.from(bytes, (byte, at) => (at === 4 ? byte + 1 : byte))],
    ["one whose counts lead beyond its end", Uint8Array.from(bytes, (byte, at) => (at === 8 ? 255 : byte))],
  ];
  test.each(rows)("%s", (_, kept) => {
    expect(parseWordIndex(kept).has("k")).toBe(false);
  });
  test("an index is read at any offset of a larger buffer", () => {
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(parseWordIndex(shifted.subarray(1)).has("k")).toBe(true);
  });
});

test("only the requested keys are printed, and a text that was never added may hold any name", () => {
  const index = parseWordIndex(null);
  index.add("old", "one");
  index.add("new", "two");
  const again = parseWordIndex(all(index, ["new"]));
  expect([again.has("old"), again.has("new"), again.added()]).toEqual([false, true, 0]);
  expect(["old", "new"].filter(holders(again, ["one"]))).toEqual(["old"]);
  expect(again.wordsOf("newest", "three")).toEqual(hashRuns("three"));
  expect([again.has("newest"), again.added()]).toEqual([true, 1]);
});

/** Whether the text of a key may hold one of the names, or was never added. */
function holders(index: WordIndex, names: readonly string[]): (key: string) => boolean {
  const mayHold = createWordFilter(names);
  return (key) => {
    const stretch = index.stretchOf(key);
    return stretch === undefined || mayHold(stretch.hashes, stretch.start, stretch.end);
  };
}
