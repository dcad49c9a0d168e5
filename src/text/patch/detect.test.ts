import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import { detect, parseEdits } from "./detect.ts";

const unified = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n";
const git = `diff --git a/f b/g\nsimilarity index 90%\nrename from f\nrename to g\nindex 1234567..89abcde 100644\n--- a/f\n+++ b/g\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n`;
const envelope =
  "*** Begin Patch\n*** Update File: f\n@@ def f():\n a\n-b\n+c\n*** End of File\n*** Add File: g\n+x\n*** End Patch\n";
const blocks = "f.txt\n```\n<<<<<<< SEARCH\n:start_line:1\n-------\na\n=======\nb\n>>>>>>> REPLACE\n```\n";
const json = '[{"path": "f", "old_string": "a", "new_string": "b", "reason": "why"}]';

describe("which format", () => {
  test.each<[string, string, string]>([
    ["a unified diff", unified, "unified"],
    ["a diff of git", git, "unified"],
    ["a hunk alone", "@@ -1 +1 @@\n-a\n+b\n", "unified"],
    ["an envelope", envelope, "envelope"],
    ["an envelope without its frame", "*** Update File: f\n-a\n+b\n", "envelope"],
    ["blocks", blocks, "blocks"],
    ["JSON", json, "json"],
    ["JSON in a fence", `\`\`\`json\n${json}\n\`\`\`\n`, "json"],
    ["prose first", `Here you are:\n\n${blocks}`, "blocks"],
    ["a diff that adds a block", "--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n a\n+<<<<<<< SEARCH\n", "unified"],
    [
      "a block that holds a diff",
      "f.md\n<<<<<<< SEARCH\n@@ -1 +1 @@\n=======\n*** Begin Patch\n>>>>>>> REPLACE\n",
      "blocks",
    ],
    ["an older kind of diff, to be refused by name", "1c1\n< a\n---\n> b\n", "unified"],
  ])("%s", (_, text, format) => {
    expect(detect(text)).toEqual({ ok: true, value: format });
  });

  test.each(["", " \n", "words\nand more"])("none in %j", (text) => {
    expect(detect(text)).toMatchObject({ ok: false, refusal: { code: "malformed" } });
  });
});

describe("parseEdits", () => {
  test("edits of any format are parsed, and the format is named", () => {
    for (const [text, format] of [
      [unified, "unified"],
      [envelope, "envelope"],
      [blocks, "blocks"],
      [json, "json"],
    ])
      expect(parseEdits(text!)).toMatchObject({ ok: true, value: { format } });
  });

  test("the caller can name the file of edits that name none", () => {
    expect(parseEdits("@@ -1 +1 @@\n-a\n+b\n", { path: "f" })).toMatchObject({
      value: { edits: [{ path: "f" }] },
    });
    expect(parseEdits('{"old": "a", "new": "b"}', { path: "f" })).toMatchObject({
      value: { edits: [{ path: "f" }] },
    });
  });

  test("JSON that cannot be read is refused", () => {
    expect(parseEdits("{")).toMatchObject({ refusal: { code: "malformed" } });
    expect(parseEdits("[".repeat(100_000))).toMatchObject({ refusal: { code: "malformed" } });
  });
});

describe("bad input", () => {
  const samples = [unified, git, envelope, blocks, json];
  const pieces = fc.constantFrom(
    ...samples.flatMap((text) => text.split("\n")),
    "",
    " ",
    "@@",
    "+",
    "-",
    "\\",
    "***",
    "```",
    "\r",
    '"',
    "=======",
  );

  test("arbitrary strings are refused or parsed, never thrown at", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 60 }),
        (text) => void parseEdits(text, { path: "f" }),
      ),
    );
  });

  test("lines of patches in any order are refused or parsed", () => {
    const texts = fc.array(pieces, { maxLength: 24 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(texts, fc.boolean(), (text, named) => void parseEdits(text, named ? { path: "f" } : {})),
    );
  });

  test("patches with a piece cut, doubled or replaced are refused or parsed", () => {
    const cuts = fc.tuple(
      fc.constantFrom(...samples),
      fc.nat(200),
      fc.nat(20),
      fc.oneof(pieces, fc.string({ maxLength: 3 })),
    );
    fc.assert(
      fc.property(cuts, ([text, at, length, put]) => {
        parseEdits(text.slice(0, at) + put + text.slice(at + length));
        parseEdits(text.slice(0, at + length) + text.slice(at));
      }),
    );
  });

  test("a megabyte of one repeated text is classified in linear work", () => {
    const repeated = [
      "@@\n",
      "@@ -1 +1 @@\n",
      "*** Begin Patch\n",
      "*** Begin Patch\n *** End Patch\n",
      "*** Update File: f\n",
      "<<<<<<< SEARCH\n",
      "=======\n",
      ">>>>>>> REPLACE\n",
      "--- a\n+++ b\n",
      "diff --git a b\n",
      " ",
      "\n",
      "-",
      "-- \n1.0\n",
      "```\n",
      "\\\n",
      '"\\t',
      "\t2020-01-01 ",
      "[",
      '{"a":',
    ];
    const heads = [
      "",
      "--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n a\n",
      "*** Begin Patch\n*** Update File: f\n@@\n",
      "f\n<<<<<<< SEARCH\n",
      'diff --git "',
      "--- ",
      "rename from ",
    ];
    for (const head of heads)
      for (const piece of repeated) {
        const text = head + piece.repeat(Math.floor(1_000_000 / piece.length));
        const work = measureWork(() => parseEdits(text, { path: "f" }));
        expect({ head, piece, slow: work > 150 }).toEqual({ head, piece, slow: false });
      }
  });
});
