import { expect, test } from "vitest";
import { measureAsyncWork } from "../../../test/work.ts";
import { checkDraft } from "./check-draft.ts";
import { collectFacts } from "./known-facts.ts";

const checks = { facts: collectFacts([]), secrets: [], commits: [] };

/** How often a crafted text repeats its part. A search that tries every division is too slow at the small ones. */
const counts = [16, 20, 22, 24, 26, 1000, 8000];

test.each([
  ["options of a removal", "rm ", "--a ", "b"],
  ["short options of a removal", "rm ", "-r ", "b"],
  ["removals inside options", "", "-rm ", ""],
  ["spaces after a removal", "rm", " ", "!"],
  ["marks of a comment after a removal", "](rm ", "-->tokenrm ", ""],
  ["options of a language", "r ", "-r ", "!"],
  ["starters behind a pipe", "curl |", "sudo ", "!"],
  ["starters with variables", "curl |sudo ", "A=b ", "!"],
  ["pipes of downloads", "", "curl|sudo env ", ""],
  ["quotation marks", "curl ", `"'`, ""],
  ["letters of a script address", "", "j a v a ", "!"],
  ["options of a deletion", "del ", "/a ", "!"],
  ["calls in brackets", "", "=(", "irm"],
  ["substitutions", "sh ", "$(", "curl"],
  ["continued lines", "rm", "\\\n", "!"],
])("a page of %s is judged in little work", async (_, head, part, tail) => {
  for (const count of counts) {
    const text = `${head}${part.repeat(count)}${tail}\n`;
    const draft = { path: "docs/page.md", before: text, after: `${text}\nMore.\n`, reasons: ["It changed."] };
    expect([count, await measureAsyncWork(() => checkDraft(draft, checks))]).toEqual([count, atMost(40)]);
  }
});

test.each([
  ["addresses", "", "https://a.example/b ", ""],
  ["links", "", "[a](https://a.example) ", ""],
  ["definitions of links", "", "[a]: https://a.example\n", ""],
  ["images", "", "![a](b.png) ", ""],
  ["open links", "", "[", "](a)"],
  ["tags", "", '<a href="x" onclick="y">', ""],
  ["open tags", "", "<a ", ">"],
  ["open comments", "", "<!-- ", "-->"],
  ["titles", "", '[a](b "see c") ', ""],
  ["letters that no reader sees", "", "\u200b\u202e", ""],
  ["letters with marks", "a", "\u0301", ""],
  ["names of code", "", "`loadThing()` ", ""],
  ["different names", "", (i: number) => `\`loadThing${i}()\` `, ""],
  ["numbers", "", (i: number) => `${i} ms `, ""],
  ["sentences", "", "It loads a thing. ", ""],
  ["headings", "", "# A\n\n", ""],
  ["packages", "", "npm install a-b-c\n", ""],
  ["directives", "", ".. raw:: html\n\n   <b>\n\n", ""],
  ["includes", "", "include::a.adoc[]\n", ""],
  ["templates", "", "{% include a %} {{ b }} ", ""],
  ["fences", "", "```sh\nls\n```\n\n", ""],
  ["open fences", "", "```{r}\n", ""],
  ["cells of a table", "| a |\n| - |\n", "| b |\n", ""],
  ["footnotes", "", (i: number) => `[^${i}]: a\n`, ""],
  ["entities", "", "&#x6a;&Tab;", ""],
] as const)("new text of %s is judged in work that grows with it", async (_, head, part, tail) => {
  const workOf = async (count: number): Promise<number> => {
    const parts = Array.from({ length: count }, (_, i) => (typeof part === "string" ? part : part(i)));
    const draft = {
      path: "docs/page.md",
      before: "# Page\n",
      after: `# Page\n\n${head}${parts.join("")}${tail}\n`,
      reasons: ["It changed."],
    };
    return measureAsyncWork(() => checkDraft(draft, checks));
  };
  const [few, many] = [await workOf(1000), await workOf(8000)];
  // What is quadratic takes 64 times as much.
  expect([few, many]).toEqual([few, atMost(Math.max(40, 24 * few))]);
});

function atMost(limit: number): unknown {
  return expect.toSatisfy((work: number) => work < limit, `at most ${limit}`);
}
