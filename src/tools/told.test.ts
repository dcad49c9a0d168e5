import { expect, test } from "vitest";
import { SessionMemory } from "./session-memory.ts";
import { openDesk } from "./testing.ts";

const session = (files: Readonly<Record<string, string>>) =>
  openDesk(files, { strict: true, memory: new SessionMemory(), policy: { consent: true } });

test.each([
  ["a.py", "def f():\n    return 1\n", "f():", "f(:", 1],
  ["b.py", "if a:\n    return 1\n", "    return", "return", 1],
  ["c.py", "class A:\n    x = 1\n\ny = 2\n", "    x = 1\n", "    # nothing\n", 1],
  ["a.js", "if (a) {\n  b();\n}\n", "b();\n}", "b();", 2],
  ["a.go", "package a\n\nfunc f() {}\n", "f() {}", "f() {", 3],
  ["a.rs", "fn f() {}\n", "{}", "{", 1],
  ["a.json", '{\n  "a": 1,\n  "b": 2\n}\n', "1,", "1", 3],
  ["a.yaml", "a: 1\nb: [1]\n", "[1]", "[1", 3],
  ["a.toml", "a = 1\n", "1", "= 1", 1],
  ["a.ipynb", '{"cells": [], "nbformat": 4}\n', '"cells": []', '"cells": [', 1],
])(
  "a file that no longer parses is told with a success: %s",
  async (path, text, old_content, new_content, line) => {
    const desk = await session({ [path]: text });
    const result = await desk.call("edit_file", { path, old_content, new_content });
    expect(result).toMatchObject({ success: true, entry: "1" });
    expect(result.output).toContain(`${path} parsed before and no longer parses at line`);
    expect(result.warnings?.[0]).toContain(`line ${line}`);
    const again = await desk.call("edit_file", { path, old_content: new_content, new_content: old_content });
    expect([again.success, again.warnings]).toEqual([true, undefined]);
  },
);

const notebook = `${JSON.stringify(
  {
    cells: [
      { cell_type: "code", source: ["a = 1\n", "b = 2\n", 'c = "x"'] },
      { cell_type: "markdown", source: "One line.\nAnd two." },
    ],
    nbformat: 4,
  },
  null,
  1,
)}\n`;

test("a notebook is edited by the text of its cells", async () => {
  const desk = await session({ "a.ipynb": notebook });
  const edit = (old_content: string, new_content: string) =>
    desk.call("edit_file", { path: "a.ipynb", old_content, new_content });
  expect((await edit('b = 2\nc = "x"', 'b = 3\nif b:\n    c = "y"')).success).toBe(true);
  expect((await edit("One line.\nAnd", "1 line.\nAnd")).success).toBe(true);
  const after = JSON.parse(desk.text("a.ipynb")!) as { cells: { source: string | string[] }[] };
  expect(after.cells.map(({ source }) => source)).toEqual([
    ["a = 1\n", "b = 3\n", "if b:\n", '    c = "y"'],
    "1 line.\nAnd two.",
  ]);
});

test("an edit of a notebook is made in what the edits before it left", async () => {
  const desk = await openDesk({ "a.ipynb": notebook }, { profile: "docs" });
  const edit = (old_string: string, new_string: string) => ({
    old_string,
    new_string,
    reason: "It changed.",
  });
  const edits = [edit("b = 2", 'b = "two"'), edit('b = "two"\nc', 'b = "2"\nd\nc'), edit('2"\nd', '3"\ne')];
  expect((await desk.call("edit_article", { path: "a.ipynb", edits })).success).toBe(true);
  const after = JSON.parse(desk.text("a.ipynb")!) as { cells: { source: string | string[] }[] };
  expect(after.cells[0]!.source).toEqual(["a = 1\n", 'b = "3"\n', "e\n", 'c = "x"']);
});

test.each([
  ["in two cells that spell it differently", "", undefined],
  ["in an output, after those of the cells,", "café", 3],
])("a quotation that a notebook has %s is refused", async (_, output, occurrence) => {
  const cell = (source: string) => `{"cell_type": "code", "source": "${source}", "outputs": ["${output}"]}`;
  const text = `{"cells": [\n${cell("café")},\n${cell("caf\\u00e9")}\n]}\n`;
  const desk = await session({ "a.ipynb": text });
  const edit = {
    path: "a.ipynb",
    old_content: "café",
    new_content: "tea",
    ...(occurrence && { occurrence }),
  };
  const refused = await desk.call("edit_file", edit);
  expect([refused.success, desk.text("a.ipynb")]).toEqual([false, text]);
  expect(refused.output + refused.error).toMatch(
    occurrence ? /2 places|occurrence/ : /line 2[^0-9](.|\n)*line 3/,
  );
});

test("a patch shows the resulting lines, and counts hunks and files", async () => {
  const desk = await session({ f: "a\nb\nc\nd\ne\nf\ng\nh\ni\n", g: "x\n", h: "y\n" });
  const patch = [
    "diff --git a/f b/f",
    "--- a/f",
    "+++ b/f",
    "@@ -1,2 +1,2 @@",
    "-a",
    "+A",
    " b",
    "@@ -8,2 +8,2 @@",
    " h",
    "-i",
    "+I",
    "diff --git a/g b/moved",
    "similarity index 100%",
    "rename from g",
    "rename to moved",
    "",
  ].join("\n");
  const { output } = await desk.call("apply_patch", { patch });
  expect(output).toContain("✓ Applied 2 hunks and 1 edit to 2 files");
  expect(output).toContain("R g → moved");
  expect(output).toContain("1\tA\n2\tb");
  expect(output).toContain("9\tI");
  expect(output).not.toContain("D g");
});
