import { history } from "../../../tools/verbs/history.ts";
import { type Call, type Command, isSet, numberOf, textOf } from "../../command.ts";
import { runTool } from "../../run-tool.ts";

export const command: Command = {
  name: "log",
  group: "history",
  summary: "what was changed, by whom and why, newest first",
  usage: ["[PATH]"],
  operands: [0, 1],
  options: [
    { name: "limit", short: "n", value: "N", integer: true, text: "most entries to show (20)" },
    { name: "run", value: "NAME", text: "only this run" },
    { name: "task", value: "NAME", text: "only this task" },
  ],
  examples: [
    ["the last five edits", "suture log -n 5"],
    ["edits of one page", "suture log docs/api.md"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const { operands, options } = call;
  const input = {
    ...(operands[0] === undefined ? {} : { path: operands[0] }),
    ...(isSet(options, "limit") ? { limit: numberOf(options, "limit") } : {}),
    ...(isSet(options, "run") ? { run: textOf(options, "run") } : {}),
    ...(isSet(options, "task") ? { task: textOf(options, "task") } : {}),
  };
  return runTool(call, "history", (context) => history(context, input), { readOnly: true });
}
