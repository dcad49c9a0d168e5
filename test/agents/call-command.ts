import type { Command, Options } from "../../src/cli/command.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import type { Project } from "./project.ts";
import type { Wire } from "./scripted-server.ts";

export type Said = { code: number; out: string; err: string; json: unknown; values: number };

export type Given = {
  readonly answers?: readonly string[];
  readonly model?: boolean;
  readonly wire?: Wire;
  readonly environment?: Readonly<Record<string, string>>;
};

/** Calls a command as the door would, with a terminal that remembers, and answers for the person. */
export async function callCommand(
  project: Project,
  command: Command,
  operands: string[],
  options: Options,
  given: Given = {},
): Promise<Said> {
  const out: string[] = [];
  const err: string[] = [];
  let json: unknown;
  let values = 0;
  const answers = [...(given.answers ?? [])];
  const terminal: Terminal = {
    json: options.json !== undefined,
    quiet: false,
    verbose: options.verbose !== undefined,
    colour: false,
    watched: false,
    columns: 100,
    print: (text) => void out.push(text),
    printPainted: (text) => void out.push(text),
    printExactly: (text) => void out.push(String(text)),
    printJson: (value) => {
      values++;
      json = JSON.parse(JSON.stringify(value));
    },
    remark: (text) => void err.push(text),
    complain: (text) => void err.push(text),
    ask: async () => answers.shift(),
    edit: async () => undefined,
  };
  for (const name of Object.keys(process.env))
    if (/^(SUTURE|OPENAI|ANTHROPIC|GOOGLE|GEMINI|OLLAMA|XDG)_/.test(name)) delete process.env[name];
  Object.assign(
    process.env,
    given.model === false ? { HOME: project.root, SUTURE_CACHE: "off" } : project.environment(given.wire),
    given.environment,
  );
  const code = await command.run({ operands, options: { root: project.root, ...options }, terminal });
  return { code, out: out.join("\n"), err: err.join("\n"), json, values };
}
