import { aboutData, fenceData, oneLine } from "./data.ts";
import { closing, houseRules } from "./house-rules.ts";
import { type Prompt, sections } from "./prompt.ts";

/** Intent: settle objections by further exact replacements, and by nothing larger. */
export function answerReview(given: {
  readonly path: string;
  readonly content: string;
  /** Objections of the gates. Any of them blocks the write. */
  readonly musts: readonly string[];
  /** What a reviewer thinks. */
  readonly remarks: readonly string[];
  readonly source: string;
}): Prompt {
  return {
    name: "answer-review",
    version: 3,
    instructions: `Checks of your edits to ${oneLine(given.path)} raised the objections below. Correct the page with \`patch_file\`.

Everything under "Must be corrected" was found by a program and is not open to argument: the page is thrown away while one of them stands. Take out or replace the words it names. Under "A reviewer remarks" are opinions: correct those that are right, and say why you leave the others.

Replace only what an objection is about. Do not rewrite the page, and do not answer with its text. ${closing}

${houseRules}

${aboutData}`,
    prompt: sections([
      ["Must be corrected", numbered("musts", given.musts)],
      ["A reviewer remarks", numbered("remarks", given.remarks)],
      ["Source", given.source],
      ["Page as it is now", fenceData(given.path, given.content)],
    ]),
  };
}

function numbered(label: string, items: readonly string[]): string {
  return items.length === 0 ? "" : fenceData(label, items.map((text, i) => `${i + 1}. ${text}`).join("\n"));
}
