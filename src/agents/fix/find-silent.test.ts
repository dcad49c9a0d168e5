import { expect, test } from "vitest";
import { parsePassages } from "./find-silent.ts";

const passage = { path: "docs/a.md", quote: "It is 3.", why: "src/a.ts sets 5." };

test.each([
  ["as it was asked for", 'docs/a.md: "It is 3.": src/a.ts sets 5.'],
  ["in a list", '- docs/a.md: "It is 3.": src/a.ts sets 5.'],
  ["in a numbered list", '1. docs/a.md: "It is 3.": src/a.ts sets 5.'],
  ["with the path in bold", '**docs/a.md**: "It is 3.": src/a.ts sets 5.'],
  ["with a line number", 'docs/a.md:12: "It is 3.": src/a.ts sets 5.'],
  ["with a dash before the reason", 'docs/a.md: "It is 3." – src/a.ts sets 5.'],
  ["with curly quotes", "docs/a.md: “It is 3.”: src/a.ts sets 5."],
])("a passage %s is read", (_, text) => {
  expect(parsePassages(text)).toEqual([passage]);
});

test("a line of another form is no passage", () => {
  expect(parsePassages("The page docs/a.md may be wrong.\nNONE")).toEqual([]);
});
