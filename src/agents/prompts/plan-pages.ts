import { aboutData, fenceData, oneLine } from "./data.ts";
import { type Prompt, sections } from "./prompt.ts";

/** Intent: decide which pages need work; never more pages than the change or the gaps call for. */
export function planPages(given: {
  readonly project: string;
  readonly folder: string;
  readonly brief: string;
  /** Pages that exist, each with its first lines and its headings. */
  readonly pages: readonly { readonly path: string; readonly opening: string }[];
  readonly files: readonly string[];
  readonly diff: string;
  /** What the commits of the change say of themselves. */
  readonly messages: string;
  /** Every page is written anew, whether the change concerns it or not. */
  readonly force: boolean;
  /** Whether the planner can read files. */
  readonly reads?: boolean | undefined;
}): Prompt {
  const exists = given.pages.length > 0;
  return {
    name: "plan-pages",
    version: 4,
    instructions: `You plan the documentation of ${oneLine(given.project)}, which lives in ${oneLine(given.folder)}/.

${
  given.force && exists
    ? "All pages are written anew, whether you list them or not. List every page below with what it is for and its sources, and add the pages that are missing."
    : exists && given.diff === ""
      ? "Pages exist, and no change of the code is given. List the pages that leave out something in the files below that users need, and a new page only for a feature that no page covers."
      : exists
        ? "Pages exist. List only those that the change makes wrong or that leave out something users need, and a new page only for a feature that no page covers."
        : "There are no pages yet. List the few pages that a new user needs first, the shortest list that does."
}

Answer with one JSON array and nothing else. Each item:
{"path": "${oneLine(given.folder)}/….md", "description": "what the page is for", "type": "guide | reference | tutorial | concepts | intro", "relevantPaths": ["sources the page is about"], "originalPath": "only where an existing page moves to path"}

Every path in relevantPaths and originalPath must be one of those listed below. If nothing needs work, answer [].

${aboutData}`,
    prompt: sections([
      ["Brief", given.brief === "" ? "" : fenceData("brief", given.brief)],
      ["Pages", given.pages.map(({ path, opening }) => fenceData(path, opening)).join("\n\n")],
      ["Files", fenceData("paths", given.files.join("\n"))],
      ["Commits", given.messages === "" ? "" : fenceData("commits", given.messages)],
      ["Diff", given.diff],
      [
        "Before you plan",
        given.reads ? "Read what is missing above with `read_file` and `search_files`." : "",
      ],
    ]),
  };
}
