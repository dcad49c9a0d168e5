import { findObstacles, type Obstacle } from "../../../docs/obstacles.ts";
import type { Context, Result } from "../../../tools/tool.ts";
import { unsafeHooks } from "../../../wording/npx-command.ts";
import { type Call, type Command, exit, isSet, textOf } from "../../command.ts";
import { runTool } from "../../run-tool.ts";

export const command: Command = {
  name: "doctor",
  group: "history",
  summary: "examine the journal, the lock, the saved copies, and what the folder lacks",
  usage: ["[--repair] [--break-lock]"],
  operands: [0, 0],
  options: [
    { name: "repair", text: "repair what can be repaired" },
    { name: "break-lock", text: "take the lock from a process that is gone for good" },
  ],
  examples: [
    ["is everything in order?", "suture doctor"],
    ["after another machine's crash on a network folder", "suture doctor --repair --break-lock"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const asked = { repair: isSet(call.options, "repair"), breakLock: isSet(call.options, "break-lock") };
  const root = textOf(call.options, "root") ?? ".";
  let open = 0;
  const code = await runTool(call, "doctor", async (context) => {
    const result = await examine(context, root, asked);
    open = result.open as number;
    return result;
  });
  return code === exit.done && open > 0 ? exit.refused : code;
}

async function examine(
  context: Context,
  root: string,
  asked: { repair: boolean; breakLock: boolean },
): Promise<Result> {
  if (!context.workspace) throw new TypeError("doctor was given a reader");
  const findings = await context.workspace.doctor(asked);
  const open = findings.filter(({ repaired }) => !repaired).length;
  const lines = findings.map(({ what, subject, detail, repaired }) =>
    `${repaired ? "✓ repaired" : "✗"} ${what} ${subject}: ${detail}`.replace(/\s+/g, " "),
  );
  const obstacles = [...(await findObstacles(root, context.reader)), ...(await findHookProblems(context))];
  const advice = obstacles.map(({ what, remedy }) => `• ${what}; ${remedy}`);
  return {
    success: true,
    output: [...(lines.length === 0 ? ["Everything is well."] : lines), ...advice].join("\n"),
    tool: "doctor",
    findings,
    obstacles,
    open,
  };
}

/** Hooks of coding agents that are installed here and will not run, or can run a program of the project. */
async function findHookProblems({ reader }: Context): Promise<Obstacle[]> {
  const { findStatus } = await import("../../../agent-hooks/install/status.ts");
  const { thisMachine } = await import("../agent-hooks/install.ts");
  return findStatus({ root: reader.root, machine: thisMachine() }).flatMap(
    ({ title, client, file, scope, ignored, isUnsafe }) => [
      ...(ignored === null
        ? []
        : [{ what: `${title} will not run its hooks: ${ignored.what}`, remedy: ignored.remedy }]),
      ...(isUnsafe
        ? [{ what: unsafeHooks.what(title, file), remedy: unsafeHooks.remedy(client, scope) }]
        : []),
    ],
  );
}
