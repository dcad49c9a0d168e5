import { aboutData, fenceData, oneLine } from "./data.ts";
import { type Prompt, sections } from "./prompt.ts";

/** Intent: say what is wrong with a draft. A reviewer finds; it never writes, and it approves nothing. */
export function reviewPage(given: {
  readonly path: string;
  readonly draft: string;
  /** What the writer changed, as a diff; empty for a new page. */
  readonly patch: string;
  readonly source: string;
}): Prompt {
  return {
    name: "review-page",
    version: 1,
    instructions: `You review a draft of ${oneLine(given.path)} against the source it is about. You look for statements that the source contradicts, names that do not exist, and examples that would not work.

Answer with one JSON object and nothing else:
{"verdict": "accept" or "object", "findings": [{"quote": "exact words of the draft", "problem": "what is wrong, with the file that shows it"}]}

List at most 10 findings, the worst first. Style is not a finding. An empty list means that you found nothing.
You cannot change the page, and your verdict does not decide anything that other checks refuse.

${aboutData}`,
    prompt: sections([
      ["Source", given.source],
      ["What the writer changed", given.patch === "" ? "" : fenceData("patch", given.patch)],
      ["Draft", fenceData(given.path, given.draft)],
    ]),
  };
}
