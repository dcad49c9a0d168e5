import { defined } from "../../../text/model/defined.ts";
import type { Context, Result } from "../../../tools/tool.ts";
import { refused } from "../../../wording/report.ts";
import { type Call, type Command, isSet, textOf, writing } from "../../command.ts";
import { runTool } from "../../run-tool.ts";
import { usageError } from "../../usage-error.ts";

export const command: Command = {
  name: "restore",
  group: "history",
  summary: "put a file back as it was before or after an entry",
  usage: ["PATH --entry ENTRY"],
  operands: [1, 1],
  options: [
    { name: "entry", short: "e", value: "ENTRY", text: "the entry to go back to" },
    {
      name: "side",
      value: "SIDE",
      choices: ["before", "after"],
      text: "which side of the entry; before by default",
    },
    ...writing.filter(({ name }) => !["base-version", "yes", "dry-run"].includes(name)),
  ],
  examples: [["as it was before entry 12", "suture restore docs/api.md --entry 12"]],
  run,
};

async function run(call: Call): Promise<number> {
  const { operands, options, terminal } = call;
  const entry = textOf(options, "entry");
  if (entry === undefined)
    return usageError(terminal, "restore needs --entry ENTRY", "`suture log PATH` lists them.");
  const side = (textOf(options, "side") ?? "before") as "before" | "after";
  const reason = isSet(options, "reason") ? { reason: textOf(options, "reason")! } : {};
  return runTool(call, "restore", (context) =>
    restore(context, { path: operands[0]!, entry, side, ...reason }),
  );
}

type RestoreInput = {
  readonly path: string;
  readonly entry: string;
  readonly side: "before" | "after";
  readonly reason?: string;
};

async function restore(context: Context, { path, entry, side, reason }: RestoreInput): Promise<Result> {
  const { author, task, run, force, workspace } = context;
  if (!workspace) throw new TypeError("restore was given a reader");
  const done = await workspace.restore(path, entry, {
    author,
    task,
    side,
    ...defined({ run, reason, force: force || undefined }),
  });
  if (!done.ok) return refused(done.refusal, { tool: "restore", wording: "files", path });
  return {
    success: true,
    output: `✓ Restored ${path} as it was ${side} ${entry}`,
    tool: "restore",
    path,
    entry: done.value.id,
  };
}
