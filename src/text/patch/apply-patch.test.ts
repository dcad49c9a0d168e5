import { describe, expect, test } from "vitest";
import { createPatch } from "../diff/diff.ts";
import { applyPatch } from "./apply-patch.ts";

const text = "one\r\ntwo\r\nthree\r\n";

describe("a patch for one text", () => {
  test.each([
    ["a diff with file names", "--- a/x.md\n+++ b/x.md\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"],
    ["a diff in a fence with wrong counts", "```diff\n@@ -7,9 +1 @@\n one\n-two\n+2\n```\n"],
    ["an envelope", "*** Begin Patch\n*** Update File: y.md\n@@\n one\n-two\n+2\n*** End Patch\n"],
    ["blocks", "y.md\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n"],
    ["JSON edits", '[{"path":"y.md","old_string":"two","new_string":"2"}]'],
  ])("%s is applied, and the line endings stay", (_, patch) => {
    expect(applyPatch(text, patch)).toEqual({ ok: true, value: "one\r\n2\r\nthree\r\n" });
  });

  test.each([
    ["text that is not there", "@@ -1 +1 @@\n-none\n+2\n", {}, "not-found"],
    ["no patch", "hello", {}, "malformed"],
    [
      "two files",
      "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
      {},
      "malformed",
    ],
    [
      "another file than the named one",
      "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+1\n",
      { path: "y" },
      "not-found",
    ],
  ])("%s is refused", (_, patch, options, code) => {
    expect(applyPatch(text, patch, options)).toMatchObject({ ok: false, refusal: { code } });
  });
});

test("the diff of two texts applies to the first and gives the second", () => {
  const after = "one\r\n2\r\nthree\r\nfour";
  const diff = createPatch(text, after, { path: "docs/a.md" });
  expect(diff).toContain("--- a/docs/a.md");
  expect(applyPatch(text, diff)).toEqual({ ok: true, value: after });
  expect(createPatch(text, text)).toBe("");
});
