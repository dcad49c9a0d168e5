import { expect, test } from "vitest";
import { type Behaviour, findTitles, hasTitle, loadBehaviours, loadTitles } from "./behaviours.ts";

const behaviours = loadBehaviours("behaviours");
const threats = loadBehaviours("threats");
const titles = loadTitles();

test("every numbered behaviour is listed once, in order", () => {
  const numbers = (letter: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${letter}${i + 1}`);
  const all = [...numbers("S", 86), ...numbers("J", 88), ...numbers("W", 104)];
  expect(behaviours.map(({ id }) => id)).toEqual(all);
});

test("every threat is listed once", () => {
  const ids = threats.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z]+-\d\d$/.test(id))).toEqual([]);
});

test.each([
  ["behaviour", behaviours],
  ["threat", threats],
])("every %s has a sentence and tests that exist under their exact titles", (_, table: Behaviour[]) => {
  expect(table.filter(({ behaviour }) => !/^[A-Z].*\.$/.test(behaviour)).map(({ id }) => id)).toEqual([]);
  expect(table.filter(({ tests }) => tests.length === 0).map(({ id }) => id)).toEqual([]);
  const missing = table.flatMap(({ id, tests }) =>
    tests.filter(({ file, title }) => !hasTitle(titles, file, title)).map((missed) => ({ id, ...missed })),
  );
  // A file that was renamed: `npm run behaviours -- --move` follows its titles.
  expect(missing).toEqual([]);
});

test("no test title carries a code", () => {
  const coded = [...titles].flatMap(([file, { calls, rows }]) =>
    [
      ...[...calls].filter((title) => /\b[A-Z]\d{1,3}\b/.test(title)),
      ...[...rows].filter((title) => /^([A-Z]\d{1,3}\b[,:]? )+[a-z]/.test(title)),
    ].map((title) => `${file}: ${title}`),
  );
  expect(coded).toEqual([]);
});

test.each([
  ["a plain test", 'test("one", () => {});', ["one"], []],
  ["a conditional test", 'test.skipIf(windows)("two", () => {});', ["two"], []],
  ["a table", 'test.each([["three", 3]])("%s", () => {});', ["%s"], ["three"]],
  ["a group with a placeholder", `describe(\`four \${1 + 1}\`, () => {});`, ["four …"], []],
  ["a call of something else", 'load("five");', [], []],
])("titles are found in %s", (_, text, calls, rows) => {
  const found = findTitles("a.test.ts", text);
  expect([[...found.calls], [...found.rows].filter((row) => row !== "")]).toEqual([calls, rows]);
});
