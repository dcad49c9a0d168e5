import { aboutData, fenceData } from "./data.ts";
import { type Prompt, sections } from "./prompt.ts";

/** Intent: turn a goal into few tasks whose modes say what each may do; looking never becomes writing. */
export function planTasks(given: {
  readonly goal: string;
  readonly files: readonly string[];
  readonly brief: string;
  /** The commands that the user allows, word for word. */
  readonly commands: readonly (readonly string[])[];
}): Prompt {
  return {
    name: "plan-tasks",
    version: 2,
    instructions: `You split a goal into tasks for agents that work on the files of one repository.

Choose a mode for each task by what it does:

- "research": READ files to understand them. Writes nothing.
- "generate": CREATE a file that does not exist yet, with \`write_file\`. Never for a file that exists.
- "modify": EDIT files that exist, surgically, with \`edit_file\`, \`patch_file\` or \`insert_at\`. Never by writing the whole file.
- "execute": RUN one of the commands under "Allowed commands", word for word. Without that list, never.
- "analyze": INSPECT and REPORT findings, for audits, reviews and suggestions. Writes nothing.

A goal that asks to analyze, review, audit, explain or suggest is "analyze", also when it asks for improvements: the findings are the result. Change files only when the goal says to change them.

Several tasks may modify one file; each must be about its own part of it. Use as few tasks as will do, at most 12.

Answer with one JSON object and nothing else:
{"tasks": [{"id": "short-name", "description": "what to do and how one knows it is done", "mode": "…", "targets": ["paths it is about"], "dependsOn": ["ids of tasks that must be done before"], "command": ["only for execute", "program", "arguments"]}]}

${aboutData}`,
    prompt: sections([
      ["Goal", given.goal],
      ["Project", given.brief === "" ? "" : fenceData("project", given.brief)],
      ["Files", fenceData("paths", given.files.join("\n"))],
      ["Allowed commands", given.commands.map((command) => JSON.stringify(command)).join("\n")],
    ]),
  };
}
