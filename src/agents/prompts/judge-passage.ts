import { aboutData, fenceData, oneLine } from "./data.ts";
import { type Prompt, sections } from "./prompt.ts";

/** Intent: one small question over two quotations, before anybody words anything. */
export function judgePassage(given: {
  readonly path: string;
  readonly passage: string;
  readonly evidence: readonly { readonly path: string; readonly before: string; readonly after: string }[];
}): Prompt {
  return {
    name: "judge-passage",
    version: 1,
    instructions: `Code changed from BEFORE to AFTER. A passage of ${oneLine(given.path)} may have been true of BEFORE and be false of AFTER.

Would a reader who follows the passage now be misled or fail? Answer with one word first, YES or NO, then one sentence that says which words are wrong and what the code does now. If BEFORE and AFTER do not settle it, answer NO.

${aboutData}`,
    prompt: sections([
      ...given.evidence.flatMap(({ path, before, after }): [string, string][] => [
        [`BEFORE (${oneLine(path)})`, fenceData("before", before)],
        [`AFTER (${oneLine(path)})`, fenceData("after", after)],
      ]),
      ["Passage", fenceData(given.path, given.passage)],
    ]),
  };
}
