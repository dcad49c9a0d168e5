import type { Context, Result } from "../../tools/tool.ts";
import { type Call, type Command, exit, isSet } from "../command.ts";
import { perform } from "../perform.ts";

export const command: Command = {
  name: "doctor",
  group: "history",
  summary: "examine the journal, the lock and the kept copies",
  usage: ["[--repair] [--break-lock]"],
  operands: [0, 0],
  options: [
    { name: "repair", text: "put right what can be put right" },
    { name: "break-lock", text: "take the lock from a process that is gone for good" },
  ],
  examples: [
    ["is everything well?", "suture doctor"],
    ["after another machine's crash on a network folder", "suture doctor --repair --break-lock"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const asked = { repair: isSet(call.options, "repair"), breakLock: isSet(call.options, "break-lock") };
  let open = 0;
  const code = await perform(call, "doctor", async (context) => {
    const result = await examine(context, asked);
    open = result.open as number;
    return result;
  });
  return code === exit.done && open > 0 ? exit.refused : code;
}

async function examine(context: Context, asked: { repair: boolean; breakLock: boolean }): Promise<Result> {
  if (!context.workspace) throw new TypeError("doctor was given a reader");
  const findings = await context.workspace.doctor(asked);
  const open = findings.filter(({ repaired }) => !repaired).length;
  const lines = findings.map(({ what, subject, detail, repaired }) =>
    `${repaired ? "✓ repaired" : "✗"} ${what} ${subject}: ${detail}`.replace(/\s+/g, " "),
  );
  return {
    success: true,
    output: lines.length === 0 ? "Everything is well." : lines.join("\n"),
    tool: "doctor",
    findings,
    open,
  };
}
