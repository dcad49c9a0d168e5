import { printPlanDiff } from "../../../text/diff/diff.ts";
import type { Context, Result } from "../../../tools/tool.ts";
import { refused } from "../../../wording/report.ts";
import type { HistoryItem } from "../../../workspace/workspace.ts";
import type { Call, Command } from "../../command.ts";
import { runTool } from "../../run-tool.ts";
import { paintDiff } from "../../terminal/paint.ts";
import type { Terminal } from "../../terminal/terminal.ts";

export const command: Command = {
  name: "show",
  group: "history",
  summary: "one entry: who, why, on what evidence, and the diff",
  usage: ["ENTRY"],
  operands: [1, 1],
  options: [],
  examples: [["an entry that `suture log` lists", "suture show 12"]],
  run: (call: Call) =>
    runTool(call, "show", (context) => showEntry(context, call.operands[0]!), { readOnly: true, show }),
};

/** An entry with its diff. */
export async function showEntry(context: Context, id: string): Promise<Result> {
  const asked = { tool: "show", wording: "files" } as const;
  const entry = await context.reader.entry(id);
  if (!entry.ok) return refused(entry.refusal, asked);
  const plan = await context.reader.entryPlan(id);
  if (!plan.ok) return refused(plan.refusal, asked);
  const diff = printPlanDiff(plan.value);
  return { success: true, output: describe(entry.value), tool: "show", entry: id, record: entry.value, diff };
}

function show(terminal: Terminal, result: Result): void {
  terminal.print(result.output);
  terminal.printPainted(`\n${paintDiff(String(result.diff), terminal)}`);
}

function describe(entry: HistoryItem): string {
  const state = entry.state === "aborted" ? " (aborted)" : entry.undone ? " (undone)" : "";
  const undoes = entry.undoes ? ` of ${entry.undoes.join(", ")}` : "";
  return [
    `entry   ${entry.id}: ${entry.kind}${undoes}${state}`,
    `time    ${entry.time}`,
    `author  ${flat(entry.author)}`,
    ...(entry.task === undefined ? [] : [`task    ${flat(entry.task)}`]),
    ...(entry.run === undefined ? [] : [`run     ${flat(entry.run)}`]),
    ...(entry.reason === "" ? [] : [`reason  ${flat(entry.reason)}`]),
    ...entry.edits.flatMap(({ path, reason, evidence }) => [
      ...(reason === "" ? [] : [`edit    ${flat(path)}: ${flat(reason)}`]),
      ...evidence.map(
        (seen) =>
          `        seen in ${flat(seen.path)}:${seen.startLine}-${seen.endLine} at ${flat(seen.revision)}`,
      ),
    ]),
    ...entry.files.flatMap(({ path, backup }) =>
      backup === undefined ? [] : [`backup  ${flat(path)} in ${flat(backup)}`],
    ),
  ].join("\n");
}

/** One line, whatever the journal holds. */
function flat(text: string): string {
  return text.replace(/\s+/g, " ");
}
