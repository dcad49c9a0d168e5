import { defined } from "../../../text/model/defined.ts";
import { history } from "../../../tools/verbs/history.ts";
import type { HistoryItem } from "../../../workspace/workspace.ts";
import { type Call, type Command, isSet, numberOf, textOf } from "../../command.ts";
import { runTool, type Show } from "../../run-tool.ts";
import { usageError } from "../../usage-error.ts";

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
    { name: "format", value: "NAME", text: "json, or agent-trace: one JSON value for each entry, in a line" },
  ],
  examples: [
    ["the last five edits", "suture log -n 5"],
    ["edits of one page", "suture log docs/api.md"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const { operands, options } = call;
  const format = textOf(options, "format");
  if (format !== undefined && format !== "json" && format !== "agent-trace")
    return usageError(call.terminal, `there is no format ${format}`, "It is json or agent-trace.");
  const input = defined({
    path: operands[0],
    limit: isSet(options, "limit") ? numberOf(options, "limit") : undefined,
    run: isSet(options, "run") ? textOf(options, "run") : undefined,
    task: isSet(options, "task") ? textOf(options, "task") : undefined,
  });
  const show = format === undefined ? {} : { show: await printerOf(format) };
  return runTool(call, "history", (context) => history(context, input), { readOnly: true, ...show });
}

/** Prints each entry as one JSON value in a line. */
async function printerOf(format: string): Promise<Show> {
  const { agentTraceOf } = await import("../../../docs/record/authorship.ts");
  return (terminal, result) => {
    const entries = result.entries as readonly HistoryItem[];
    const printed = entries.map((entry) => (format === "json" ? entry : agentTraceOf(entry)));
    terminal.printExactly(printed.map((each) => `${JSON.stringify(each)}\n`).join(""));
  };
}
