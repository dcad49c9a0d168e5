import { findSnippets } from "../finders/snippets.ts";
import type { Rule } from "../rule.ts";

export const snippet: Rule<"snippet"> = {
  name: "snippet",
  docs: "A sample was a copy of code that the change rewrote.",
  mayEdit: true,
  find: findSnippets,
};
