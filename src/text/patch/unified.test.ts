import { describe, expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import type { Edit } from "../model/edit.ts";
import type { Outcome } from "../model/outcome.ts";
import { planEdits } from "../model/plan.ts";
import { maxPatchLength } from "./limits.ts";
import { parseUnified } from "./unified.ts";

/** The text of one file after a patch, or the code of the refusal. */
function patched(text: string | null, patch: string, path = "f"): string | null {
  const edits = parseUnified(patch, { path });
  if (!edits.ok) return `refused: ${edits.refusal.code}`;
  const plan = planEdits(edits.value, [{ path, text, version: "" }]);
  if (!plan.ok) return `refused: ${plan.refusal.code}`;
  return plan.value.changes[0] ? plan.value.changes[0].after : text;
}

/** All files after a patch of several. */
function tree(files: Record<string, string>, patch: string): Record<string, string> | string {
  const edits = parseUnified(patch);
  if (!edits.ok) return `refused: ${edits.refusal.code}`;
  const paths = new Set(edits.value.flatMap((edit) => ("to" in edit ? [edit.path, edit.to] : [edit.path])));
  const snapshots = [...paths].map((path) => ({ path, text: files[path] ?? null, version: "" }));
  const plan = planEdits(edits.value, snapshots);
  if (!plan.ok) return `refused: ${plan.refusal.code}`;
  const after = { ...files };
  for (const change of plan.value.changes) {
    if (change.after === null) delete after[change.path];
    else after[change.path] = change.after;
  }
  return after;
}

function wrong(outcome: Outcome<unknown>): string {
  return outcome.ok
    ? "accepted"
    : outcome.refusal.code === "malformed"
      ? outcome.refusal.what
      : outcome.refusal.code;
}

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

describe("what a patch does to a text", () => {
  test.each<[string, string | null, string, string]>([
    [
      "a diff from diff -u",
      ten,
      "--- f\t2024-01-01 10:00:00\n+++ f\t2024-01-02 10:00:00\n@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n",
      ten.replace("3", "three"),
    ],
    [
      "several hunks",
      ten,
      "@@ -2,1 +2,1 @@\n-2\n+two\n@@ -8,1 +8,1 @@\n-8\n+eight\n",
      ten.replace("2", "two").replace("8", "eight"),
    ],
    [
      "git's extra header lines",
      ten,
      "diff --git a/f b/f\nindex 1234567..89abcde 100644\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n",
      ten.replace("1", "one"),
    ],
    [
      "counts that are too large, no final newline",
      ten,
      "@@ -2,7 +2,7 @@\n 2\n-3\n+three",
      ten.replace("3", "three"),
    ],
    [
      "no counts, with section text",
      ten,
      "@@ -3 +3 @@ function x() {\n-3\n+three\n",
      ten.replace("3", "three"),
    ],
    ["counts that are too small", ten, "@@ -2,1 +2,1 @@\n 2\n-3\n+three\n 4\n", ten.replace("3", "three")],
    [
      "counts that stop at a blank line of the body",
      "a\n\nb\nc\n",
      "@@ -1,1 +1,1 @@\n a\n\n-b\n+B\n c\n",
      "a\n\nB\nc\n",
    ],
    [
      "a final newline in the middle of the file",
      ten,
      "@@ -2,2 +2,2 @@\n 2\n-3\n+three\n",
      ten.replace("3", "three"),
    ],
    [
      "removing a line that begins with two dashes",
      "a\n-- x\nb\n",
      "--- a/f\n+++ b/f\n@@ -1,3 +1,2 @@\n a\n--- x\n b\n",
      "a\nb\n",
    ],
    [
      "adding a line that begins with two pluses",
      "a\nb\n",
      "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n+++ x\n b\n",
      "a\n++ x\nb\n",
    ],
    [
      "both at once, with counts",
      "a\n-- x\nb\n",
      "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n--- x\n+++ y\n b\n",
      "a\n++ y\nb\n",
    ],
    ["blank context without its space", "a\n\nb\n", "@@ -1,3 +1,3 @@\n a\n\n-b\n+B\n", "a\n\nB\n"],
    [
      "a final newline removed",
      "a\nb\n",
      "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n",
      "a\nb",
    ],
    [
      "a final newline added",
      "a\nb",
      "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
      "a\nb\n",
    ],
    ["an insertion at the start", "b\n", "@@ -0,0 +1 @@\n+a\n", "a\nb\n"],
    ["an empty file filled", "", "@@ -0,0 +1 @@\n+a\n", "a\n"],
    ["a missing file created", null, "@@ -0,0 +1 @@\n+a\n", "a\n"],
    ["all content deleted", "a\nb\n", "@@ -1,2 +0,0 @@\n-a\n-b\n", ""],
    [
      "a code fence around the patch",
      ten,
      "Here it is:\n```diff\n@@ -3,1 +3,1 @@\n-3\n+three\n```\n- and a remark\n",
      ten.replace("3", "three"),
    ],
    [
      "a CRLF patch on LF lines",
      "a\nb\n",
      "--- f\r\n+++ f\r\n@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n",
      "a\nc\n",
    ],
    [
      "a diff inside the content",
      "x\n",
      "--- a/f\n+++ b/f\n@@ -1,1 +1,4 @@\n x\n+--- a/g\n+++ b/g\n+@@ -1 +1 @@\n",
      "x\n--- a/g\n++ b/g\n@@ -1 +1 @@\n",
    ],
    ["a signature of mail", "a\n", "--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n a\n+b\n-- \n2.39.0\n\n", "a\nb\n"],
    [
      "a header without numbers",
      ten,
      "--- a/f\n+++ b/f\n@@ ... @@\n 4\n-5\n+five\n 6\n",
      ten.replace("5", "five"),
    ],
    ["a header that quotes a line above", "a\nx\nb\nx\n", "@@ b @@\n-x\n+y\n", "a\nx\nb\ny\n"],
    ["added before removed", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n+c\n-b\n", "a\nc\n"],
  ])("%s", (_, before, patch, after) => {
    expect(patched(before, patch)).toBe(after);
  });

  test("a CRLF file patched with LF lines stays CRLF", () => {
    expect(patched("a\r\nb\r\nc", "@@ -1,2 +1,3 @@\n a\n-b\n+B\n+B2\n")).toBe("a\r\nB\r\nB2\r\nc");
  });

  test("a patch for another file or for several is refused", () => {
    expect(patched(ten, "--- a/g\n+++ b/g\n@@ -1 +1 @@\n-1\n+one\n")).toBe("refused: malformed");
    const two = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+one\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-1\n+one\n";
    expect(patched(ten, two)).toBe("refused: malformed");
    expect(patched("1\n", "--- a/deep/f\n+++ b/deep/f\n@@ -1 +1 @@\n-1\n+one\n", "deep/f")).toBe("one\n");
    expect(patched("1\n", "--- original\n+++ modified\n@@ -1 +1 @@\n-1\n+one\n", "deep/f")).toBe("one\n");
  });
});

describe("what a patch does to files", () => {
  const header = (name: string): string => `diff --git a/${name} b/${name}\n`;

  test("files are made, deleted, renamed and copied in one patch", () => {
    const patch = [
      `${header("new")}new file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n\\ No newline at end of file\n`,
      `${header("gone")}deleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n`,
      "diff --git a/old b/moved\nsimilarity index 50%\nrename from old\nrename to moved\n--- a/old\n+++ b/moved\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n",
      "diff --git a/kept b/twin\nsimilarity index 100%\ncopy from kept\ncopy to twin\n",
    ].join("");
    expect(tree({ gone: "x\ny\n", old: "a\nb\n", kept: "k\n" }, patch)).toEqual({
      new: "n",
      moved: "a\nB\n",
      kept: "k\n",
      twin: "k\n",
    });
  });

  test("a file is deleted only when the patch shows all of it", () => {
    const patch = "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n";
    expect(tree({ f: "x\ny\n" }, patch)).toEqual({});
    expect(tree({ f: "0\nx\ny\n" }, patch)).toBe("refused: not-found");
    expect(tree({ f: "x\ny\nz\n" }, patch)).toBe("refused: not-found");
    const empty = `${header("f")}deleted file mode 100644\nindex e69de29..0000000\n`;
    expect(tree({ f: "" }, empty)).toEqual({});
    expect(tree({ f: "x\n" }, empty)).toBe("refused: not-found");
  });

  test("a path deleted and added again is one update", () => {
    const patch = "--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+two\n";
    expect(tree({ f: "one\n" }, patch)).toEqual({ f: "two\n" });
  });

  test("two files can swap their names", () => {
    const move = (from: string, to: string): string =>
      `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;
    expect(tree({ a: "1", b: "2", c: "3" }, move("b", "a") + move("c", "b") + move("a", "c"))).toEqual({
      a: "2",
      b: "3",
      c: "1",
    });
    expect(tree({ a: "1", b: "2" }, move("a", "b") + move("b", "c"))).toEqual({ b: "1", c: "2" });
  });

  test("a copy is made from the file as it was", () => {
    const patch = [
      `${header("a")}index 1111112..2222223 100644\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n x\n+in a\n`,
      "diff --git a/a b/b\ncopy from a\ncopy to b\nindex 1111112..3333334 100644\n--- a/a\n+++ b/b\n@@ -1 +1,2 @@\n x\n+in b\n",
    ].join("");
    expect(tree({ a: "x\n" }, patch)).toEqual({ a: "x\nin a\n", b: "x\nin b\n" });
  });

  test("one file that does not match refuses the whole patch", () => {
    const patch = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-no\n+y\n";
    expect(tree({ f: "x\n", g: "x\n" }, patch)).toBe("refused: not-found");
  });

  test("a mode change is its own edit", () => {
    const edits = parseUnified(`${header("f")}old mode 100644\nnew mode 100755\n`);
    expect(edits).toMatchObject({
      ok: true,
      value: [{ path: "f", target: { file: "mode" }, mode: "executable" }],
    });
  });
});

describe("names", () => {
  const paths = (patch: string, options = {}): string[] => {
    const edits = parseUnified(patch, options);
    return edits.ok ? edits.value.map(({ path }: Edit) => path) : [wrong(edits)];
  };
  const pair = (old: string, now: string): string => `--- ${old}\n+++ ${now}\n@@ -1 +1 @@\n-a\n+b\n`;

  test.each<[string, string, string]>([
    ["git's prefixes", pair("a/x/y", "b/x/y"), "x/y"],
    ["no prefixes", pair("x/y", "x/y"), "x/y"],
    ["a folder called a", pair("a/y", "a/y"), "a/y"],
    ["folders to compare", pair("old-1.0/y", "new-1.1/y"), "y"],
    ["a backup's name", pair("x/y.orig", "x/y"), "x/y"],
    ["a new name with a tail", pair("x/y", "x/y.new"), "x/y"],
    ["blanks and a tab behind", pair("a/x y\t", "b/x y\t"), "x y"],
    [
      "a tab in the name and a date",
      pair("x\ty\t2020-01-01 00:00:00.000 +0100", "x\ty\t2020-01-01 00:00:00.000 +0100"),
      "x\ty",
    ],
    ["a quoted name with octal bytes", pair('"a/\\303\\244\\"\\t"', '"b/\\303\\244\\"\\t"'), 'ä"\t'],
    ["unusual separators are part of a name", pair("a/x\u2028y", "b/x\u2028y"), "x\u2028y"],
    ["a dot in front", pair("./x", "./x"), "x"],
  ])("%s", (_, patch, path) => {
    expect(paths(patch)).toEqual([path]);
  });

  test("the caller can choose how many leading parts are dropped", () => {
    expect(paths(pair("a/b/c/d", "a/b/c/d"), { strip: 2 })).toEqual(["c/d"]);
    expect(paths(pair("a/d", "b/d"), { strip: 0 })).toEqual(["b/d"]);
  });

  test("names of git headers with blanks are told apart", () => {
    expect(paths("diff --git a/x b y b/x b y\nold mode 100644\nnew mode 100755\n")).toEqual(["x b y"]);
  });

  test("the date of 1970 marks a missing file", () => {
    const patch =
      "--- a/f\t1970-01-01 01:00:00.000 +0100\n+++ b/f\t2020-01-01 00:00:00 +0100\n@@ -0,0 +1 @@\n+x\n";
    expect(parseUnified(patch)).toMatchObject({
      ok: true,
      value: [{ target: { file: "create" }, text: "x\n" }],
    });
  });
});

describe("what is refused", () => {
  const head = "--- a/f\n+++ b/f\n";
  test.each<[string, string, string]>([
    ["a text without a hunk", "just words\n", "no hunk in the patch"],
    ["an empty text", "", "no hunk in the patch"],
    ["headers without a hunk", head, "a file without any hunk"],
    ["a hunk without a file", "@@ -1 +1 @@\n-a\n+b\n", "a hunk, but not the file it is for"],
    [
      "a symbolic link",
      "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+x\n",
      "a symbolic link",
    ],
    ["a link in an index line", "diff --git a/l b/l\nindex 1234567..89abcde 120000\n", "a symbolic link"],
    [
      "special permission bits",
      "diff --git a/f b/f\nold mode 100644\nnew mode 104755\n",
      "special mode 104755",
    ],
    [
      "a mode that is none",
      "diff --git a/f b/f\nold mode 100644\nnew mode rwx\n",
      "a new mode line that cannot be read",
    ],
    ["a submodule", "diff --git a/s b/s\nnew file mode 160000\n", "a submodule"],
    ["a binary patch", "diff --git a/b b/b\nindex 1..2\nGIT binary patch\nliteral 1\n", "a binary patch"],
    ["a binary notice", "diff --git a/b b/b\nBinary files a/b and b/b differ\n", "a binary patch"],
    ["a context diff", "*** a\n--- b\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n", "a context diff"],
    ["a normal diff", "1c1\n< a\n---\n> b\n", "a normal diff"],
    ["an ed script", "1c\nb\n.\n", "an ed script"],
    [
      "a body that names other files",
      "diff --git a/f b/f\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n",
      "a file header that names another file than the line above it",
    ],
    [
      "no file on either side",
      "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n",
      "a patch from nothing to nothing",
    ],
    ["a negative number", `${head}@@ --1,2 +1,2 @@\n-a\n+b\n`, "a hunk header whose numbers cannot be read"],
    [
      "an enormous number",
      `${head}@@ -1000000000000000000 +1 @@\n-a\n+b\n`,
      "a hunk header with absurd numbers",
    ],
    ["a merge", `${head}@@@ -1,1 -1,1 +1,1 @@@\n--a\n++b\n`, "the combined diff of a merge"],
    [
      "a line that is none of the three",
      `${head}@@ -1,9 +1,9 @@\n a\nb\n-c\n+d\n`,
      "a line of a hunk that is neither context, removed nor added",
    ],
    [
      "a change behind the hunk",
      `${head}@@ -1,9 +1,9 @@\n a\n-b\n\nwords\n+lost\n`,
      "a changed line outside any hunk",
    ],
    ["an empty hunk", `${head}@@ -1,2 +1,2 @@\n@@ -4 +4 @@\n-a\n+b\n`, "a hunk without lines"],
    [
      "added lines whose context is missing",
      `${head}@@ -4,3 +4,4 @@\n+b\n`,
      "a hunk that adds lines but shows none of those its header counts",
    ],
    [
      "a new file with old lines",
      "--- /dev/null\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
      "a new file that has an old content",
    ],
    [
      "a deleted file with new lines",
      "--- a/f\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n",
      "a deleted file that has a new content",
    ],
    [
      "headers that contradict",
      "diff --git a/1 b/2\nnew file mode 100644\ncopy from 1\ncopy to 2\n",
      "header lines that contradict each other",
    ],
    [
      "a marker too early",
      `${head}@@ -1,2 +1,2 @@\n-a\n\\ No newline at end of file\n-b\n+c\n`,
      "a no-newline marker before the last line",
    ],
  ])("%s", (_, patch, what) => {
    expect(wrong(parseUnified(patch))).toBe(what);
  });

  test("every refusal of a line names the line", () => {
    expect(parseUnified(`${head}@@ -1,9 +1,9 @@\n a\nb\n`)).toMatchObject({ refusal: { line: 5 } });
  });

  test("too many hunks, files or bytes are refused without reading the rest", () => {
    const hunks = `${head}${"@@ -1 +1 @@\n-a\n+b\n".repeat(50_001)}`;
    const files = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n".repeat(10_001);
    for (const patch of [hunks, files, "x".repeat(maxPatchLength + 1)]) {
      const refused = { ok: false, refusal: { code: "too-large" } };
      expect(measureWork(() => expect(parseUnified(patch)).toMatchObject(refused))).toBeLessThan(100);
    }
  });
});
