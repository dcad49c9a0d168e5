import { aboutData } from "./data.ts";
import { type Prompt, sections } from "./prompt.ts";

/** Intent: search words for documents that a change may concern, for people who keep no attention rules. */
export function findQueries(given: { readonly diff: string }): Prompt {
  return {
    name: "find-queries",
    version: 1,
    instructions: `A code change follows. Write the search queries by which someone would find the documentation that it may have made wrong.

Answer with one JSON array of 3 to 8 strings and nothing else. Prefer names that users see: commands, flags, options, functions, routes, settings, error messages. Include the old name of whatever was renamed.

${aboutData}`,
    prompt: sections([["Diff", given.diff]]),
  };
}
