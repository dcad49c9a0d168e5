import { describe, expect, test } from "vitest";
import { SessionMemory } from "../session-memory.ts";
import { openDesk } from "../testing.ts";

const withMemory = () => ({ strict: true, memory: new SessionMemory() });

describe("edit_file", () => {
  const rows: [string, string, Record<string, unknown>, string | { code: string; error?: string }][] = [
    ["a single match", "a OLD b\n", { old_content: "OLD", new_content: "new" }, "a new b\n"],
    [
      "white space must match",
      "a  b\n",
      { old_content: "a b", new_content: "c" },
      { code: "not-found", error: "Content not found in f.txt." },
    ],
    ["the first match by default", "a a a", { old_content: "a", new_content: "b" }, "b a a"],
    ["occurrence 1 is the default", "a a a", { old_content: "a", new_content: "b", occurrence: 1 }, "b a a"],
    ["the last match", "a a a", { old_content: "a", new_content: "b", occurrence: -1 }, "a a b"],
    ["all matches", "a a a", { old_content: "a", new_content: "b", occurrence: 0 }, "b b b"],
    ["the second match", "a a a", { old_content: "a", new_content: "b", occurrence: 2 }, "a b a"],
    [
      "an occurrence beyond the last match",
      "a a",
      { old_content: "a", new_content: "b", occurrence: 3 },
      { code: "not-found", error: "Requested occurrence 3 but only 2 found in f.txt" },
    ],
    [
      "an occurrence below -1",
      "a a",
      { old_content: "a", new_content: "b", occurrence: -2 },
      { code: "malformed" },
    ],
    [
      "an occurrence that is not a whole number",
      "a a",
      { old_content: "a", new_content: "b", occurrence: 1.5 },
      { code: "malformed", error: "Missing or invalid 'occurrence' argument." },
    ],
    [
      "matches are counted without overlaps",
      "aaa",
      { old_content: "aa", new_content: "b", occurrence: 2 },
      { code: "not-found" },
    ],
    [
      "new text that contains the old text",
      "a a",
      { old_content: "a", new_content: "aa", occurrence: 0 },
      "aa aa",
    ],
    [
      "an empty quotation",
      "a",
      { old_content: "", new_content: "b" },
      { code: "malformed", error: "The text to find is empty." },
    ],
    ["an empty new text deletes", "a b", { old_content: " b", new_content: "" }, "a"],
    ["code fences are kept", "x\n", { old_content: "x", new_content: "```js\ny\n```" }, "```js\ny\n```\n"],
    ["dollar signs are literal", "x", { old_content: "x", new_content: "$& $`" }, "$& $`"],
    [
      "CRLF, byte order mark and missing final newline stay",
      "\uFEFFa\r\nb",
      { old_content: "a", new_content: "c\nd" },
      "\uFEFFc\r\nd\r\nb",
    ],
    [
      "text with an elision is refused",
      "a\nb\nc\n",
      { old_content: "b", new_content: "// ... existing code ..." },
      { code: "needs-consent" },
    ],
    [
      "an invisible character is refused",
      "a",
      { old_content: "a", new_content: "a\u202e" },
      { code: "needs-consent" },
    ],
    [
      "an unknown argument is refused",
      "a",
      { old_content: "a", new_content: "b", all: true },
      { code: "malformed", error: "Unknown argument 'all'." },
    ],
    [
      "argument types are not coerced",
      "a 1",
      { old_content: 1, new_content: "b" },
      { code: "malformed", error: "Missing or invalid 'old_content' argument." },
    ],
    [
      "layout on request",
      "  a\n  b\n",
      { old_content: "a\nb", new_content: "a\nc", fit: "layout" },
      "  a\n  c\n",
    ],
  ];
  test.each(rows)("%s", async (_, before, input, expected) => {
    const desk = await openDesk({ "f.txt": before });
    const result = await desk.call("edit_file", { path: "f.txt", ...input });
    if (typeof expected === "string") {
      expect(result).toMatchObject({ success: true, tool: "edit_file", path: "f.txt" });
      expect(desk.text("f.txt")).toBe(expected);
      return;
    }
    expect(result).toMatchObject({
      success: false,
      output: "",
      tool: "edit_file",
      path: "f.txt",
      ...expected,
    });
    expect(desk.text("f.txt")).toBe(before);
    expect(desk.disk.tree().filter((path) => path.endsWith(".bak"))).toEqual([]);
  });

  test("a miss names line, nearest text, tool, path and rule, and changes nothing", async () => {
    const text = `${"filler\n".repeat(40)}const timeout = 30;\n`;
    const desk = await openDesk({ "src/a.ts": text });
    const result = await desk.call("edit_file", {
      path: "src/a.ts",
      old_content: "const timeout = 60;",
      new_content: "x",
    });
    expect(result).toMatchObject({ success: false, code: "not-found", tool: "edit_file", path: "src/a.ts" });
    expect(result.hint).toContain("line 41");
    expect(result.hint).toContain("const timeout = 30;");
    expect(desk.text("src/a.ts")).toBe(text);
    expect(desk.disk.tree().some((path) => path.includes("backups/"))).toBe(false);
  });

  test("the result states replacements, first line and remaining matches", async () => {
    const desk = await openDesk({ "docs/a.md": "# A\nx\nx\nx\n" });
    const result = await desk.call("edit_file", { path: "docs/a.md", old_content: "x", new_content: "y\nz" });
    expect(result.output).toContain("✓ Edited docs/a.md\nReplaced 1 occurrence at ~line 2\n");
    expect(result.output).toContain("2 more occurrences of the old text remain.");
    expect(result.output).toContain("2\ty\n3\tz");
    expect(result).toMatchObject({
      remaining: 2,
      replacements: 1,
      fit: "exact",
      region: { startLine: 2, endLine: 3 },
    });
    expect(result.backup).toMatch(/^\.suture\/backups\/.+\/docs\/a\.md\.bak$/);
    expect(desk.text(result.backup!)).toBe("# A\nx\nx\nx\n");
  });

  test("a strict caller must give the occurrence", async () => {
    const desk = await openDesk({ f: "# A\nx\n# B\nx\n" }, { strict: true });
    expect(await desk.call("edit_file", { path: "f", old_content: "x", new_content: "y" })).toMatchObject({
      success: false,
      code: "ambiguous",
      error: "The text matches 2 places in f: line 2 (# A) and line 4 (# B).",
    });
    expect(
      (await desk.call("edit_file", { path: "f", old_content: "x", new_content: "y", occurrence: 2 }))
        .success,
    ).toBe(true);
  });

  test("paths outside the root, missing files and folders are refused", async () => {
    const desk = await openDesk({ "dir/f": "a" });
    const edit = (path: string) => desk.call("edit_file", { path, old_content: "a", new_content: "b" });
    expect(await edit("missing")).toMatchObject({
      code: "not-found",
      error: "File not found: missing. Use write_file to create new files.",
    });
    for (const path of ["../f", "/etc/passwd", "dir/../../f"])
      expect(await edit(path)).toMatchObject({ success: false, code: "outside" });
    expect(await edit("dir")).toMatchObject({ success: false });
    expect(await edit(".git/config")).toMatchObject({ success: false, code: "protected" });
    desk.disk.putLink("out", "/etc/passwd");
    expect(await edit("out")).toMatchObject({ success: false });
    expect((await edit("dir/f")).success).toBe(true);
  });

  test("a dry run shows the diff and writes nothing", async () => {
    const desk = await openDesk({ f: "a\n" });
    const result = await desk.call("edit_file", {
      path: "f",
      old_content: "a",
      new_content: "b",
      dry_run: true,
    });
    expect(result).toMatchObject({ success: true, dryRun: true });
    expect(result.diff).toContain("-a\n+b\n");
    expect(desk.text("f")).toBe("a\n");
  });

  test("the same idempotency key is applied once", async () => {
    const desk = await openDesk({ f: "a a\n" });
    const input = { path: "f", old_content: "a", new_content: "b", idempotency_key: "k1" };
    const first = await desk.call("edit_file", input);
    expect(await desk.call("edit_file", input)).toMatchObject({
      success: true,
      entry: first.entry,
      replayed: true,
    });
    expect(desk.text("f")).toBe("b a\n");
  });

  const keyed: [string, string, Record<string, unknown>, string][] = [
    ["edit_file", "x\n", { old_content: "x", new_content: "y" }, "y\n"],
    ["edit_file", "# A\n\nx\n", { old_content: "# A\n\nx", new_content: "y", within: "# A" }, "y\n"],
    ["insert_at", "a\n", { line: 1, content: "b" }, "a\nb\n"],
    ["patch_file", "a\nb\n", { patch: "@@ -1,2 +1,2 @@\n a\n-b\n+c\n" }, "a\nc\n"],
    ["write_file", "a\n", { content: "b\n", rewrite: true }, "b\n"],
    ["edit_symbol", "# A\n\nx\n", { symbol: "# A", action: "rename", content: "B" }, "# B\n\nx\n"],
  ];
  test.each(keyed)(
    "the same key sent to %s again gives the first answer",
    async (tool, before, input, after) => {
      const desk = await openDesk({ "f.md": before });
      const call = { path: "f.md", ...input, idempotency_key: "k7" };
      const first = await desk.call(tool, call);
      expect(first.success).toBe(true);
      const again = await desk.call(tool, call);
      expect(again).toMatchObject({
        success: true,
        replayed: true,
        entry: first.entry,
        version: first.version,
      });
      expect(again.diff).toBe(first.diff);
      expect(desk.text("f.md")).toBe(after);
    },
  );

  test("a new file is created once under one key", async () => {
    const desk = await openDesk({});
    const call = { path: "n.md", content: "a\n", idempotency_key: "k8" };
    const first = await desk.call("write_file", call);
    expect(await desk.call("write_file", call)).toMatchObject({ success: true, entry: first.entry });
  });

  test("an edit of a hundred and fifty thousand places is reported as made", async () => {
    const desk = await openDesk({ f: "line lorem\n".repeat(150_000) });
    const call = { path: "f", old_content: "lorem", new_content: "LOREM", occurrence: 0 };
    expect(await desk.call("edit_file", call)).toMatchObject({ success: true, replacements: 150_000 });
  });

  const readings: [string, string, string, string, string][] = [
    ["line numbers that agree with the place", "a\nb\n", "     2\tb", "     2\tB", "a\nB\n"],
    ["a fence around both texts", "a\nb\n", "```\nb\n```", "```\nB\n```", "a\nB\n"],
    ["blank lines around both texts", "a\nb\n", "\nb\n\n", "\nB\n\n", "a\nB\n"],
    ["dots between parts that stand once", "a\nb\nc\n", "a\n...\nc\n", "A\n...\nC\n", "A\nb\nC\n"],
    [
      "other indentation",
      "\tif (x) {\n\t\ty();\n\t}\n",
      "if (x) {\n    y();\n}",
      "if (x) {\n    z();\n}",
      "\tif (x) {\n\t\tz();\n\t}\n",
    ],
  ];
  test.each(readings)(
    "on request a quotation is read without %s",
    async (_, before, old_content, new_content, after) => {
      const desk = await openDesk({ f: before });
      const call = { path: "f", old_content, new_content };
      expect(await desk.call("edit_file", call)).toMatchObject({ success: false, code: "not-found" });
      expect(await desk.call("edit_file", { ...call, fit: "exact" })).toMatchObject({ success: false });
      expect(await desk.call("edit_file", { ...call, fit: "white-space" })).toMatchObject({ success: true });
      expect(desk.text("f")).toBe(after);
    },
  );

  const misread: [string, string, string, string][] = [
    ["line numbers of another place", "a\nb\n", "     3\tb", "     3\tB"],
    ["dots before a part that stands twice", "a\nc\nb\nc\n", "a\n...\nc\n", "A\n...\nC\n"],
    ["other white space that stands twice", "  a\n    a\n", "\ta\n", "\tb\n"],
  ];
  test.each(misread)("a quotation with %s is refused", async (_, before, old_content, new_content) => {
    const desk = await openDesk({ f: before });
    const call = { path: "f", old_content, new_content, fit: "white-space" };
    expect(await desk.call("edit_file", call)).toMatchObject({ success: false });
    expect(desk.text("f")).toBe(before);
  });

  test.each([
    ["both texts", "if a:\n    b()", "if a:\n    c()\n    b()"],
    ["the quotation only", "if a:\n    b()", "    if a:\n        c()\n        b()"],
  ])(
    "a slip in the indentation of %s is refused with a call that is right",
    async (_, old_content, new_content) => {
      const desk = await openDesk({ f: "def f():\n    if a:\n        b()\n" }, withMemory());
      const { retry } = await desk.call("edit_file", { path: "f", old_content, new_content });
      expect(await desk.call(retry!.tool, retry!.arguments)).toMatchObject({ success: true });
      expect(desk.text("f")).toBe("def f():\n    if a:\n        c()\n        b()\n");
    },
  );

  test("a slip that can be read in two ways is refused without a call", async () => {
    const desk = await openDesk({ f: "def f():\n    a()\n    b()\n" }, withMemory());
    const slip = { path: "f", old_content: "a()\nb()", new_content: "if x:\n    a()\n    b()" };
    const result = await desk.call("edit_file", slip);
    expect(result).toMatchObject({ success: false, code: "not-found" });
    expect(result.retry).toBeUndefined();
  });

  const retries: [string, string, string, string, string][] = [
    [
      "a misquoted line that stays",
      "one = 1\ntwo = 2\n",
      "one = 7\ntwo = 2",
      "one = 7\ntwo = 3",
      "one = 1\ntwo = 3\n",
    ],
    ["escaped newlines", "one\ntwo\n", "one\\ntwo", "one\\nTWO", "one\nTWO\n"],
  ];
  test.each(retries)(
    "the refusal of %s carries the corrected call",
    async (_, before, old_content, new_content, after) => {
      const desk = await openDesk({ f: before }, withMemory());
      const refused = await desk.call("edit_file", { path: "f", old_content, new_content });
      expect(refused).toMatchObject({ success: false, code: "not-found", retry: { tool: "retry_edit" } });
      expect(await desk.call("retry_edit", refused.retry?.arguments)).toMatchObject({ success: true });
      expect(desk.text("f")).toBe(after);
    },
  );

  test("ASCII beside bytes that are not UTF-8 can be read and edited", async () => {
    const desk = await openDesk({
      "l1.txt": new Uint8Array([99, 97, 102, 0xe9, 10, 112, 108, 97, 105, 110, 10]),
    });
    expect(await desk.call("read_file", { path: "l1.txt" })).toMatchObject({
      success: true,
      encoding: "8-bit",
    });
    const edit = { path: "l1.txt", old_content: "plain", new_content: "PLAIN" };
    expect(await desk.call("edit_file", edit)).toMatchObject({ success: true });
    expect([...desk.disk.read("l1.txt")!.bytes]).toEqual([99, 97, 102, 0xe9, 10, 80, 76, 65, 73, 78, 10]);
    const foreign = { path: "l1.txt", old_content: "PLAIN", new_content: "é" };
    expect(await desk.call("edit_file", foreign)).toMatchObject({ success: false, code: "not-text" });
  });

  test("a quotation with a misquoted line is not called applied", async () => {
    const text = "function keep() {\n  return 0;\n}\n\nfunction old() {\n  return 1;\n}\n\nmain();\n";
    const desk = await openDesk({ "f.js": text });
    const refused = await desk.call("edit_file", {
      path: "f.js",
      old_content: "  return 0;\n}\n\nfunction old() {\n  return 2;\n}\n",
      new_content: "  return 0;\n}\n",
    });
    expect(refused).toMatchObject({ success: false, code: "not-found", cause: "nearby" });
    const patch = "@@ -2,7 +2,3 @@\n   return 0;\n }\n-\n-function old() {\n-  return 2;\n-}\n \n";
    expect(await desk.call("patch_file", { path: "f.js", patch })).toMatchObject({
      success: false,
      code: "not-found",
      cause: "nearby",
    });
  });

  test("an edit based on an old version is refused when its text is gone", async () => {
    const desk = await openDesk({ f: "one\ntwo\n" });
    const { version } = await desk.call("read_file", { path: "f" });
    await desk.call("edit_file", { path: "f", old_content: "one", new_content: "uno" });
    expect(
      await desk.call("edit_file", {
        path: "f",
        old_content: "one",
        new_content: "eins",
        base_version: version,
      }),
    ).toMatchObject({ success: false, code: "stale" });
    expect(
      (
        await desk.call("edit_file", {
          path: "f",
          old_content: "two",
          new_content: "dos",
          base_version: version,
        })
      ).success,
    ).toBe(true);
    expect(desk.text("f")).toBe("uno\ndos\n");
  });

  test("a change by another program since the read is not overwritten", async () => {
    const desk = await openDesk({ f: "x = 1\ny = 1\n" });
    const { version } = await desk.call("read_file", { path: "f" });
    desk.disk.put("f", "x = 1\ny = 1\nz = added\n");
    expect(
      await desk.call("edit_file", {
        path: "f",
        old_content: "x = 1",
        new_content: "x = 2",
        base_version: version,
      }),
    ).toMatchObject({ success: false, code: "stale" });
    expect(desk.text("f")).toBe("x = 1\ny = 1\nz = added\n");
  });
});

describe("patch_file", () => {
  test("an example patch with wrong line counts applies", async () => {
    const patch =
      "@@ -45,7 +45,7 @@\n def analyze_errors(\n     self,\n-    audit_log: list[Any],\n+    audit_log: list[AuditEntry],";
    const above = "x = 1\n".repeat(44);
    const below = "    limit: int = 10,\n) -> None:\n    pass\n";
    const desk = await openDesk({
      "src/analysis.py": `${above}def analyze_errors(\n    self,\n    audit_log: list[Any],\n${below}`,
    });
    const result = await desk.call("patch_file", { path: "src/analysis.py", patch });
    expect(result).toMatchObject({ success: true, notes: [{ note: "miscounted" }] });
    expect(result.output).toContain("✓ Patched src/analysis.py\nApplied 1 hunk");
    expect(desk.text("src/analysis.py")).toBe(
      `${above}def analyze_errors(\n    self,\n    audit_log: list[AuditEntry],\n${below}`,
    );
  });

  const rows: [string, string, Record<string, unknown>, string | { code: string; error?: string }][] = [
    [
      "a diff in the form that diff -u writes",
      "a\nb\nc\n",
      { patch: "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n" },
      "a\nB\nc\n",
    ],
    ["`diff` is another name for `patch`", "a\n", { diff: "@@ -1 +1 @@\n-a\n+b\n" }, "b\n"],
    [
      "arguments of the other patch_file are refused with the expected names",
      "a\n",
      { original_text_snippet: "a", new_text_snippet: "b", reason: "" },
      { code: "malformed", error: "Missing or invalid 'patch' argument." },
    ],
    ["no hunk at all", "a\n", { patch: "just words\n" }, { code: "malformed" }],
    [
      "a patch of another file",
      "a\n",
      { patch: "--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n" },
      { code: "malformed" },
    ],
    [
      "a line that does not match",
      "a\nb\n",
      { patch: "@@ -1,2 +1,2 @@\n a\n-x\n+y\n" },
      { code: "not-found" },
    ],
    [
      "a patch that is already applied",
      "a\nB\nc\n",
      { patch: "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n" },
      { code: "no-change" },
    ],
    [
      "a hunk that matches two places",
      "x\na\ny\na\n",
      { patch: "@@ -9 +9 @@\n-a\n+b\n" },
      { code: "ambiguous" },
    ],
    [
      "one failing hunk of two",
      "a\nb\nc\n",
      { patch: "@@ -1 +1 @@\n-a\n+A\n@@ -3 +3 @@\n-x\n+X\n" },
      { code: "not-found" },
    ],
    ["CRLF stays", "a\r\nb\r\n", { patch: "@@ -1,2 +1,2 @@\n a\n-b\n+c\n" }, "a\r\nc\r\n"],
    [
      "lines that look like headers",
      "-- a\nb\n",
      { patch: "@@ -1,2 +1,2 @@\n--- a\n+++ c\n b\n" },
      "++ c\nb\n",
    ],
    ["an insertion at the start", "a\n", { patch: "@@ -0,0 +1 @@\n+x\n" }, "x\na\n"],
    ["a code fence around the whole patch", "a\n", { patch: "```diff\n@@ -1 +1 @@\n-a\n+b\n```\n" }, "b\n"],
    [
      "several hunks",
      "a\nb\nc\nd\n",
      { patch: "@@ -1 +1 @@\n-a\n+A\n@@ -4 +4 @@\n-d\n+D\n" },
      "A\nb\nc\nD\n",
    ],
    [
      "a hunk that matches only at another line",
      "x\ny\na\n",
      { patch: "@@ -1 +1 @@\n-a\n+b\n" },
      "x\ny\nb\n",
    ],
    [
      "no newline at the end of the file",
      "a\nb",
      { patch: "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n" },
      "a\nc",
    ],
    ["all content deleted", "a\n", { patch: "@@ -1 +0,0 @@\n-a\n" }, ""],
    [
      "trailing spaces of context lines stay",
      "a  \nb\n",
      { patch: "@@ -1,2 +1,2 @@\n a  \n-b\n+c\n" },
      "a  \nc\n",
    ],
    [
      "hunks out of order that each fit one place",
      "a\nb\nc\nd\ne\nf\n",
      { patch: "@@ -5 +5 @@\n-e\n+E\n@@ -1 +1 @@\n-a\n+A\n" },
      "A\nb\nc\nd\nE\nf\n",
    ],
    [
      "a blank context line without its space, and section text in the header",
      "a\n\nb\n",
      { patch: "@@ -1,3 +1,3 @@ def f():\n a\n\n-b\n+c\n" },
      "a\n\nc\n",
    ],
    [
      "git headers",
      "a\n",
      { patch: "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n" },
      "b\n",
    ],
    [
      "counts are taken from the body, and the patch ends with a newline",
      "a\nb\nc\nd\n",
      { patch: "@@ -2,9 +2,9 @@\n b\n-c\n+C\n d\n" },
      "a\nb\nC\nd\n",
    ],
  ];
  test.each(rows)("%s", async (_, before, input, expected) => {
    const desk = await openDesk({ f: before });
    const result = await desk.call("patch_file", { path: "f", ...input });
    if (typeof expected === "string") {
      expect(result).toMatchObject({ success: true });
      expect(desk.text("f")).toBe(expected);
      return;
    }
    expect(result).toMatchObject({ success: false, output: "", ...expected });
    expect(desk.text("f")).toBe(before);
  });

  const header = "diff --git a/f b/f\nindex e69de29bb2d1..9daeafb9864c 100644\n--- a/f\n+++ b/f\n";
  test.each([
    ["does not match", "@@ -1 +1 @@\n-x\n+y\n", /^Hunk 1 doesn't match file content of f\.$/],
    ["names no place", "@@\n+y\n", /^Hunk 1 adds lines without saying where \(/],
    ["has no context", `${header}@@ -1,0 +2 @@\n+y\n`, / it is now \w+\. Hunk 1 has no context\.$/],
  ])("a refusal names a hunk that %s by its number, once", async (_, patch, words) => {
    const desk = await openDesk({ f: "a\nb\n" });
    const { error } = await desk.call("patch_file", { path: "f", patch });
    expect(error).toMatch(words);
    expect(error).not.toMatch(/hunk hunk/i);
  });

  test("a backup exists only if the patch was applied", async () => {
    const desk = await openDesk({ f: "a\n" });
    await desk.call("patch_file", { path: "f", patch: "@@ -1 +1 @@\n-x\n+y\n" });
    expect(desk.disk.tree().some((path) => path.endsWith(".bak"))).toBe(false);
    const result = await desk.call("patch_file", { path: "f", patch: "@@ -1 +1 @@\n-a\n+b\n" });
    expect(desk.text(result.backup!)).toBe("a\n");
  });
});

describe("insert_at", () => {
  const rows: [string, string, number, string, string | { code: string; error?: string }][] = [
    ["at the beginning", "a\n", 0, "x", "x\na\n"],
    ["at the end", "a\n", -1, "x", "a\nx\n"],
    ["after line n", "a\nb\n", 1, "x", "a\nx\nb\n"],
    [
      "a line beyond the end",
      "a\nb\n",
      3,
      "x",
      { code: "out-of-range", error: "Line 3 is out of range for f: it has 2 lines." },
    ],
    ["a line below -1", "a\nb\n", -2, "x", { code: "out-of-range" }],
    ["inserted content takes whole lines", "a\nb", -1, "x\n", "a\nb\nx"],
    ["into an empty file", "", 0, "x", "x\n"],
    ["with the line ending of the file", "a\r\n", 1, "x\ny", "a\r\nx\r\ny\r\n"],
    ["a line that is not a number", "a\n", "1" as unknown as number, "x", { code: "malformed" }],
  ];
  test.each(rows)("%s", async (_, before, line, content, expected) => {
    const desk = await openDesk({ f: before });
    const result = await desk.call("insert_at", { path: "f", line, content });
    if (typeof expected === "string") expect(desk.text("f")).toBe(expected);
    else {
      expect(result).toMatchObject({ success: false, ...expected });
      expect(desk.text("f")).toBe(before);
    }
  });

  test("insert_at makes the same backups as edit_file", async () => {
    const desk = await openDesk({ f: "a\n" });
    const { backup } = await desk.call("insert_at", { path: "f", line: 0, content: "x" });
    expect(desk.text(backup!)).toBe("a\n");
  });
});

describe("write_file", () => {
  test("write_file creates files and refuses existing ones", async () => {
    const desk = await openDesk({ f: "old\n" });
    expect(await desk.call("write_file", { path: "new/g.md", content: "x\n" })).toMatchObject({
      success: true,
    });
    expect(desk.text("new/g.md")).toBe("x\n");
    expect(await desk.call("write_file", { path: "f", content: "x" })).toMatchObject({
      success: false,
      code: "exists",
      hint: "Use edit_file to change part of it, or pass rewrite: true to replace all of it.",
    });
    expect(await desk.call("write_file", { path: "f", content: "x\n", rewrite: true })).toMatchObject({
      success: true,
    });
    expect(desk.text("f")).toBe("x\n");
  });

  test("a file of 361 lines cannot shrink to 2 unless its version is given", async () => {
    const text = Array.from({ length: 361 }, (_, i) => `line ${i}`).join("\n");
    const desk = await openDesk({ f: text });
    const input = { path: "f", content: "a\nb\n", rewrite: true };
    expect(await desk.call("write_file", input)).toMatchObject({ success: false, code: "needs-consent" });
    expect(desk.text("f")).toBe(text);
    const { version } = await desk.call("read_file", { path: "f" });
    expect(await desk.call("write_file", { ...input, base_version: version })).toMatchObject({
      success: true,
    });
  });
});

describe("reading", () => {
  test("a line beyond the end of a file is refused with the lines that exist", async () => {
    const desk = await openDesk({ f: "a\nb\n" });
    expect(await desk.call("read_file", { path: "f", start_line: 9 })).toMatchObject({
      code: "out-of-range",
      hint: "Valid lines are 1 to 2.",
    });
  });

  test("read_file numbers lines and gives the version", async () => {
    const desk = await openDesk({ f: "\uFEFFa\r\nb\r\nc" });
    const whole = await desk.call("read_file", { path: "f" });
    expect(whole).toMatchObject({
      success: true,
      totalLines: 3,
      endings: "CRLF",
      output: `     1\ta\n     2\tb\n     3\tc\n(version ${whole.version!.slice(0, 16)})`,
    });
    expect(whole.version).toMatch(/^[0-9a-f]{64}$/);
    expect((await desk.call("read_file", { path: "f", start_line: 2, end_line: 2 })).output).toBe(
      `     2\tb\n(version ${whole.version!.slice(0, 16)}+part)`,
    );
    expect(await desk.call("read_file", { path: "nope" })).toMatchObject({
      success: false,
      error: "File not found: nope.",
    });
  });

  test("read_file of a path in another case names the file that is meant", async () => {
    const desk = await openDesk({ "source/core/Ky.ts": "a\n" });
    const read = await desk.call("read_file", { path: "source/core/ky.ts" });
    expect(read).toMatchObject({ success: false, code: "not-found" });
    expect(JSON.stringify(read)).toContain("Did you mean source/core/Ky.ts?");
    const elsewhere = await desk.call("read_file", { path: "src/Ky.ts" });
    expect(JSON.stringify(elsewhere)).toContain("source/core/Ky.ts");
  });

  test("list_files and search_files leave our state out", async () => {
    const desk = await openDesk({
      "a.md": "one\ntwo\n",
      "src/b.ts": "two\n",
      bin: new Uint8Array([0, 1, 2]),
    });
    await desk.call("edit_file", { path: "a.md", old_content: "one", new_content: "1" });
    expect(await desk.call("list_files", {})).toMatchObject({ files: ["a.md", "bin", "src/b.ts"] });
    expect(await desk.call("list_files", { glob: "**/*.ts" })).toMatchObject({ files: ["src/b.ts"] });
    expect(await desk.call("search_files", { query: "two" })).toMatchObject({
      total: 2,
      output: "a.md:2: two\nsrc/b.ts:1: two",
    });
    expect(await desk.call("search_files", { query: "TWO", ignore_case: true, path: "src" })).toMatchObject({
      total: 1,
    });
    expect(await desk.call("search_files", { query: "two", path: "a.md" })).toMatchObject({
      output: "a.md:2: two",
    });
    expect((await desk.call("search_files", { query: "two|nowhere" })).output).toBe(
      'No line holds "two|nowhere". This is no regular expression: with `pattern`, `*` stands for any characters of a line, and `|` for either side.',
    );
    const pattern = async (query: string, more = {}) =>
      (await desk.call("search_files", { query, pattern: true, ...more })).output;
    expect(await pattern("one|t*o")).toBe("a.md:2: two\nsrc/b.ts:1: two");
    expect(await pattern("T*W*O", { ignore_case: true, path: "a.md" })).toBe("a.md:2: two");
    expect(await pattern("o*t")).toBe('No line holds "o*t".');
    expect((await desk.call("search_files", { query: "nowhere" })).output).toBe('No line holds "nowhere".');
    expect(await desk.call("search_files", { query: "" })).toMatchObject({
      success: false,
      code: "malformed",
    });
  });
});

describe("apply_patch", () => {
  test("of two names in a header, the one that exists is the file", async () => {
    const patch = "--- a/f.txt\n+++ b/g.txt\n@@ -1 +1 @@\n-a\n+b\n";
    for (const name of ["f.txt", "g.txt"]) {
      const desk = await openDesk({ [name]: "a\n" });
      expect(await desk.call("apply_patch", { patch })).toMatchObject({ success: true, paths: [name] });
      expect(desk.text(name)).toBe("b\n");
    }
    const both = await openDesk({ "f.txt": "a\n", "g.txt": "a\n" });
    expect(await both.call("apply_patch", { patch })).toMatchObject({ success: true, paths: ["g.txt"] });
  });

  const lines = ["first", "second", "third", "fourth", "fifth", "sixth"];
  const hunk = " first\n second\n thrid\n-fourth\n+FOURTH\n fifth\n sixth\n";
  const search = "first\nsecond\nthrid\nfourth\n=======\nfirst\nsecond\nthrid\nFOURTH";
  const listed = "  8\tthird\n  9\tfourth\n=======\n  8\tthird\n  9\tFOURTH";
  const misquoted: [string, string, string][] = [
    ["unified diff", "apply_patch", `--- a/f\n+++ b/f\n@@ -1,6 +1,6 @@\n${hunk}`],
    ["envelope", "apply_patch", `*** Begin Patch\n*** Update File: f\n@@\n${hunk}*** End Patch\n`],
    ["block", "apply_patch", `f\n<<<<<<< SEARCH\n${search}\n>>>>>>> REPLACE\n`],
    ["listing", "apply_patch", `f\n<<<<<<< SEARCH\n${listed}\n>>>>>>> REPLACE\n`],
    ["patch of one file", "patch_file", `@@ -1,6 +1,6 @@\n${hunk}`],
  ];
  test.each(misquoted)("the refusal of a misquoted %s carries the corrected call", async (_, tool, patch) => {
    const desk = await openDesk({ f: `${lines.join("\n")}\n` }, withMemory());
    const refused = await desk.call(tool, tool === "patch_file" ? { path: "f", patch } : { patch });
    expect(refused).toMatchObject({ success: false, code: "not-found", retry: { tool: "retry_edit" } });
    expect(await desk.call("retry_edit", refused.retry?.arguments)).toMatchObject({ success: true });
    expect(desk.text("f")).toBe(`${lines.with(3, "FOURTH").join("\n")}\n`);
  });

  test.each([
    ["changes", "-fouth\n+FOURTH\n"],
    ["removes", "-fouth\n"],
  ])("a patch that %s a misquoted line has no corrected call", async (_, changed) => {
    const desk = await openDesk({ f: `${lines.join("\n")}\n` }, withMemory());
    const patch = `--- a/f\n+++ b/f\n@@ -3,3 +3,3 @@\n third\n${changed} fifth\n`;
    const refused = await desk.call("apply_patch", { patch });
    expect(refused).toMatchObject({ success: false, code: "not-found" });
    expect(refused.retry).toBeUndefined();
  });

  test("several files in any format, one transaction", async () => {
    const patches = {
      unified: "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-c\n+d\n",
      envelope:
        "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** Update File: g\n@@\n-c\n+d\n*** End Patch\n",
      blocks:
        "f\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\ng\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n",
      json: JSON.stringify([
        { path: "f", old_string: "a", new_string: "b" },
        { path: "g", old_string: "c", new_string: "d" },
      ]),
    };
    for (const [format, patch] of Object.entries(patches)) {
      const desk = await openDesk({ f: "a\n", g: "c\n" });
      expect(await desk.call("apply_patch", { patch })).toMatchObject({
        success: true,
        format,
        paths: ["f", "g"],
      });
      expect([desk.text("f"), desk.text("g")]).toEqual(["b\n", "d\n"]);
      expect((await desk.call("undo", {})).success).toBe(true);
      expect([desk.text("f"), desk.text("g")]).toEqual(["a\n", "c\n"]);
    }
  });

  test("if one file fails, all files stay as they were", async () => {
    const desk = await openDesk({ f: "a\n", g: "c\n" });
    const patch = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+d\n";
    expect(await desk.call("apply_patch", { patch })).toMatchObject({
      success: false,
      code: "not-found",
      path: "g",
    });
    expect(desk.files()).toEqual(["f", "g"]);
    expect(desk.text("f")).toBe("a\n");
  });
});

describe("modes and profiles", () => {
  test("analyze reads and never writes", async () => {
    const desk = await openDesk({ f: "a\n" }, { mode: "analyze" });
    expect((await desk.call("read_file", { path: "f" })).success).toBe(true);
    expect((await desk.call("search_files", { query: "a" })).success).toBe(true);
    expect((await desk.call("list_files", {})).success).toBe(true);
    for (const [tool, input] of [
      ["write_file", { path: "g", content: "x" }],
      ["edit_file", { path: "f", old_content: "a", new_content: "b" }],
      ["patch_file", { path: "f", patch: "@@ -1 +1 @@\n-a\n+b\n" }],
      ["insert_at", { path: "f", line: 0, content: "x" }],
      ["apply_patch", { patch: "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n" }],
      ["undo", {}],
    ] as const)
      expect(await desk.call(tool, input)).toMatchObject({
        success: false,
        code: "not-allowed",
        error: `Tool not allowed: ${tool} may not be used in analyze mode.`,
      });
    expect(desk.disk.tree()).toEqual(["f"]);
  });

  test("modify offers the surgical tools and no write_file", async () => {
    const desk = await openDesk({ f: "a\n" }, { mode: "modify" });
    expect(await desk.call("write_file", { path: "f", content: "x", rewrite: true })).toMatchObject({
      code: "not-allowed",
    });
    expect((await desk.call("edit_file", { path: "f", old_content: "a", new_content: "b" })).success).toBe(
      true,
    );
  });

  test("generate creates and never overwrites", async () => {
    const desk = await openDesk({ f: "a\n" }, { mode: "generate" });
    expect(await desk.call("write_file", { path: "f", content: "x\n", rewrite: true })).toMatchObject({
      success: false,
      code: "not-allowed",
    });
    expect((await desk.call("write_file", { path: "g", content: "x\n" })).success).toBe(true);
    expect(desk.text("f")).toBe("a\n");
  });

  test("only the tools of the profile are offered", async () => {
    const docs = await openDesk({ "a.md": "a\n" }, { profile: "docs" });
    for (const tool of ["edit_file", "patch_file", "insert_at", "apply_patch", "undo", "shell", "rm"])
      expect((await docs.call(tool, {})).success).toBe(false);
    const files = await openDesk({ "a.md": "a\n" });
    expect(await files.call("edit_article", { path: "a.md", edits: [] })).toMatchObject({
      code: "not-allowed",
    });
  });
});

test("two edits make two backups, and undo finds them", async () => {
  const desk = await openDesk({ f: "one\n" });
  const first = await desk.call("edit_file", { path: "f", old_content: "one", new_content: "two" });
  const second = await desk.call("edit_file", { path: "f", old_content: "two", new_content: "three" });
  expect([desk.text(first.backup!), desk.text(second.backup!)]).toEqual(["one\n", "two\n"]);
  expect(await desk.call("undo", {})).toMatchObject({ success: true, undoes: [second.entry] });
  expect(await desk.call("undo", {})).toMatchObject({ success: true, undoes: [first.entry] });
  expect(desk.text("f")).toBe("one\n");
  expect((await desk.call("redo", {})).success).toBe(true);
  expect(desk.text("f")).toBe("two\n");
});

test("backups are not listed as documents", async () => {
  const desk = await openDesk({ "a.md": "one\n" });
  await desk.call("edit_file", { path: "a.md", old_content: "one", new_content: "two" });
  expect(await desk.call("list_files", {})).toMatchObject({ files: ["a.md"] });
  expect(desk.text(".suture/.gitignore")).toContain("*");
});

test("a targeted change to a real source file leaves the rest of it intact", async () => {
  const { readFileSync } = await import("node:fs");
  const source = readFileSync(new URL(import.meta.url), "utf8");
  const desk = await openDesk({ "src/tools/verbs/files.test.ts": source });
  const old = 'describe("insert_at", () => {';
  await desk.call("edit_file", {
    path: "src/tools/verbs/files.test.ts",
    old_content: old,
    new_content: 'describe("insert_at tool", () => {',
  });
  const at = source.indexOf(old);
  expect(desk.text("src/tools/verbs/files.test.ts")).toBe(
    `${source.slice(0, at)}describe("insert_at tool", () => {${source.slice(at + old.length)}`,
  );
});
