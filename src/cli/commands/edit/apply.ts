import { defined } from "../../../text/model/defined.ts";
import { applyPatch } from "../../../tools/verbs/apply-patch.ts";
import { type Call, type Command, isSet, textOf, writing } from "../../command.ts";
import { type RunOptions, runTool, writerFields } from "../../run-tool.ts";
import { readInput } from "../../terminal/input.ts";
import { explainUsageError } from "../../usage-error.ts";

export const command: Command = {
  name: "apply",
  group: "edit",
  summary: "apply edits of many files, in any format, all or none",
  usage: ["[FILE]"],
  operands: [0, 1],
  options: [
    { name: "check", text: "only say whether it would apply" },
    { name: "path", value: "PATH", text: "the file meant, where the edits name none" },
    ...writing,
  ],
  examples: [
    [
      "a git diff, a `*** Begin Patch` envelope, SEARCH/REPLACE blocks or JSON edits",
      "suture apply change.patch",
    ],
    ["straight from git", "git diff main..topic | suture apply"],
    ["would it apply?", "suture apply change.patch --check && echo yes"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const { options, terminal } = call;
  const patch = await readInput(call.operands[0] ?? "-");
  if (!patch.ok) return explainUsageError(terminal, patch.refusal);
  const path = textOf(options, "path");
  const input = { patch: patch.value, ...defined({ path }), ...writerFields(options) };
  const checked: RunOptions = {
    show: (_, { output }) => terminal.print(`It applies.\n${output}`),
  };
  return runTool(
    call,
    "apply_patch",
    (context) => applyPatch(context, input),
    isSet(options, "check") ? checked : {},
  );
}
