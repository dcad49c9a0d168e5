import { expect, test } from "vitest";
import { replacementFeatures } from "./replacement-features.ts";

test.each([
  ["a lost full stop", "Limits the number of results.", "Limits the number of results", 1],
  ["other quotes", "Uses 'main' as the branch", 'Uses "main" as the branch', 1],
  ["a capital letter and a full stop", "prints the version", "Prints the version.", 1],
  ["another word", "Limits the number of results.", "Limits the count of results.", 0],
  ["an argument that became optional", "fd <pattern> <path>", "fd <pattern> [path]", 0],
  ["an argument that may be repeated", "fd [pattern] <path>", "fd [pattern] <path>...", 0],
  ["a format whose brackets moved", "via $symbol$version in $style", "via $symbol($version) in $style", 0],
])("%s: only the punctuation changed, or not", (_, old, fresh, expected) => {
  const features = replacementFeatures({ message: { what: "described", old, new: fresh } });
  expect(features["punctuation only"]).toBe(expected);
});

test.each([
  ["response", "typedResponse", 1],
  ["body", "kBody", 1],
  ["render", "renderAsync", 0],
  ["request", "requests", 0],
  ["base_path", "project_base_path", 0],
])("%s became %s: a narrower thing of that name, or not", (old, fresh, expected) => {
  const features = replacementFeatures({ message: { what: "rewritten", old, new: fresh } });
  expect(features["new name is narrower"]).toBe(expected);
});
