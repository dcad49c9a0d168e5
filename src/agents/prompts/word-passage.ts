import { aboutData, fenceData, oneLine } from "./data.ts";
import { houseRules } from "./house-rules.ts";
import { type Prompt, sections } from "./prompt.ts";

/** Intent: reword one passage that a change made false, and touch nothing around it. */
export function wordPassage(given: {
  readonly path: string;
  readonly passage: string;
  readonly startLine: number;
  readonly endLine: number;
  /** What is wrong with it, as it was judged or as a reviewer objects. */
  readonly why: string;
  readonly evidence: readonly { readonly path: string; readonly before: string; readonly after: string }[];
}): Prompt {
  const path = oneLine(given.path);
  return {
    name: "word-passage",
    version: 1,
    instructions: `Lines ${given.startLine} to ${given.endLine} of ${path} are no longer true. Make them true with \`edit_article\`, by the smallest change of words that does.

- \`old_string\` is copied from the passage exactly and must occur once in the article; take in more of the passage if it would not.
- \`new_string\` keeps everything that is still true, in the same style.
- \`reason\` says in one sentence which code made the old words false.

Only these lines may change; edits elsewhere are refused. If the passage is right after all, say why and call nothing. End with one sentence.

${houseRules}

${aboutData}`,
    prompt: sections([
      ["What is wrong", fenceData("judgement", given.why)],
      ...given.evidence.flatMap(({ path: file, before, after }): [string, string][] => [
        [`BEFORE (${oneLine(file)})`, fenceData("before", before)],
        [`AFTER (${oneLine(file)})`, fenceData("after", after)],
      ]),
      ["Passage", fenceData(given.path, given.passage)],
    ]),
  };
}
