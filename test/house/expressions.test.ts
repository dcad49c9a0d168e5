import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Expression, exponentialCost, findExponential, findExpressions } from "./expressions.ts";
import { loadSources } from "./sources.ts";

const limit = exponentialCost();

test("no expression of the product takes exponential time", { timeout: 400_000 }, () => {
  const written = findExpressions(loadSources(process.cwd()));
  const built = findBuilt();
  expect(written.length).toBeGreaterThan(2000);
  expect(built.length).toBeGreaterThan(50);
  const expressions = [...written, ...built];
  const slow = expressions.flatMap((expression) => {
    const text = findExponential(expression, limit);
    return text === null ? [] : [`${expression.place} ${text}`];
  });
  expect(slow).toEqual([]);
});

/** Those that are put together from parts when a module is loaded. */
function findBuilt(): Expression[] {
  const program = join(import.meta.dirname, "built-expressions.ts");
  return JSON.parse(execFileSync(process.execPath, [program], { encoding: "utf8" })) as Expression[];
}

test.each([
  ["two arms that match the same", String.raw`rm (?:-\S+\s+|--\S+\s+)*b`],
  ["a repeat in a repeat", "^(?:a+)+$"],
  ["an escape that is also a plain character", "([\"'`])(?:\\\\.|(?!\\1).)*\\1"],
  ["words with a separator that may be missing", String.raw`^(?:\w+\s?)*$`],
  ["a separator that the part also has", String.raw`^(?:--?[a-z][\w-]*[ \t]*\|?[ \t]*)+\)`],
  ["a part that may be missing, in a repeat", String.raw`^(?:[rb]{0,2}|\s)*$`],
  ["a name whose letters are also plain ones", String.raw`^:?[-=]((?:[^{}$\n]|\$\w+)*)\}`],
  ["classes that overlap", String.raw`^(?:[a-z]|[\w-])*#$`],
])("the check finds %s", (_, source) => {
  expect(findExponential({ place: "", source, flags: "g" }, limit)).not.toBeNull();
});
