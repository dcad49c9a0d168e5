import { aboutData, fenceData, oneLine } from "./data.ts";
import { type Prompt, sections } from "./prompt.ts";

export type PassagesQuestion = {
  readonly commits: string;
  readonly code: readonly { readonly label: string; readonly text: string }[];
  /** A page, whole or in whole sections. */
  readonly page: { readonly path: string; readonly text: string };
  /** What the rules found on this page already, one line each. */
  readonly known: readonly string[];
  /** Whether the model may read files before it answers. */
  readonly reads: boolean;
};

/** Intent: what a reader of one page needs to know after a change, where rules are silent. Code verifies the quotations. */
export function findPassages({ commits, code, page, known, reads }: PassagesQuestion): Prompt {
  return {
    name: "find-passages",
    version: 2,
    instructions: `A change of the code follows, and one page that may tell of it. What does a reader of this page need to know after the change that the page does not say, or says wrongly? Find

- FALSE: a line that the change makes false: a value, a name, a step, a limit, a promise, "the same as", "not supported", a sample that no longer works, a warning about something that has now happened.
- MISSING: a list, a table or a description on this page that the change makes incomplete: a new option, value, error, condition or behaviour of a thing that this page describes.

Many changes concern nothing on the page. Then answer NONE.

Answer with one block for each passage, at most 8 blocks, and nothing else:

FALSE
page: A request is repeated 3 times.
code: const retries = 5;
now: A request is repeated 5 times.

"page" is one line of the page, copied as it stands there. For MISSING, it is the line after which the new words belong. "code" is one changed line of the code, copied without its + or -. "now" is one sentence for a reader: what is true after the change.

The page may be long. Then whole sections of it are shown, and a note in brackets stands for each section that is not. Report only what this change makes false or incomplete: no style, no mistakes that were there before, and nothing that is listed as known.${reads ? " You may look at other files with read_file and search_files before you answer." : ""}

${aboutData}`,
    prompt: sections([
      ["Commits", commits === "" ? "" : fenceData("commits", commits)],
      ["Code", code.map(({ label, text }) => fenceData(oneLine(label), text)).join("\n\n")],
      ["Page", fenceData(page.path, page.text)],
      ["Known already", known.length === 0 ? "" : fenceData("findings of this page", known.join("\n"))],
      ["Now answer", "One block for each passage, or NONE."],
    ]),
  };
}
