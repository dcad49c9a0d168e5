import { expect, test } from "vitest";
import { isParsed, LANGUAGES, languageAt, parsedLanguageAt } from "./registry.ts";

test("no two languages claim one ending or one interpreter", () => {
  for (const keys of [
    LANGUAGES.flatMap(({ extensions }) => extensions),
    LANGUAGES.flatMap(({ interpreters = [] }) => interpreters),
  ]) {
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(keys.map((key) => key.toLowerCase()));
  }
});

test("every pattern for the code of a language finds all its places", () => {
  const patterns = LANGUAGES.filter(isParsed).flatMap(({ libraries = {} }) => {
    const { environment = {}, raises, routes = [] } = libraries;
    const { names = [], calls = [], destructured } = environment;
    return [...names, ...calls, destructured, raises, ...routes].filter((pattern) => pattern !== undefined);
  });
  expect(patterns.length).toBeGreaterThan(30);
  expect(patterns.filter(({ flags }) => flags !== "g")).toEqual([]);
});

test.each<[path: string, text: string, name: string | undefined, parsed: boolean]>([
  ["a/b.py", "", "python", true],
  ["A.PY", "", "python", true],
  ["a.vue", "", "typescript", true],
  ["run", "#!/usr/bin/env -S node --x\n", "javascript", true],
  ["run", "#!/usr/bin/python3.12\n", "python", true],
  ["run", "#!/bin/sh\n", "bash", true],
  ["run", "#!/usr/bin/fish\n", "fish", false],
  ["run", "text\n", undefined, false],
  ["a.scala", "", "scala", false],
  [".py", "", undefined, false],
])("the language of %s (%j) is %s", (path, text, name, parsed) => {
  expect(languageAt(path, text)?.name).toBe(name);
  expect(parsedLanguageAt(path, text) !== undefined).toBe(parsed);
});
