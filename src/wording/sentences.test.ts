import { expect, test } from "vitest";
import { sentence } from "./sentences.ts";

test.each([
  ["the file is a link", "The file is a link."],
  ["done.", "Done."],
  ["readme.md is not a baseline", "readme.md is not a baseline."],
  ["docs/guide is outside", "docs/guide is outside."],
  ["local:model gave no answer", "local:model gave no answer."],
  ["x86_64 is no name", "x86_64 is no name."],
])("%s becomes a sentence that keeps every name", (text, expected) => {
  expect(sentence(text)).toBe(expected);
});
