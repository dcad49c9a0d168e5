import { patchFile } from "../../../tools/verbs/patch-file.ts";
import { type Call, type Command, writing } from "../../command.ts";
import { runTool, writerFields } from "../../run-tool.ts";
import { readInput } from "../../terminal/input.ts";
import { explainUsageError } from "../../usage-error.ts";

export const command: Command = {
  name: "patch",
  group: "edit",
  summary: "apply a unified diff to one file",
  usage: ["PATH [FILE]"],
  operands: [1, 2],
  options: writing,
  examples: [
    ["from a file", "suture patch src/app.ts fix.diff"],
    ["from standard input", "git diff src/app.ts | suture patch src/app.ts"],
    ["would it apply?", "suture patch src/app.ts fix.diff --dry-run"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const [path, file = "-"] = call.operands as [string, string?];
  const patch = await readInput(file);
  if (!patch.ok) return explainUsageError(call.terminal, patch.refusal);
  const input = { path, patch: patch.value, ...writerFields(call.options) };
  return runTool(call, "patch_file", (context) => patchFile(context, input));
}
