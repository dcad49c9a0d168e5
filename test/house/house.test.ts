import { expect, test } from "vitest";
import { measureHouse } from "./figures.ts";
import limits from "./limits.json" with { type: "json" };
import { loadSources, parseSource } from "./sources.ts";

test("no figure of the house gets worse", () => {
  const figures = measureHouse(loadSources("."));
  const now = {
    coreLines: figures.lines.core,
    packageLines: figures.lines.packages,
    expressions: figures.expressions,
    wideFunctions: figures.wide.length,
    repeatedTypes: figures.repeatedTypes.length,
    assertionsPer1000: figures.assertionsPer1000,
    conditionalSpreads: figures.conditionalSpreads.length,
    prose: figures.prose.length,
    ...Object.fromEntries(Object.entries(figures.touched).map(([part, paths]) => [part, paths.length])),
  } as Record<keyof typeof limits, number>;
  const names = Object.keys(limits) as (keyof typeof limits)[];
  for (const folder of figures.crowded) console.warn(`a folder of more than 20 files: ${folder}`);
  for (const place of figures.long) console.warn(`a function of more than 80 lines: ${place}`);
  // `npm run house -- --lists` names the places. When a figure gets better, lower its limit. Who raises one says why in the
  // message of the commit.
  expect(names.filter((name) => !(now[name] <= limits[name])).map((name) => [name, now[name]])).toEqual([]);
  expect(Object.entries(figures.touched).filter(([, paths]) => paths.length === 0)).toEqual([]);
});

const body = (lines: number) => "  step();\n".repeat(lines);

test("functions are measured by lines and parameters, and tables are no long functions", () => {
  const text = `function long() {\n${body(90)}}\nfunction wide(a, b, c, d, e) {}\nconst table = () => {\n  return {\n${"    a: 1,\n".repeat(90)}  };\n};\n`;
  const { functions, functionLines, long, wide } = measureHouse([parseSource("src/a.ts", text)]);
  expect({ functions, max: functionLines.max }).toEqual({ functions: 3, max: 94 });
  expect({ long, wide }).toEqual({ long: ["src/a.ts:1 92"], wide: ["src/a.ts:93 5"] });
});

test("type names and non-null assertions are counted", () => {
  const sources = [
    parseSource("src/text/a.ts", "type A = 1;\ninterface B {}\n"),
    parseSource("src/drift/c.ts", "type B = 1;\n"),
    parseSource("src/text/b.ts", "type A = 2;\nf(a!.b!);\n"),
  ];
  const { types, repeatedTypes, assertionsPer1000 } = measureHouse(sources);
  expect({ types, repeatedTypes, assertionsPer1000 }).toEqual({
    types: 2,
    repeatedTypes: ["A 2"],
    assertionsPer1000: 400,
  });
});

test.each([
  ["f({ ...(a === undefined ? {} : { a }), b });", 1],
  ["f({ ...(a && { a }), ...(b && { b }) });", 2],
  ["f({ ...defined({ a }), ...(a ?? b), ...(a ? b : c) });", 0],
  ["f([...(a ? [a] : [])]);", 0],
])("conditional spreads are found: %s", (text, count) => {
  expect(measureHouse([parseSource("src/a.ts", `${text}\n`)]).conditionalSpreads).toHaveLength(count);
});

test.each([
  ['if (refusal.what === "the text is empty") f();', 1],
  ['if ("no such file" !== error.message) f();', 1],
  ["if (/ENOENT/.test(error.message)) f();", 1],
  ['if (error?.message.includes("ENOENT")) f();', 1],
  ['if (refusal.code === "not-found") f();', 0],
  ['print(error.message, "not found");', 0],
  ['if (what === "rename") f();', 0],
])("conditions on prose are found: %s", (text, count) => {
  expect(measureHouse([parseSource("src/a.ts", `${text}\n`)]).prose).toHaveLength(count);
});

test("a part that a comment mentions is not touched", () => {
  const sources = [
    parseSource("src/a.ts", "// GitLab does the same.\n"),
    parseSource("src/b.ts", 'f("gitlab");\n'),
  ];
  expect(measureHouse(sources).touched.host).toEqual(["src/b.ts"]);
});

test("the folder of a part counts once", () => {
  const paths = ["src/hosts/gitlab/api.ts", "src/hosts/gitlab/webhook.ts", "src/hosts/registry.ts"];
  const sources = paths.map((path) => parseSource(path, 'f("gitlab");\n'));
  expect(measureHouse(sources).touched.host).toEqual(["src/hosts/gitlab", "src/hosts/registry.ts"]);
});
