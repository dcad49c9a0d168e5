import { expect, test } from "vitest";
import { type Collateral, judgeEdit } from "./judge.ts";

const file = (text: string | Uint8Array, mode = 0o644) => ({
  bytes: typeof text === "string" ? new TextEncoder().encode(text) : text,
  mode,
});
const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");
const edit = (old: string, fresh: string, all = false) =>
  ({ does: "edit", path: "a.md", edits: [{ old, fresh, all }] }) as const;

test.each<[string, string, string, string, string]>([
  ["one place", "a\nb\nc\n", "b", "B", "a\nB\nc\n"],
  ["a file with carriage returns", "a\r\nb\r\nc\r\n", "a\nb", "A\nB", "A\r\nB\r\nc\r\n"],
  ["dollar signs", "p OLD q\n", "OLD", "$&", "p $& q\n"],
  ["a deletion", "a\nb\nc\n", "b\n", "", "a\nc\n"],
  ["mixed line endings that stay", "a\r\nb\nc\r\n", "b", "B", "a\r\nB\nc\r\n"],
])("%s: an honest edit is proven", (_name, before, old, fresh, after) => {
  expect(judgeEdit(edit(old, fresh), file(before), file(after))).toEqual([]);
});

test("an honest edit of every place is proven", () => {
  expect(judgeEdit(edit("b", "B", true), file("b b\n"), file("B B\n"))).toEqual([]);
});

test.each<[string, string | Uint8Array, string, string, string | Uint8Array, Collateral[]]>([
  [
    "mixed line endings that were flattened",
    "a\r\nb\nc\r\nd\n",
    "b",
    "B",
    "a\nB\nc\nd\n",
    [{ what: "line-endings", count: 2, line: 1 }],
  ],
  ["a byte that was destroyed", latin("caf\xe9\nb\n"), "b", "B", "caf\ufffd\nB\n", [{ what: "encoding" }]],
  ["a mark that was lost", "\ufeffa\nb\n", "b", "B", "a\nB\n", [{ what: "byte-order-mark", is: "lost" }]],
  ["a final newline that was added", "a\nb", "a", "A", "A\nb\n", [{ what: "final-newline", is: "added" }]],
  [
    "a place that was guessed",
    "x := 1\ny := 2\n",
    "y = 2",
    "y = 3",
    "x := 1\ny = 3\n",
    [{ what: "guessed", line: 2 }],
  ],
  ["another text than asked", "a\nb\nc\n", "b", "B", "a\nBX\nc\n", [{ what: "other-text", line: 2 }]],
  ["the first of two", "b\nx\nb\n", "b", "B", "B\nx\nb\n", [{ what: "ambiguous", count: 2, line: 1 }]],
  [
    "a neighbour's text",
    "a\nb\nw\nx\ny\nz\nlast line\n",
    "b",
    "B",
    "a\nB\nw\nx\ny\nz\nlost line\n",
    [{ what: "other-text", line: 7 }],
  ],
])("%s is found", (_name, before, old, fresh, after, expected) => {
  const found = judgeEdit(edit(old, fresh), file(before), file(after));
  expect(found).toEqual(expected);
});

test("a mode that changed is found", () => {
  expect(judgeEdit(edit("b", "B"), file("b\n", 0o755), file("B\n", 0o644))).toEqual([
    { what: "mode", before: 0o755, after: 0o644 },
  ]);
});

test("a whole file that is written may change everything but its encoding", () => {
  const claim = { does: "write", path: "a.md", content: "z\n" } as const;
  expect(judgeEdit(claim, file("a\r\n"), file("z\n"))).toEqual([]);
  expect(judgeEdit(claim, file("\ufeffa\n"), file("z\n"))).toEqual([{ what: "byte-order-mark", is: "lost" }]);
});
