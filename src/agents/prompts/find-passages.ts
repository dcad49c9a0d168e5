import { aboutData, fenceData, oneLine } from "./data.ts";
import { type Prompt, sections } from "./prompt.ts";

/** A page as far as a question shows it: its headings, and the lines that hold a name of the change. */
export type PageOutline = { readonly path: string; readonly lines: string };

export type PassagesQuestion = {
  readonly commits: string;
  readonly code: readonly { readonly label: string; readonly text: string }[];
  readonly pages: readonly PageOutline[];
};

/** Intent: passages that a change may have made false where no rule noticed anything. Code verifies the quotations. */
export function findPassages({ commits, code, pages }: PassagesQuestion): Prompt {
  return {
    name: "find-passages",
    version: 1,
    instructions: `A change of the code follows, and parts of the pages that may tell of it. Find the lines that the change makes false, or lists that the change makes incomplete. Most changes concern no page; then answer NONE.

Answer with one line for each passage: the path of the page, a colon, the line of the page in double quotes as it stands there, a colon, and one sentence that says what the code does now. At most 8 lines. Nothing else.

docs/retry.md: "A request is repeated 3 times.": src/retry.ts repeats it 5 times.

Quote only lines that are shown. Do not report style, missing pages, or lines that stay true.

${aboutData}`,
    prompt: sections([
      ["Pages", pages.map(({ path, lines }) => fenceData(path, lines)).join("\n\n")],
      ["Commits", commits === "" ? "" : fenceData("commits", commits)],
      ["Code", code.map(({ label, text }) => fenceData(oneLine(label), text)).join("\n\n")],
      ["Now answer", "One line for each passage, or NONE."],
    ]),
  };
}
