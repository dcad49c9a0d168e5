import { accept } from "../../../text/model/outcome.ts";
import { insertAt } from "../../../tools/verbs/insert-at.ts";
import { type Call, type Command, writing } from "../../command.ts";
import { runTool, writerFields } from "../../run-tool.ts";
import { readInput } from "../../terminal/input.ts";
import { explainUsageError, usageError } from "../../usage-error.ts";

export const command: Command = {
  name: "insert",
  group: "edit",
  summary: "insert whole lines after a line of a file",
  usage: ["PATH LINE TEXT", "PATH LINE -"],
  operands: [3, 3],
  options: writing,
  examples: [
    ["after line 12", "suture insert CHANGELOG.md 12 '- a new entry'"],
    ["at the beginning, from standard input", "suture insert src/app.ts 0 - < header.txt"],
    ["at the end", "suture insert .gitignore -1 dist/"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const { terminal } = call;
  const [path, line, text] = call.operands as [string, string, string];
  if (!/^-?\d{1,15}$/.test(line))
    return usageError(
      terminal,
      `LINE is a whole number, not ${JSON.stringify(line)}`,
      "0 is the beginning, -1 the end.",
    );
  const content = text === "-" ? await readInput("-") : accept(text);
  if (!content.ok) return explainUsageError(terminal, content.refusal);
  const input = { path, line: Number(line), content: content.value, ...writerFields(call.options) };
  return runTool(call, "insert_at", (context) => insertAt(context, input));
}
