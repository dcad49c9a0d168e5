import { defined } from "../../../text/model/defined.ts";
import type { Context, Result } from "../../../tools/tool.ts";
import { refused } from "../../../wording/report.ts";
import { type Call, type Command, isSet, textOf } from "../../command.ts";
import { decline, mayGoOn, runTool } from "../../run-tool.ts";

export const command: Command = {
  name: "gc",
  group: "history",
  summary: "remove saved copies that no entry needs, and old ones on request",
  usage: ["[--forget-before ENTRY]"],
  operands: [0, 0],
  options: [
    {
      name: "forget-before",
      value: "ENTRY",
      text: "also remove the copies of older entries, which then cannot be undone",
    },
    { name: "dry-run", short: "n", text: "show what would be removed, and remove nothing" },
    { name: "yes", short: "y", text: "do not ask" },
  ],
  examples: [
    ["how much would it remove?", "suture gc --dry-run"],
    ["remove the copies of all entries before 100", "suture gc --forget-before 100"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const { options } = call;
  const before = textOf(options, "forget-before");
  const dryRun = isSet(options, "dry-run");
  const risky = before !== undefined && !dryRun;
  if (risky && !(await mayGoOn(call, `Entries before ${before} can then no longer be undone.`)))
    return decline(call.terminal);
  return runTool(call, "gc", (context) =>
    collect(context, { dryRun, ...defined({ forget: before === undefined ? undefined : { before } }) }),
  );
}

const mostShown = 20;

async function collect(
  context: Context,
  asked: { readonly dryRun: boolean; readonly forget?: { readonly before: string } },
): Promise<Result> {
  if (!context.workspace) throw new TypeError("gc was given a reader");
  const done = await context.workspace.gc(asked);
  if (!done.ok) return refused(done.refusal, { tool: "gc", wording: "files" });
  const { before, after, removed } = done.value;
  const verb = asked.dryRun ? "would be" : "were";
  const output = [
    `${removed.length} ${removed.length === 1 ? "file" : "files"} ${verb} removed: ${before} bytes → ${after} bytes`,
    ...removed.slice(0, mostShown),
    ...(removed.length > mostShown ? [`… and ${removed.length - mostShown} more`] : []),
  ].join("\n");
  return {
    success: true,
    output,
    tool: "gc",
    before,
    after,
    removed,
    ...defined({ dryRun: asked.dryRun || undefined }),
  };
}
