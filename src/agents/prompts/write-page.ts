import { aboutData, fenceData, oneLine } from "./data.ts";
import { newPageRules } from "./house-rules.ts";
import { type Prompt, sections } from "./prompt.ts";
import { briefSections, type PageBrief } from "./update-page.ts";

const keepWhatIsTrue =
  "Your page takes its place. Keep what it says unless the source shows that it is wrong, also where the source does not tell of it; keep its voice and its form.";

/** Intent: write a whole page from the source and the page that it replaces; the answer is the page itself. */
export function writePage(brief: PageBrief & { readonly reads?: boolean }): Prompt {
  const { current = "", sibling, links = [], reads = false } = brief;
  return {
    name: "write-page",
    version: 5,
    instructions: `You are the lead technical writer of ${oneLine(brief.project)}. You write one page of its documentation.

Answer with the page in Markdown and nothing else: no remarks before or after it, and no fence around the whole.
Begin with one level-one heading. Write for someone who has not read the code. Show usage with examples taken from the source or its tests. Prefer a table for options and their defaults.

${newPageRules}

${aboutData}`,
    prompt: sections([
      ...briefSections(brief),
      [
        "Pages that you may link to",
        links.length === 0 ? "" : fenceData("paths", links.map((name) => oneLine(name)).join("\n")),
      ],
      [
        "The page that yours replaces",
        current === "" ? "" : `${keepWhatIsTrue}\n\n${fenceData(brief.path, current)}`,
      ],
      [
        "Another page of this project, for its tone and form",
        sibling ? fenceData(sibling.path, sibling.text) : "",
      ],
      [
        "Before you write",
        reads ? "Read what is cut or missing above with `read_file` and `search_files`." : "",
      ],
    ]),
  };
}
