import { expect, test } from "vitest";
import { RUNS } from "../../../test/laws/generators.ts";
import { tryPairs, wrongWords } from "../../../test/laws/two-agents.ts";
import { mergeFile, mergeFileCleanly } from "./merge-file.ts";

type Row = readonly [name: string, path: string, base: string, ours: string, theirs: string, merged: string];

const java = (body: string) => `class A {\n${body}}\n`;
const first = "  int a;\n";
const numbered = (most: number) => oneTo(most, (id) => `  @M(id = ${id}, value = "z") void m${id}();\n`);
const entries = (most: number) =>
  `[\n${oneTo(most, (id) => `{ "id": ${id}, "name": "m" }${id < most ? ",\n" : ""}`)}\n]\n`;

function oneTo(most: number, print: (each: number) => string): string {
  return Array.from({ length: most }, (_, i) => print(i + 1)).join("");
}

test.each<Row>([
  [
    "both sides add a member at one place",
    "A.java",
    java(first),
    java(`${first}  int b;\n`),
    java(`${first}  int c;\n`),
    java(`${first}  int b;\n  int c;\n`),
  ],
  [
    "an import that both sides add is there once, beside what each adds alone",
    "a.ts",
    'import a from "a";\n\na();\n',
    'import a from "a";\nimport c from "c";\nimport b from "b";\n\na();\n',
    'import a from "a";\nimport c from "c";\nimport d from "d";\n\na();\n',
    'import a from "a";\nimport c from "c";\nimport b from "b";\nimport d from "d";\n\na();\n',
  ],
  [
    "keys get the comma that was missing",
    "a.json",
    '{\n  "a": 1\n}\n',
    '{\n  "a": 1,\n  "b": 2\n}\n',
    '{\n  "a": 1,\n  "c": 3\n}\n',
    '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n',
  ],
  [
    "a value that is not another one each time",
    "A.java",
    java(numbered(5)),
    java(`${numbered(5)}  @M(id = 6, value = "z") void x();\n`),
    java(`${numbered(5)}  @M(id = 7, value = "z") void y();\n`),
    java(`${numbered(5)}  @M(id = 6, value = "z") void x();\n  @M(id = 7, value = "z") void y();\n`),
  ],
  [
    "entries of an array with the same keys, far apart",
    "a.json",
    entries(9),
    entries(9).replace("[\n", '[\n{ "id": 10, "name": "m" },\n'),
    entries(9).replace("\n]", ',\n{ "id": 11, "name": "m" }\n]'),
    entries(9)
      .replace("[\n", '[\n{ "id": 10, "name": "m" },\n')
      .replace("\n]", ',\n{ "id": 11, "name": "m" }\n]'),
  ],
  ["keys in an empty object", "a.json", "{}\n", '{"b": 2}\n', '{"c": 3}\n', '{"b": 2, "c": 3}\n'],
  [
    "one side deletes an entry beside those that the other adds",
    "a.rs",
    "use x::{a, b};\n",
    "use x::{a};\n",
    "use x::{a, b, c};\n",
    "use x::{a, c};\n",
  ],
  [
    "two parameters of one call, each with its own spacing",
    "a.py",
    "f(a, b)\n",
    "f( x, b)\n",
    "f(a, y )\n",
    "f( x, y )\n",
  ],
  [
    "two statements that touch",
    "a.go",
    "package a\n\nfunc f() {\n\ta()\n\tb()\n}\n",
    "package a\n\nfunc f() {\n\ta(1)\n\tb()\n}\n",
    "package a\n\nfunc f() {\n\ta()\n\tb(2)\n}\n",
    "package a\n\nfunc f() {\n\ta(1)\n\tb(2)\n}\n",
  ],
  [
    "attributes of JSX",
    "a.tsx",
    "const a = <b />;\n",
    'const a = <b c="1" />;\n',
    'const a = <b d="2" />;\n',
    'const a = <b c="1" d="2" />;\n',
  ],
  [
    "a key with lines below it",
    "a.yaml",
    "a:\n  b: 1\n",
    "a:\n  b: 1\n  c: 2\n",
    "a:\n  b: 1\n  d:\n    - 3\n",
    "a:\n  b: 1\n  c: 2\n  d:\n    - 3\n",
  ],
  [
    "the bytes of a CRLF file stay",
    "A.java",
    java(first).replaceAll("\n", "\r\n"),
    java(`${first}  int b;\n`).replaceAll("\n", "\r\n"),
    java(`${first}  int c;\n`).replaceAll("\n", "\r\n"),
    java(`${first}  int b;\n  int c;\n`).replaceAll("\n", "\r\n"),
  ],
  [
    "the same key with the same value, added far apart, is there once",
    "a.json",
    '{\n  "a": 1,\n  "b": 2,\n  "c": 3,\n  "d": 4\n}\n',
    '{\n  "x": 0,\n  "a": 1,\n  "b": 2,\n  "c": 3,\n  "d": 4\n}\n',
    '{\n  "a": 1,\n  "b": 2,\n  "c": 3,\n  "d": 4,\n  "x": 0\n}\n',
    '{\n  "x": 0,\n  "a": 1,\n  "b": 2,\n  "c": 3,\n  "d": 4\n}\n',
  ],
])("merged: %s", async (_, path, base, ours, theirs, merged) => {
  expect(await mergeFile(path, { base, ours, theirs })).toEqual({ text: merged, conflicts: [] });
});

test.each<[string, string, string, string, string]>([
  [
    "one key with two values",
    "a.json",
    '{\n  "a": 1\n}\n',
    '{\n  "a": 1,\n  "b": 2\n}\n',
    '{\n  "a": 1,\n  "b": 3\n}\n',
  ],
  [
    "one key with two values, far apart, though the lines do not touch",
    "a.json",
    '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n',
    '{\n  "x": 0,\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n',
    '{\n  "a": 1,\n  "b": 2,\n  "c": 3,\n  "x": 9\n}\n',
  ],
  [
    "one method with two bodies",
    "A.java",
    java(first),
    java(`${first}  int f() { return 1; }\n`),
    java(`${first}  int f() { return 2; }\n`),
  ],
  [
    "the next free number, given to two members",
    "A.java",
    java(numbered(5)),
    java(`${numbered(5)}  @M(id = 6, value = "x") void x();\n`),
    java(`${numbered(5)}  @M(id = 6, value = "y") void y();\n`),
  ],
  [
    "the next free number, given at two places whose lines do not touch",
    "a.json",
    entries(9),
    entries(9).replace("[\n", '[\n{ "name": "x", "id": 10 },\n'),
    entries(9).replace("\n]", ',\n{ "id": 10, "name": "y" }\n]'),
  ],
  ["statements at one place", "a.py", "a()\n", "a()\nb()\n", "a()\nc()\n"],
  [
    "a statement beside one that the other side changed",
    "a.py",
    "a()\nz()\n",
    "a()\nb()\nz()\n",
    "a(1)\nz()\n",
  ],
  [
    "a statement beside one that both sides changed",
    "a.py",
    "a()\nz(1, 2)\n",
    "a()\nb()\nz(3, 2)\n",
    "a()\nz(1, 4)\n",
  ],
  [
    "a function that each side cut in two",
    "a.py",
    "def f():\n    a()\n    z()\n",
    "def f():\n    a()\n\n\ndef g():\n    z()\n",
    "def f():\n    a()\n\n\ndef h():\n    z()\n",
  ],
  [
    "uses of a name whose last use the other side took",
    "a.ts",
    "a(old);\nb(1, 2);\n",
    "a(fresh);\nb(3, 2);\n",
    "a(old);\nb(1, old);\n",
  ],
  ["elements of an array", "a.json", "[1]\n", "[1, 2]\n", "[1, 3]\n"],
  ["a member changed here and deleted there", "A.java", java(first), java("  long a;\n"), java("")],
  ["a file that does not parse", "A.java", "class A {\n", "class A {\n  int b;\n", "class A {\n  int c;\n"],
  ["a format without a grammar", "a.txt", "a\n", "a\nb\n", "a\nc\n"],
])("conflict: %s", async (_, path, base, ours, theirs) => {
  expect(await mergeFileCleanly(path, { base, ours, theirs })).toBeNull();
  const { text, conflicts } = await mergeFile(path, { base, ours, theirs });
  expect(conflicts).toHaveLength(1);
  expect(text).toContain("<<<<<<< ours\n");
});

test("what a tree settles is settled although other lines conflict", async () => {
  const between = "\n\n\nx();\n\n\n";
  const merged = await mergeFile("a.js", {
    base: `f(a, b);${between}g();\n`,
    ours: `f(c, b);${between}g(1);\n`,
    theirs: `f(a, d);${between}g(2);\n`,
  });
  expect(merged.text).toBe(`f(c, d);${between}<<<<<<< ours\ng(1);\n=======\ng(2);\n>>>>>>> theirs\n`);
});

test("of random edits of real files, a result has every word that either side added once, and none that one took", async () => {
  let clean = 0;
  await tryPairs(RUNS / 80, (pair) => {
    if (pair.merged === null) return;
    clean++;
    expect(wrongWords(pair)).toEqual({ lost: [], doubled: [] });
  });
  expect(clean).toBeGreaterThan(RUNS / 400);
});
