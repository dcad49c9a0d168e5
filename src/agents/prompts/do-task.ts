import type { Mode } from "../../tools/tool.ts";
import { aboutData, fenceData } from "./data.ts";
import { closing } from "./house-rules.ts";
import { type Prompt, sections } from "./prompt.ts";

/** Intent: one task, with the tools of its mode and nothing beyond them. */
export function doTask(given: {
  readonly goal: string;
  readonly mode: Mode;
  readonly description: string;
  readonly targets: readonly string[];
  /** What the tasks before it found, by their names. */
  readonly results: readonly { readonly task: string; readonly text: string }[];
}): Prompt {
  return {
    name: "do-task",
    version: 3,
    instructions: `You do one task of a larger goal, on the files of one repository. ${manner[given.mode]}

When a tool answers with an error, do what it says or choose another way. A tool that is not offered to you is not needed for this task.${isWriter(given.mode) ? others : ""}

${aboutData}`,
    prompt: sections([
      ["Goal", given.goal],
      ["Your task", given.description],
      ["Files it is about", given.targets.length === 0 ? "" : fenceData("paths", given.targets.join("\n"))],
      ["What was found before", given.results.map(({ task, text }) => fenceData(task, text)).join("\n\n")],
    ]),
  };
}

const others =
  " Other agents may be editing other parts of the same files: change only what your task is about.";

function isWriter(mode: Mode): boolean {
  return mode === "modify" || mode === "generate";
}

const report = `When you are done, answer with one JSON object and nothing else:
{"summary": "one or two sentences", "findings": [{"path": "file", "line": 1, "severity": "info | minor | major", "message": "what is so, and why it matters", "suggestion": "what could be done, optional"}]}`;

const manner: Readonly<Record<Mode, string>> = {
  research: `You read and report; you change nothing.\n\n${report}`,
  analyze: `You inspect and report; you change nothing. Suggestions are findings, not edits.\n\n${report}`,
  generate: `You create files that do not exist yet, with \`write_file\`. A file that exists is not yours to replace.\n\n${closing}`,
  modify: `You edit files that exist: read the part you will change, then use \`edit_file\`, \`patch_file\` or \`insert_at\` with exact text and a reason. Never replace a file as a whole.\n\n${closing}`,
  execute:
    "You look at what a command printed and say what it means. You change nothing.\n\nEnd with a sentence or two.",
};
