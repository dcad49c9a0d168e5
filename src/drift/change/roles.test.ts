import { expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import { rolesOf } from "./roles.ts";
import { tokenise } from "./tokens.ts";

test.each<[string, string, Record<string, string>]>([
  ["a string that is one name declares it", 'on("close", done)', { close: "declared", done: "used" }],
  [
    "a string that is one flag declares it",
    "option('--base', \"-b\")",
    { option: "declared", base: "declared", b: "declared" },
  ],
  ["the words of a sentence are text", 'fail("the file is gone", path)', { file: "text", path: "used" }],
  ["a path in a string is a use", 'open("src/main.ts")', { main: "used" }],
  ["the tag of a field declares", 'Name string `yaml:"name" json:"title"`', { name: "declared" }],
  ["behind a string comes code again", "f('a b c', depth) // twice", { depth: "used", twice: "text" }],
])("%s", (_, line, roles) => {
  const tokens = tokenise(line);
  const found = rolesOf(line, tokens);
  const byName = Object.fromEntries(tokens.map(({ text }, at) => [text, found[at]]));
  expect(byName).toMatchObject(roles);
});

test("a string of many thousand words is read once, not once for each word", () => {
  const line = `const text = "${Array.from({ length: 64_000 }, (_, at) => `word${at}`).join(" ")}";`;
  const tokens = tokenise(line);
  expect(measureWork(() => rolesOf(line, tokens))).toBeLessThan(20);
});

test("quotes that are escaped and have no end are read once, not once from each of them", () => {
  const line = `const quoted = /${'\\"'.repeat(64_000)}word/;`;
  const tokens = tokenise(line);
  expect(measureWork(() => rolesOf(line, tokens))).toBeLessThan(20);
});
