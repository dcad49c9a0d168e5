import { aboutData, fenceData, oneLine } from "./data.ts";
import { closing, houseRules } from "./house-rules.ts";
import { type Prompt, sections } from "./prompt.ts";

/** One page of a site, and everything its writer may go by. */
export type PageBrief = {
  readonly project: string;
  readonly path: string;
  readonly purpose: string;
  readonly type: string;
  /** Sources and usage examples, already cut to size. */
  readonly source: string;
  /** What changed, for this page; empty when there is no diff to go by. */
  readonly diff: string;
  /** The page that a whole new one replaces. */
  readonly current?: string | undefined;
  /** Another page of the project, as the example of its tone and form; only for a page that does not exist yet. */
  readonly sibling?: { readonly path: string; readonly text: string } | undefined;
  /** Pages that exist or that the same run writes; only for a page that does not exist yet. */
  readonly links?: readonly string[] | undefined;
};

export const longestPurpose = 800;

/** The parts of a prompt that every writer of a page gets. */
export function briefSections({ path, type, purpose, source, diff }: PageBrief): [string, string][] {
  return [
    [
      "Page",
      `Path: ${oneLine(path)}\nType: ${oneLine(type)}\nPurpose: ${oneLine(purpose, { longest: longestPurpose })}`,
    ],
    ["Source", source],
    ["Diff", diff],
  ];
}

/** Intent: make a page true again with the fewest exact replacements, and leave every other byte alone. */
export function updatePage(brief: PageBrief & { readonly content: string }): Prompt {
  return {
    name: "update-page",
    version: 2,
    instructions: `You are the lead technical writer of ${oneLine(brief.project)}. You bring one existing page up to date with the code.

Do not rewrite the page. Change it only with the \`patch_file\` tool: each call replaces one exact snippet of the page.

1. Compare the page with the source and the diff.
2. Find the specific sentences, code blocks and table rows that are now wrong or that leave out something a reader needs.
3. Call \`patch_file\` for each: \`original_text_snippet\` copied from the page character for character, line breaks and indentation included, and long enough to occur only once; \`new_text_snippet\` with the correction in the same style; \`reason\` naming the code that made it necessary.
4. When a call answers with an error, correct the snippet and call again.
5. If the page is already right, change nothing and say why.

${closing} Never answer with the text of the page.

${houseRules}

${aboutData}`,
    prompt: sections([
      ...briefSections({ ...brief, diff: brief.diff === "" ? noDiff : brief.diff }),
      ["Current page (read only)", fenceData(brief.path, brief.content)],
    ]),
  };
}

export const noDiff = "There is no diff for this page. Compare the page with the source alone.";
