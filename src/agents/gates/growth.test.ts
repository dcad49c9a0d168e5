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

function atMost(limit: number): unknown {
  return expect.toSatisfy((work: number) => work < limit, `at most ${limit}`);
}
