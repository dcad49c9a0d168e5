import { expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import { readFrontMatter } from "./front-matter.ts";

const read = (text: string) => readFrontMatter(text)?.value;
const troubleOf = (text: string) => readFrontMatter(text)?.trouble;

test("attention rules are read as data", () => {
  expect(read("---\njrn: x\nattention:\n  - op: file\n    path: src/**\n---\n# A")).toEqual({
    jrn: "x",
    attention: [{ op: "file", path: "src/**" }],
  });
});

test.each<[string, string, unknown]>([
  ["TOML", '+++\na = 1\n[b]\nc = "x"\n+++\n', { a: 1, b: { c: "x" } }],
  ["JSON", ';;;\n{"a": [1]}\n;;;\n', { a: [1] }],
  ["CRLF and a byte order mark", "\uFEFF---\r\na: b\r\n---\r\n", { a: "b" }],
  ["closed by dots", "---\na: b\n...\n", { a: "b" }],
  ["empty", "---\n---\n", null],
  [
    "merge keys stay plain keys",
    "---\nb: &b {x: 1}\nc:\n  <<: *b\n---\n",
    { b: { x: 1 }, c: { "<<": { x: 1 } } },
  ],
  ["tags create no objects", "---\na: !!js/function 'f()'\n---\n", { a: "f()" }],
])("%s", (_, text, value) => {
  expect(read(text)).toEqual(value);
});

test.each([["# A\n"], ["a\n---\nb: 1\n---\n"], ["---\nnever closed"], ["---- \na\n----"]])(
  "%j has none",
  (text) => {
    expect(readFrontMatter(text)).toBeUndefined();
  },
);

test("names of built-in properties are plain keys", () => {
  const value = read("---\n__proto__: {polluted: 1}\nconstructor: 2\n---\n") as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test.each<[string, string, number, RegExp]>([
  ["a language that can run code", "---js\nmodule.exports = {}\n---\n", 1, /not read/],
  ["a duplicate key", "---\na: 1\nb: 2\na: 3\n---\n", 4, /twice/],
  [
    "an alias bomb",
    `---\na: &a [x,x]\n${"bcdefgh"
      .split("")
      .map((key, i) => `${key}: &${key} [${`*${"abcdefgh"[i]},`.repeat(9)}]`)
      .join("\n")}\n---\n`,
    2,
    /aliases/,
  ],
  ["a scalar of ten megabytes", `---\na: ${"x".repeat(10_000_000)}\n---\n`, 2, /longer/],
  ["ten thousand brackets", `---\na: ${"[".repeat(10_000)}\n---\n`, 2, /deep/],
  ["seven thousand dashes", `---\n${"- ".repeat(7_000)}x\n---\n`, 2, /deep/],
  ["a dotted path of ten thousand keys", `+++\n${"a.".repeat(10_000)}b = 1\n+++\n`, 2, /deep/],
  ["bad YAML, with its line", "---\na: 1\nb: [\n---\n", 4, /./],
  ["bad TOML, with its line", "+++\na = 1\nb = \n+++\n", 3, /./],
  ["bad JSON, with its line", ';;;\n{\n"a": }\n;;;\n', 3, /value/],
])("%s is refused in bounded work", (_, text, line, why) => {
  const work = measureWork(() => {
    const trouble = troubleOf(text);
    expect(trouble?.line).toBe(line);
    expect(trouble?.why).toMatch(why);
  });
  expect(work).toBeLessThan(20);
});
