import { describe, expect, test } from "vitest";
import type { Edit } from "../model/edit.ts";
import { pathsOf, planEdits } from "../model/plan.ts";
import { parseCodexPatch } from "./codex-patch.ts";

/** All files after an envelope, or the code of the refusal. */
function tree(files: Record<string, string>, ...lines: string[]): Record<string, string> | string {
  const edits = parseCodexPatch(["*** Begin Patch", ...lines, "*** End Patch"].join("\n"));
  return edits.ok ? applied(files, edits.value) : `refused: ${edits.refusal.code}`;
}

function applied(files: Record<string, string>, edits: readonly Edit[]): Record<string, string> | string {
  const snapshots = pathsOf(edits).map((path) => ({ path, text: files[path] ?? null, version: "" }));
  const plan = planEdits(edits, snapshots);
  if (!plan.ok) return `refused: ${plan.refusal.code}`;
  const after = { ...files };
  for (const change of plan.value.changes) {
    if (change.after === null) delete after[change.path];
    else after[change.path] = change.after;
  }
  return after;
}

describe("what an envelope does", () => {
  test("files are added, updated, moved and deleted", () => {
    const after = tree(
      { old: "a\nb\n", gone: "x\n" },
      "*** Add File: dir/new",
      "+one",
      "+",
      "*** Update File: old",
      "*** Move to: moved",
      "@@",
      " a",
      "-b",
      "+B",
      "*** Delete File: gone",
    );
    expect(after).toEqual({ "dir/new": "one\n\n", moved: "a\nB\n" });
  });

  const twice = "class A\n  def f\n    x\nclass B\n  def f\n    x\n";
  test.each<[string, string, string[], string]>([
    ["without a header", "a\nb\n", [" a", "-b", "+c"], "a\nc\n"],
    [
      "anchors one below the other",
      twice,
      ["@@ class B", "@@   def f", "-    x", "+    y"],
      twice.replace(/x\n$/, "y\n"),
    ],
    [
      "an anchor without its indentation",
      twice,
      ["@@ class B", "@@ def f", "-    x", "+    y"],
      twice.replace(/x\n$/, "y\n"),
    ],
    ["an anchor repeated as context", "f\n  x\n", ["@@ f", " f", "-  x", "+  y"], "f\n  y\n"],
    ["the end of the file", "m\nx\nm\nx\n", ["@@", " m", "-x", "+y", "*** End of File"], "m\nx\nm\ny\n"],
    [
      "a blank line behind the end of the file",
      "m\nx\n",
      ["@@", "-x", "+y", "*** End of File", ""],
      "m\ny\n",
    ],
    ["lines only added go to the end", "a\r\n\r\n", ["@@", "+new"], "a\r\n\r\nnew\r\n"],
    ["lines added below an anchor", "a\nb\nc\n", ["@@ b", "+new"], "a\nb\nnew\nc\n"],
    ["several hunks in order", "a\nb\nc\nd\n", ["@@", "-a", "+A", "@@", "-c", "+C"], "A\nb\nC\nd\n"],
    ["numbers, as in a unified diff", "x\ny\nx\n", ["@@ -3,1 +3,1 @@", "-x", "+z"], "x\ny\nz\n"],
    ["a blank context line without its space", "a\n\nb\n", ["@@", " a", "", "-b", "+c"], "a\n\nc\n"],
    ["blank lines before the next operation", "a\n", ["@@", "-a", "+b", "", ""], "b\n"],
    ["a missing final newline", "a\nb", ["@@", "-b", "+c"], "a\nc"],
    [
      "a line that looks like a marker is context",
      "*** End Patch\nb\n",
      ["@@", " *** End Patch", "-b", "+c"],
      "*** End Patch\nc\n",
    ],
  ])("%s", (_, before, lines, after) => {
    expect(tree({ f: before }, "*** Update File: f", ...lines)).toEqual({ f: after });
  });
});

describe("the text around an envelope", () => {
  const body = "*** Add File: f\n+x";
  test.each<[string, string]>([
    ["a heredoc", `apply_patch <<'EOF'\n*** Begin Patch\n${body}\n*** End Patch\nEOF\n`],
    ["a fence and prose", `Sure:\n\`\`\`\n*** Begin Patch\n${body}\n*** End Patch\n\`\`\`\nDone.`],
    ["padded markers", `  *** Begin Patch  \n  *** Add File: f  \n+x\n  *** End Patch  `],
    ["CRLF", `*** Begin Patch\r\n*** Add File: f\r\n+x\r\n*** End Patch\r\n`],
    ["nothing", body],
    ["a fence alone", `\`\`\`\n${body}\n\`\`\`\n`],
  ])("%s is passed over", (_, patch) => {
    const edits = parseCodexPatch(patch);
    expect(edits).toMatchObject({
      ok: true,
      value: [{ path: "f", target: { file: "create" }, text: "x\n" }],
    });
  });

  test("several envelopes are one list", () => {
    const one = (name: string): string => `*** Begin Patch\n*** Delete File: ${name}\n*** End Patch\n`;
    expect(parseCodexPatch(one("a") + one("b"))).toMatchObject({ value: [{ path: "a" }, { path: "b" }] });
  });
});

describe("what is refused", () => {
  const inside = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  test.each<[string, string]>([
    ["no envelope", "words"],
    ["nothing asked", inside()],
    ["a beginning without an end", "*** Begin Patch\n*** Delete File: f"],
    ["an end without a beginning", "*** Delete File: f\n*** End Patch"],
    ["an unknown operation", inside("*** Frobnicate File: f")],
    [
      "an unknown operation behind a hunk",
      inside("*** Update File: f", "@@", "-a", "+b", "*** Frobnicate File: f"),
    ],
    ["an added line without its plus", inside("*** Add File: f", "+a", "b")],
    ["a body behind a deletion", inside("*** Delete File: f", "x")],
    ["an update without a hunk", inside("*** Update File: f")],
    ["a hunk without lines", inside("*** Update File: f", "@@")],
    ["a line that is none of the three", inside("*** Update File: f", "@@", "-a", "b")],
    ["a file without a name", inside("*** Delete File: ")],
  ])("%s", (_, patch) => {
    expect(parseCodexPatch(patch)).toMatchObject({ ok: false, refusal: { code: "malformed" } });
  });

  test("an anchor that is not there refuses the hunk", () => {
    expect(tree({ f: "a\n" }, "*** Update File: f", "@@ nope", "-a", "+b")).toBe("refused: not-found");
  });

  test("a hunk with several possible places is refused", () => {
    expect(tree({ f: "a\na\n" }, "*** Update File: f", "@@", "-a", "+b")).toBe("refused: ambiguous");
  });

  test("hunks may share a line that neither changes", () => {
    const lines = ["@@", " 1", "-2", "+b", " 3", "@@", " 3", "+c", " 4"];
    expect(tree({ f: "1\n2\n3\n4\n" }, "*** Update File: f", ...lines)).toEqual({ f: "1\nb\n3\nc\n4\n" });
  });
});
