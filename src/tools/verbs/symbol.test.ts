import { describe, expect, test } from "vitest";
import { openDesk } from "../testing.ts";

const ts =
  "/** Adds. */\nexport function add(a: number, b: number): number {\n  return a + b;\n}\n\nexport class Box {\n  open(): void {\n    this.lid = 1;\n  }\n\n  shut(): void {}\n}\n";
const py = "class Box:\n    def open(self):\n        return 1\n\n    def shut(self):\n        return 2\n";
const md = "# Title\n\nIntro.\n\n## Install\n\nRun it.\n\n## Use\n\nCall it.\n";

const rows: [string, string, string, Record<string, unknown>, string | { code: string }][] = [
  [
    "rename a declaration",
    "a.ts",
    ts,
    { symbol: "add", action: "rename", content: "sum" },
    ts.replace("function add", "function sum"),
  ],
  [
    "replace a body",
    "a.ts",
    ts,
    { symbol: "add", action: "replace_body", content: "return b + a;" },
    ts.replace("return a + b;", "return b + a;"),
  ],
  [
    "replace a method's body",
    "a.ts",
    ts,
    { symbol: "Box.open", action: "replace_body", content: "this.lid = 0;\nreturn;" },
    ts.replace("    this.lid = 1;", "    this.lid = 0;\n    return;"),
  ],
  [
    "insert after a method",
    "a.ts",
    ts,
    { symbol: "class Box > method open", action: "insert_after", content: "lock(): void {}" },
    ts.replace("    this.lid = 1;\n  }\n", "    this.lid = 1;\n  }\n\n  lock(): void {}\n"),
  ],
  [
    "delete a method",
    "a.ts",
    ts,
    { symbol: "Box.shut", action: "delete" },
    ts.replace("  shut(): void {}\n", ""),
  ],
  [
    "what parsed must parse",
    "a.ts",
    ts,
    { symbol: "add", action: "replace_body", content: "return (a + b;" },
    { code: "unparsable" },
  ],
  [
    "a comment in C stays with its function",
    "a.c",
    "int a;\n\n/* Writes\n * a line. */\n// Low level.\nvoid log_raw(int x) {}\n",
    { symbol: "log_raw", action: "insert_before", content: "int b;" },
    "int a;\n\nint b;\n\n/* Writes\n * a line. */\n// Low level.\nvoid log_raw(int x) {}\n",
  ],
  [
    "a comment above a decorator stays with its function",
    "a.py",
    "a = 1\n\n# Cached.\n@cache\ndef f():\n    return 1\n",
    { symbol: "f", action: "insert_before", content: "b = 2" },
    "a = 1\n\nb = 2\n\n# Cached.\n@cache\ndef f():\n    return 1\n",
  ],
  [
    "a comment in JavaScript is replaced with its function",
    "a.js",
    "// Old words.\nfunction f() {}\n",
    { symbol: "f", action: "replace", content: "// New words.\nfunction f() {\n  g();\n}" },
    "// New words.\nfunction f() {\n  g();\n}\n",
  ],
  ["no such symbol", "a.ts", ts, { symbol: "sub", action: "delete" }, { code: "not-found" }],
  [
    "a Python body",
    "a.py",
    py,
    { symbol: "Box.open", action: "replace_body", content: "x = 1\nreturn x" },
    py.replace("        return 1", "        x = 1\n        return x"),
  ],
  [
    "a section's text",
    "a.md",
    md,
    { symbol: "## Install", action: "replace_body", content: "\nDo it.\n" },
    md.replace("Run it.", "Do it."),
  ],
  [
    "into a section",
    "a.md",
    md,
    { symbol: "Install", action: "insert_into", content: "\nThen wait." },
    md.replace("Run it.", "Run it.\n\nThen wait."),
  ],
  [
    "a heading's words",
    "a.md",
    md,
    { symbol: "Use", action: "rename", content: "Usage" },
    md.replace("## Use", "## Usage"),
  ],
  [
    "a section deleted",
    "a.md",
    md,
    { symbol: "Install", action: "delete" },
    md.replace("## Install\n\nRun it.\n\n", ""),
  ],
];

describe("edit_symbol", () => {
  test.each(rows)("%s", async (_, path, before, input, expected) => {
    const desk = await openDesk({ [path]: before });
    const result = await desk.call("edit_symbol", { path, ...input });
    if (typeof expected === "string") {
      expect(result).toMatchObject({ success: true });
      expect(desk.text(path)).toBe(expected);
      return;
    }
    expect(result).toMatchObject({ success: false, ...expected });
    expect(desk.text(path)).toBe(before);
  });
});

test.each([
  ["a.go", "package a\n\n", "// F adds.\nfunc F() {}\n", "F"],
  ["a.rs", "use a;\n\n", "/// Adds.\n#[inline]\npub fn f() {}\n", "f"],
  ["a.java", "class A {\n\n", "    /** Adds. */\n    @Override\n    void f() {}\n}\n", "A.f"],
  ["a.cs", "class A {\n\n", "    /// Adds.\n    [Test]\n    void F() {}\n}\n", "A.F"],
  ["a.kt", "class A {\n\n", "    /** Adds. */\n    @Test\n    fun f() {}\n}\n", "A.f"],
  ["a.php", "<?php\nclass A {\n\n", "    /** Adds. */\n    #[Test]\n    function f() {}\n}\n", "A.f"],
  ["a.rb", "class A\n\n", "  # Adds.\n  def f\n  end\nend\n", "A.f"],
  ["a.cpp", "int a;\n\n", "// Adds.\n[[nodiscard]]\nint f() { return 1; }\n", "f"],
  ["a.ts", "class A {\n\n", "  // Adds.\n  @log()\n  f() {}\n}\n", "A.f"],
  ["a.py", "import a\n\n\n", "# Adds.\n@log\ndef f():\n    pass\n", "f"],
])("what belongs to a declaration goes with it: %s", async (path, head, declaration, symbol) => {
  const desk = await openDesk({ [path]: head + declaration });
  const removed = await desk.call("edit_symbol", { path, symbol, action: "delete" });
  expect([removed.error, removed.success]).toEqual([undefined, true]);
  expect(desk.text(path)).not.toMatch(/Adds|inline|Override|Test|nodiscard|log/);
});

test("`within` tells equal texts apart", async () => {
  const desk = await openDesk({ "a.md": "## A\n\nold\n\n## B\n\nold\n", "a.ts": ts });
  expect(
    await desk.call("edit_file", { path: "a.md", old_content: "old", new_content: "new", within: "## B" }),
  ).toMatchObject({ success: true, remaining: 0 });
  expect(desk.text("a.md")).toBe("## A\n\nold\n\n## B\n\nnew\n");
  expect(
    await desk.call("edit_file", { path: "a.md", old_content: "old", new_content: "x", within: "## C" }),
  ).toMatchObject({ success: false, code: "not-found" });
  expect(
    (
      await desk.call("edit_file", {
        path: "a.ts",
        old_content: "void",
        new_content: "never",
        within: "Box.shut",
      })
    ).success,
  ).toBe(true);
});

test("a section of a notebook is not edited by name", async () => {
  const notebook = '{"cells": [{"cell_type": "markdown", "source": ["# Use\\n", "Call it."]}]}\n';
  const desk = await openDesk({ "a.ipynb": notebook });
  const call = { path: "a.ipynb", symbol: "Use", action: "replace_body", content: "New." };
  expect(await desk.call("edit_symbol", call)).toMatchObject({ success: false, code: "unavailable" });
  expect(desk.text("a.ipynb")).toBe(notebook);
});

test("a rename names the lines that still have the old name", async () => {
  const desk = await openDesk({
    "s.ts": "function two() {\n  return two.length;\n}\nconsole.log(two(), twofold);\n",
  });
  const call = { path: "s.ts", symbol: "two", action: "rename", content: "three" };
  const renamed = await desk.call("edit_symbol", call);
  expect(renamed).toMatchObject({ success: true, usesLeft: [2, 4] });
  expect(renamed.output).toContain("two is still on lines 2, 4");
});
