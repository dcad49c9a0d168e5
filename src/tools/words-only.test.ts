import fc from "fast-check";
import { expect, test } from "vitest";
import { stillParses } from "../syntax/check.ts";
import { applySplices } from "../text/model/splice.ts";
import { changesWordsOnly } from "./words-only.ts";

const line = fc.constantFrom(
  ...[
    "```",
    "~~~js",
    "````",
    "::: note",
    ":::",
    "!!! tip",
    "- one two",
    "1. three",
    "   ```",
    "  deep",
    "> said",
  ],
  ...[
    "plain words here",
    "",
    "# Title",
    "Title",
    "---",
    "===",
    "{% raw %}",
    "<details>",
    "</details>",
    "<!-- a",
  ],
);
const page = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
const words = fc.stringMatching(/^[a-c1 ,'`~:\n-]{0,4}$/);

test("a page parses as before where only words have changed within its lines", async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(page, fc.nat(), fc.nat(6), words, async (text, at, length, now) => {
      const start = text.length === 0 ? 0 : at % text.length;
      const region = { start, end: Math.min(text.length, start + length) };
      const splices = [{ region, text: now }];
      const after = applySplices(text, splices);
      const before = { path: "page.md", text, version: "" };
      if (!changesWordsOnly({ path: before.path, before, splices, after })) return;
      found++;
      expect(await stillParses(before.path, text, after)).toEqual({ ok: true, value: true });
    }),
  );
  expect(found).toBeGreaterThan(0);
});

test.each([
  ["a word of a sentence", "page.md", "Say one word.\n", "one", "another", true],
  ["a word at the start of a line", "page.md", "One word.\n", "One", "Two", true],
  ["a fence that loses a letter before it", "page.md", "x```\n", "x", "", false],
  ["the number of a list item that holds a fence", "page.md", "1. ```\n   a\n   ```\n", "1", "10", false],
  ["a new line", "page.md", "One word.\n", "word", "word\n```", false],
  ["a page with metadata", "page.md", "---\ntitle: a\n---\n", "a", "b", false],
  ["a page whose form is told by the lengths of lines", "page.rst", "One\n===\n", "One", "Three", false],
  ["source code", "page.ts", "const a = 1;\n", "a", "b", false],
])("%s", (_, path, text, old, now, isWordsOnly) => {
  const start = text.indexOf(old);
  const splices = [{ region: { start, end: start + old.length }, text: now }];
  const change = {
    path,
    before: { path, text, version: "" },
    splices,
    after: applySplices(text, splices),
  };
  expect(changesWordsOnly(change)).toBe(isWordsOnly);
});
