import { aboutData, fenceData, oneLine } from "./data.ts";
import { houseRules } from "./house-rules.ts";
import { type Prompt, sections } from "./prompt.ts";

/** Intent: settle objections by further exact replacements, and by nothing larger. */
export function answerReview(given: {
  readonly path: string;
  readonly content: string;
  readonly objections: readonly string[];
  readonly source: string;
}): Prompt {
  return {
    name: "answer-review",
    version: 1,
    instructions: `Checks of your edits to ${oneLine(given.path)} raised the objections below. For each one that is right, correct the page with \`patch_file\`; for each one that is wrong, leave the page as it is and say why.

Replace only what an objection is about. Do not rewrite the page, and do not answer with its text.

${houseRules}

${aboutData}`,
    prompt: sections([
      [
        "Objections",
        fenceData("objections", given.objections.map((text, i) => `${i + 1}. ${text}`).join("\n")),
      ],
      ["Source", given.source],
      ["Page as it is now", fenceData(given.path, given.content)],
    ]),
  };
}
