import { expect, test } from "vitest";
import { exponentialCost, findExponential, findExpressions } from "./expressions.ts";
import { loadSources } from "./sources.ts";

const limit = exponentialCost();

test("no expression of the product takes exponential time", { timeout: 400_000 }, () => {
  const expressions = findExpressions(loadSources(process.cwd()));
  expect(expressions.length).toBeGreaterThan(2000);
  const slow = expressions.flatMap((expression) => {
    const text = findExponential(expression, limit);
    return text === null ? [] : [`${expression.place} ${text}`];
  });
  expect(slow).toEqual([]);
});

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
