import { expect, test } from "vitest";
import { findUncovered, scopeOf } from "./writable.ts";

const all = [
  "src/parser.ts",
  "src/parser.test.ts",
  "lib/deep/parser.ts",
  "docs/guide.md",
  "README.md",
  "lefthook.yml",
  "suture.config.json",
  ".zed/tasks.json",
  "data/list.csv",
];

const sources = ["src/parser.ts", "src/parser.test.ts", "lib/deep/parser.ts", "docs/guide.md", "README.md"];

test.each([
  ["update the docs", ["docs/guide.md", "README.md"]],
  ["Fix the typo in README.md", ["README.md"]],
  ["Fix the wording in docs/guide.md. Do not change any other file.", ["docs/guide.md"]],
  ["Fix docs/guide.md, but leave the other docs alone", ["docs/guide.md"]],
  ["Change src/ but not src/parser.test.ts", ["src/parser.ts"]],
  ["Do not touch the tests. Rename the flag", sources.filter((path) => path !== "src/parser.test.ts")],
  ["Rename the flag everywhere without changing README.md", sources.filter((path) => path !== "README.md")],
  ["Fix README.md so that it does not name the tests", ["src/parser.test.ts", "README.md"]],
  ["Rename the flag in src/parser.ts", ["src/parser.ts"]],
  ["Rename the flag in parser.ts", ["src/parser.ts", "lib/deep/parser.ts"]],
  ["Change everything under lib/.", ["lib/deep/parser.ts"]],
  ["Sort data/list.csv", ["data/list.csv"]],
  ["Set it in .zed/tasks.json", [".zed/tasks.json"]],
  ["Change src/*.ts", ["src/parser.ts", "src/parser.test.ts"]],
  ["Rename it and update the page", sources],
  ["Improve the page and make it better", ["docs/guide.md", "README.md"]],
  ["Add tests", ["src/parser.test.ts"]],
  ["Rename the flag", sources],
  ["Use it everywhere, e.g. twice.", sources],
  ["Do not touch README.md but rename the flag in src/parser.ts", ["src/parser.ts"]],
  ["Update the docs but do not change any code", ["docs/guide.md", "README.md"]],
  ["Add comments to the code but do not change any code", sources],
  ["Update docs/guide.md but do not touch the examples of docs/guide.md", ["docs/guide.md"]],
  [
    "Rename the flag in src/, do not touch the tests or any other folder",
    ["src/parser.ts", "src/parser.test.ts"],
  ],
])("the goal %j covers what it names", (goal, covered) => {
  expect(all.filter(scopeOf(goal).covers)).toEqual(covered);
});

test.each([
  [
    "Rename the flag, but do not touch src/parser.ts or the docs",
    ["src/parser.ts", "docs/guide.md", "README.md"],
  ],
  ["Fix the guide. Do not change any other page.", []],
  ["Leave lefthook.yml alone and rename the flag", ["lefthook.yml"]],
])("the goal %j forbids what it wants left alone", (goal, forbidden) => {
  expect(all.filter(scopeOf(goal).forbids)).toEqual(forbidden);
});

test("globs of the person add to the goal", () => {
  expect(all.filter(scopeOf("update the docs", ["data/**"]).covers)).toContain("data/list.csv");
});

test("only tasks that write are asked about, each file once", () => {
  const task = (mode: "modify" | "analyze", ...targets: string[]) => ({
    ...{ id: mode, description: "d", mode, targets, dependsOn: [] },
  });
  const tasks = [task("modify", "z.yml", "docs/a.md"), task("modify", "z.yml"), task("analyze", "y.yml")];
  expect(findUncovered(tasks, scopeOf("update the docs").covers)).toEqual(["z.yml"]);
});
