import { expect, test } from "vitest";
import { stillParses } from "./check.ts";

test.each<[string, string, string, string, number | true]>([
  ["code that still parses", "a.ts", "f(1)", "f(2)", true],
  ["code that no longer does", "a.ts", "f(1)\ng()", "f(1)\ng(", 2],
  ["code that never did", "a.ts", "f(", "f((", true],
  ["every language", "a.py", "def a():\n  pass\n", "def a(:\n  pass\n", 1],
  ["a new language is not our affair", "a.zig", "x", "(((", true],
  ["JSON", "a.json", '{"a": 1}', '{"a": 1,}}', 1],
  ["JSON with comments", "tsconfig.json", '{ // x\n "a": 1, }', '{ // x\n "a": 2, }', true],
  ["YAML", "a.yml", "a: 1\nb: 2", "a: 1\na: 2", 2],
  ["a template that never was YAML", "a.yaml", "{{ x }}: [", "{{ y }}: [", true],
  ["TOML", "a.toml", "a = 1", "a = 1\nb =", 2],
  ["front matter", "a.md", "---\na: 1\n---\nx", "---\na: [\n---\nx", 3],
  ["a fence left open", "a.md", "```\na\n```\nb", "```\na\nb", 1],
  ["a fence that was always open", "a.md", "```\na", "```\nb", true],
  ["prose is free", "a.md", "a", "b [", true],
  ["nothing changed", "a.ts", "f(", "f(", true],
])("%s", async (_, path, before, after, expected) => {
  const outcome = await stillParses(path, before, after);
  if (expected === true) expect(outcome).toEqual({ ok: true, value: true });
  else expect(outcome).toMatchObject({ ok: false, refusal: { code: "unparsable", path, line: expected } });
});
