import { expect, test } from "vitest";
import { isBinaryPath, isCodePath, isSourcePath, isToolOutputPath } from "./file-kinds.ts";

test.each<[path: string, source: boolean, binary: boolean, output: boolean, code: boolean]>([
  ["src/a.ts", true, false, false, true],
  ["A.VUE", true, false, false, true],
  ["a.scala", true, false, false, true],
  ["schema.graphql", true, false, false, true],
  ["package.json", false, false, false, true],
  ["README.md", false, false, false, false],
  ["logo.PNG", false, true, false, false],
  ["package-lock.json", false, false, true, false],
  ["Cargo.lock", false, false, true, false],
  ["app.min.js", true, false, true, false],
  ["web/node_modules/a/b.js", true, false, true, false],
  ["go.sum", false, false, true, false],
  ["Makefile", false, false, false, true],
])("%s is known by its name", (path, source, binary, output, code) => {
  expect([isSourcePath(path), isBinaryPath(path), isToolOutputPath(path), isCodePath(path)]).toEqual([
    source,
    binary,
    output,
    code,
  ]);
});
