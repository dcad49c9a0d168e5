import { expect, test } from "vitest";
import { parsePassages, saysNone } from "./passage-answer.ts";

const passage = { kind: "false", page: "It is 3.", code: "const n = 5;", now: "It is 5." };

test.each([
  ["as it was asked for", "FALSE\npage: It is 3.\ncode: const n = 5;\nnow: It is 5."],
  ["in quotation marks", 'FALSE\npage: "It is 3."\ncode: `const n = 5;`\nnow: It is 5.'],
  ["in bold", "**FALSE**\n**page:** It is 3.\n**code:** const n = 5;\n**now:** It is 5."],
  ["in a list", "1. FALSE\n   - page: It is 3.\n   - code: const n = 5;\n   - now: It is 5."],
  [
    "after a sentence",
    "Here is what I found.\n\nFALSE:\npage: It is 3.\ncode: const n = 5;\nnow: It is 5.\n",
  ],
])("a passage %s is read", (_, text) => {
  expect(parsePassages(text)).toEqual([passage]);
});

test("several blocks are read, and one without words of the page or without a sentence is none", () => {
  const text =
    "FALSE\npage: a\ncode: b\nnow: c\n\nMISSING\npage: d\nnow: e\n\nFALSE\ncode: x\nnow: y\n\nFALSE\npage: z";
  expect(parsePassages(text)).toEqual([
    { kind: "false", page: "a", code: "b", now: "c" },
    { kind: "missing", page: "d", code: "", now: "e" },
  ]);
});

test("prose is no passage, and NONE is an answer", () => {
  expect(parsePassages("The page may be wrong.\npage: a\nnow: b")).toEqual([]);
  expect(["NONE", "**NONE**", "Nothing is concerned: NONE."].map(saysNone)).toEqual([true, true, true]);
  expect(saysNone("I cannot help with that.")).toBe(false);
});
