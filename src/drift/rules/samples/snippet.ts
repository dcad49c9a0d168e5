import { findShiftedLines } from "../../finders/shifted-lines.ts";
import { findSnippets } from "../../finders/snippets.ts";
import type { Rule } from "../../rule.ts";

export const snippet: Rule<"snippet"> = {
  name: "snippet",
  docs: "A sample was a copy of code that the change rewrote, or includes lines that the change moved.",
  mayEdit: true,
  anyEvidence: true,
  readsBuildScripts: true,
  formerly: { snippets: "snippet" },
  find: async (change) => [...(await findSnippets(change)), ...(await findShiftedLines(change))],
};
