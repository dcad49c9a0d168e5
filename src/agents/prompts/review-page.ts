import { aboutData, fenceData, oneLine } from "./data.ts";
import { type Prompt, sections } from "./prompt.ts";
import { longestPurpose } from "./update-page.ts";

/** The label of a text that the writer looked up with a tool. */
export const readByWriter = "a file that the writer read";

/** Intent: say what is wrong with a draft. A reviewer finds; it never writes, and it approves nothing. */
export function reviewPage(given: {
  readonly path: string;
  /** What the page or section is for. */
  readonly purpose: string;
  readonly draft: string;
  /** What the writer changed, as a diff; empty for a new page. */
  readonly patch: string;
  /** The sources that the writer read, fenced. */
  readonly source: string;
  /** What the commits say of the change, fenced. */
  readonly commits?: string | undefined;
  /** The code change that the writer saw, fenced; empty where there is none. */
  readonly diff: string;
}): Prompt {
  return {
    name: "review-page",
    version: 2,
    instructions: `You review a draft of a documentation page against the source and the change it is about. You look for statements that the source contradicts, names that do not exist, examples that would not work, and sentences of the page that contradict what the writer changed.

Answer with one JSON object and nothing else:
{"verdict": "accept" or "object", "findings": [{"quote": "exact words of the draft", "problem": "what is wrong, with the file that shows it"}]}

List at most 10 findings, the worst first. Style is not a finding, and neither is a fault that stood there before and has nothing to do with the change. An empty list means that you found nothing.
You cannot change the page, and your verdict does not decide anything that other checks refuse.

${aboutData}`,
    prompt: sections([
      ["Source", given.source],
      ["What the commits say", given.commits ?? ""],
      ["Change of the code", given.diff],
      [
        "Page",
        `${oneLine(given.path)}${given.purpose === "" ? "" : `: ${oneLine(given.purpose, { longest: longestPurpose })}`}`,
      ],
      ["What the writer changed", given.patch === "" ? "" : fenceData("patch", given.patch)],
      ["Draft", fenceData(given.path, given.draft)],
    ]),
  };
}
