import { defined } from "../../../text/model/defined.ts";
import type { Result } from "../../../tools/tool.ts";
import { readFile } from "../../../tools/verbs/read-file.ts";
import { type Call, type Command, isSet } from "../../command.ts";
import { runTool } from "../../run-tool.ts";
import type { Terminal } from "../../terminal/terminal.ts";

export const command: Command = {
  name: "read",
  group: "edit",
  summary: "show a file, or some of its lines, with its version",
  usage: ["PATH[:FIRST[-LAST]]"],
  operands: [1, 1],
  options: [{ name: "plain", short: "p", text: "the text alone, exactly, without line numbers" }],
  examples: [
    ["lines 10 to 20", "suture read src/app.ts:10-20"],
    ["the version, for --base-version", "suture read src/app.ts --json"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const { path, ...lines } = parsePlace(call.operands[0]!);
  const show = (terminal: Terminal, result: Result): void => {
    if (isSet(call.options, "plain")) terminal.printExactly(String(result.content));
    else {
      terminal.print(result.output);
      terminal.remark(`version ${result.version}`);
    }
  };
  return runTool(call, "read_file", (context) => readFile(context, { path, ...lines }), {
    readOnly: true,
    show,
  });
}

/** `a.md:3` and `a.md:3-9` name lines; a colon cannot be part of a path. */
function parsePlace(place: string): { path: string; start_line?: number; end_line?: number } {
  const [, path, first, dash, last] = /^(.*?):(\d{1,15})(?:(-)(\d{1,15})?)?$/s.exec(place) ?? [];
  if (path === undefined) return { path: place };
  const end = dash === undefined ? first : last;
  return {
    path,
    start_line: Number(first),
    ...defined({ end_line: end === undefined ? undefined : Number(end) }),
  };
}
