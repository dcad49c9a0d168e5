import type { Result } from "../../../tools/tool.ts";
import type { Call, Command } from "../../command.ts";
import { runTool } from "../../run-tool.ts";
import { paintDiff } from "../../terminal/paint.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { showEntry } from "./show.ts";

export const command: Command = {
  name: "diff",
  group: "history",
  summary: "the diff of one entry, as `git apply` takes it",
  usage: ["ENTRY"],
  operands: [1, 1],
  options: [],
  examples: [
    ["look at it", "suture diff 12"],
    ["to a file or a pipe the bytes are exact", "suture diff 12 > change.patch"],
  ],
  run: (call: Call) =>
    runTool(call, "diff", (context) => showEntry(context, call.operands[0]!), { readOnly: true, show }),
};

function show(terminal: Terminal, result: Result): void {
  const diff = String(result.diff);
  if (terminal.watched) terminal.printPainted(paintDiff(diff, terminal));
  else terminal.printExactly(diff);
}
