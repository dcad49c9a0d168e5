import { aboutData, fenceData, oneLine } from "./data.ts";
import type { Prompt } from "./prompt.ts";
import { sections } from "./prompt.ts";

/** Intent: a short brief of what the project is, so that the planner need not read everything. */
export function researchProject(given: {
  readonly project: string;
  /** The opening of its README and the description in its manifest. */
  readonly about: string;
  readonly files: readonly string[];
  readonly source: string;
}): Prompt {
  return {
    name: "research-project",
    version: 2,
    instructions: `You study the source of ${oneLine(given.project)} for the people who will plan its documentation.

Answer in at most 400 words: what the project does, who uses it, its entry points and commands, and which files matter to its users. Name files by their paths. Say what you could not tell.

${aboutData}`,
    prompt: sections([
      ["What it says of itself", fenceData("project", given.about)],
      ["Files", fenceData("paths", given.files.join("\n"))],
      ["Source", given.source],
    ]),
  };
}
