import { expect, test } from "vitest";
import { reported } from "../../test-case.ts";

const page = (...sample: string[]): string => `# Page\n\n${sample.join("\n")}\n\nMore.\n`;
const whole = page("```json", "{", '  "a": 1', "}", "```");
const broken = page("```json", "{", '  "a": 1', '  "b": 2', "}", "```");

test.each([
  ["a change of its page broke it", whole, broken, [["form", "fence", "likely", 3]]],
  ["it was broken before", broken, `${broken}\nAnd more.\n`, []],
  [
    "it was too short to be asked before",
    page("```json", "{", '  "a": 1, }', "```"),
    page("```json", "{", '  "a": 1, }', "}", "```"),
    [],
  ],
  ["the broken sample is new", "# Page\n", broken, []],
  [
    "its closing line went",
    page("```go", "a()", "```", "", "## Next", ""),
    page("```go", "a()", "", "## Next", ""),
    [["form", "fence", "likely", 4]],
  ],
  [
    "its closing line went, and the page has no other heading",
    "# A\n\n```sh\nrun\n```\n\nMore.\n",
    "# A\n\n```sh\nrun\nstop\n\nMore.\n",
    [["form", "fence", "likely", 3]],
  ],
])("a sample is reported if it was sound before a change: %s", async (_, before, after, found) => {
  const findings = await reported({ files: {}, docs: { "a.md": after }, was: { "a.md": before } });
  expect(findings.map(({ kind, rule, tier, startLine }) => [kind, rule, tier, startLine])).toEqual(found);
});
