import { expect, test } from "vitest";
import { compareTexts } from "../../src/text/diff/compare.ts";
import { printDiff } from "../../src/text/diff/diff.ts";
import { openDesk } from "../../src/tools/testing.ts";
import { measureWork } from "../work.ts";

test("a quotation without a match gets the nearest passages, and nothing is written", async () => {
  const desk = await openDesk({ "a.md": "timeout is 30 seconds\n" });
  const result = await desk.call("edit_file", {
    path: "a.md",
    old_content: "timeout is 30 second.",
    new_content: "x",
  });
  expect(result).toMatchObject({ success: false, code: "not-found" });
  expect(JSON.stringify(result)).toContain("timeout is 30 seconds");
  expect(desk.text("a.md")).toBe("timeout is 30 seconds\n");
});

test("composed and decomposed accents do not match; the other spelling is suggested", async () => {
  const desk = await openDesk({ "a.md": "cafe\u0301 is open\n" });
  const result = await desk.call("edit_file", {
    path: "a.md",
    old_content: "caf\u00e9 is open",
    new_content: "x",
  });
  expect(result).toMatchObject({ success: false, code: "not-found" });
  expect(JSON.stringify(result)).toContain("cafe\u0301 is open");
});

test("a file that was read in part may be edited, not replaced as a whole", async () => {
  const desk = await openDesk({ "a.md": "one\ntwo\nthree\n" });
  const part = await desk.call("read_file", { path: "a.md", start_line: 2, end_line: 2 });
  const rewrite = { path: "a.md", content: "new\n", rewrite: true };
  expect(await desk.call("write_file", { ...rewrite, base_version: part.version })).toMatchObject({
    success: false,
    code: "not-allowed",
    error: expect.stringContaining("read all of it"),
  });
  const edit = { path: "a.md", old_content: "two", new_content: "2", base_version: part.version };
  expect(await desk.call("edit_file", edit)).toMatchObject({ success: true });
  const whole = await desk.call("read_file", { path: "a.md" });
  expect(await desk.call("write_file", { ...rewrite, base_version: whole.version })).toMatchObject({
    success: true,
  });
});

test("one line of 100 MB is edited and refused in linear work", async () => {
  const line = "x".repeat(100 * 2 ** 20);
  const desk = await openDesk({ "a.txt": `${line}END` });
  const edited = await desk.call("edit_file", { path: "a.txt", old_content: "END", new_content: "end" });
  expect(edited).toMatchObject({ success: true });
  const missed = await desk.call("edit_file", { path: "a.txt", old_content: "nowhere", new_content: "" });
  expect(missed).toMatchObject({ success: false, code: "not-found" });
  expect(JSON.stringify(missed).length).toBeLessThan(20_000);
});

test("conflict markers in new text give a warning", async () => {
  const desk = await openDesk({ "a.md": "one\n" });
  const result = await desk.call("edit_file", {
    path: "a.md",
    old_content: "one",
    new_content: "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs",
  });
  expect(result.success).toBe(true);
  expect(JSON.stringify(result)).toContain("conflict markers");
});

test.each([
  ["a header that climbs out of the root", "--- a/../../x\n+++ b/../../x\n@@ -1 +1 @@\n-a\n+b\n"],
  ["a new name that climbs out of the root", "--- a/a.md\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n"],
  [
    "a rename out of the root",
    "diff --git a/a.md b/../x\nsimilarity index 100%\nrename from a.md\nrename to ../../x\n",
  ],
  [
    "a copy to an absolute path",
    "diff --git a/a.md b/x\nsimilarity index 100%\ncopy from a.md\ncopy to /abs\n",
  ],
])("a patch that leads out of the root is refused as a whole: %s", async (_, outward) => {
  const desk = await openDesk({ "a.md": "a\n", "b.md": "a\n" });
  const good = "--- a/b.md\n+++ b/b.md\n@@ -1 +1 @@\n-a\n+b\n";
  for (const patch of [outward, good + outward, outward + good]) {
    expect(await desk.call("apply_patch", { patch })).toMatchObject({ success: false });
    expect([desk.text("a.md"), desk.text("b.md")]).toEqual(["a\n", "a\n"]);
  }
});

test("a hunk that matches elsewhere is applied only at a single place, and reports the offset", async () => {
  const block = "start\nold\nend\n";
  const patch = "@@ -1,3 +1,3 @@\n start\n-old\n+new\n end\n";
  const one = await openDesk({ "a.md": `${"filler\n".repeat(5)}${block}` });
  const moved = await one.call("patch_file", { path: "a.md", patch });
  expect(moved).toMatchObject({ success: true });
  expect(moved.output).toContain("stated for line 1 and applied at line 6");
  const two = await openDesk({ "a.md": `${"filler\n".repeat(5)}${block}${block}` });
  expect(await two.call("patch_file", { path: "a.md", patch })).toMatchObject({
    success: false,
    code: "ambiguous",
  });
});

test("two files of 8,000 different lines are compared in bounded work", () => {
  const [before, after] = ["a", "b"].map((mark) =>
    Array.from({ length: 8000 }, (_, i) => `${mark}${i}\n`).join(""),
  ) as [string, string];
  const work = measureWork(() => {
    const splices = compareTexts(before, after);
    const diff = printDiff({ path: "a.md", before, after, splices });
    expect(diff.match(/^\+b/gm)).toHaveLength(8000);
  });
  expect(work).toBeLessThan(100);
});
