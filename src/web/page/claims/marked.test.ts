import { expect, test } from "vitest";
import { cutPage, markWords, type Placed } from "./marked.ts";

const at = (line: number, from: number, to: number, truth: Placed["truth"] = "true"): Placed => ({
  startLine: line,
  endLine: line,
  startColumn: from,
  endColumn: to,
  truth,
});

test("every line of a page is in one stretch, and a line with claims begins one", () => {
  const text = "one\ntwo\nthree\nfour";
  const stretches = cutPage(text, [at(2, 1, 4)]);
  expect(stretches.map(({ first, lines }) => [first, lines.join("\n")])).toEqual([
    [1, "one"],
    [2, "two"],
    [3, "three\nfour"],
  ]);
});

test.each([
  ["words apart", "call a and b", [at(1, 6, 7), at(1, 12, 13, "false")], "call |a:true| and |b:false"],
  [
    "the inner one of two",
    "add(one)",
    [at(1, 1, 9, "undecidable"), at(1, 1, 4)],
    "add:true|(one):undecidable",
  ],
  ["a place behind the line", "ab", [at(1, 2, 90)], "a|b:true"],
  ["claims that cross", "abcd", [at(1, 1, 4), at(1, 3, 5, "false")], "ab:true|cd:false"],
])("%s", (_, text, claims, expected) => {
  const [stretch] = cutPage(text, claims);
  const pieces = markWords(stretch!);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  expect(pieces.map((piece) => (piece.truth ? `${piece.text}:${piece.truth}` : piece.text)).join("|")).toBe(
    expected,
  );
});
