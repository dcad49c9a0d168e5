import { aboutData, fenceData, oneLine } from "./data.ts";
import { closing, houseRules } from "./house-rules.ts";
import { type Prompt, sections } from "./prompt.ts";

/** Intent: decide whether a change makes one article wrong, and if so make the smallest explained edits to it. */
export function updateArticle(given: {
  readonly path: string;
  readonly id: string;
  /** Why the article was chosen: one line for each changed file it watches. */
  readonly evidence: readonly string[];
  /** Each commit with its subject. */
  readonly commits: readonly string[];
  /** The messages of the commits that say more than their subject. */
  readonly messages: string;
  readonly diff: string;
  /** The article as it is. */
  readonly content: string;
}): Prompt {
  const path = oneLine(given.path);
  return {
    name: "update-article",
    version: 4,
    instructions: `A code change may have made one documentation article wrong: ${path}. Find out, and correct it.

The article is below. Compare what it says with the diff; read the sources with \`read_file\` where the diff is not enough.

## Making changes

Change the article with \`edit_article\`, and with nothing else. Never replace the file as a whole. One call may hold several edits; they are applied in order, all or none. Give for each edit:

- \`old_string\`: text copied from the article exactly, white space and line breaks included. It must occur once in the article. When the words could occur again, take in the heading or the sentence before them.
- \`new_string\`: what stands there instead.
- \`reason\`: one sentence that ties the edit to the code change.

For a parameter \`timeout\` added to \`fetchData()\`:

- Good \`old_string\`: "## Reference\\n\\n\`fetchData\` takes the address to load." The heading makes it unique.
- Bad \`old_string\`: "\`fetchData\`". It is too short and will occur elsewhere.

Guidelines:

- Edit little, and only what the change made wrong or incomplete.
- Quote enough to be unique; rather a line too many than one too few.
- Keep the formatting as it is: white space and line breaks count.
- One logical change for each entry in \`edits\`.
- When the tool answers with an error, correct the edit and call it again.
- If the article needs no change, explain why in your answer and do not call \`edit_article\`.

${closing} Leave \`jrn\` and \`attention\` in the front matter as they are.

${houseRules}

${aboutData}`,
    prompt: sections([
      ["Commits", given.commits.length === 0 ? "" : fenceData("commits", given.commits.join("\n"))],
      ["What the commits say", given.messages === "" ? "" : fenceData("messages", given.messages)],
      ["Article", `Path: ${path}\nId: ${oneLine(given.id)}`],
      ["Why it was chosen", fenceData("evidence", given.evidence.join("\n"))],
      ["Diff of the files it watches", given.diff],
      ["The article as it is", fenceData(given.path, given.content)],
    ]),
  };
}
