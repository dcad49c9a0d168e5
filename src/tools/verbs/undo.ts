import { printPlanDiff } from "../../text/diff/diff.ts";
import { oneLine } from "../../text/match/one-line.ts";
import type { Refusal } from "../../text/model/outcome.ts";
import { refused } from "../../wording/report.ts";
import type { UndoTarget } from "../../workspace/workspace.ts";
import type { Context, Result } from "../tool.ts";

export type UndoInput = {
  readonly entry?: string | undefined;
  readonly run?: string | undefined;
  readonly reason?: string | undefined;
  readonly dry_run?: boolean | undefined;
};

/** Takes back one entry, a whole run, or the newest entry that stands. Later edits elsewhere stay. */
export function undo(context: Context, input: UndoInput): Promise<Result> {
  return takeBack(context, input, "undo");
}

/** Does again what was undone. */
export function redo(context: Context, input: UndoInput): Promise<Result> {
  return takeBack(context, input, "redo");
}

async function takeBack(context: Context, input: UndoInput, tool: "undo" | "redo"): Promise<Result> {
  const asked = { tool, wording: "files" } as const;
  const target = targetOf(input);
  if (input.dry_run) {
    const plan = await (tool === "undo" ? context.reader.planUndo(target) : context.reader.planRedo(target));
    if (!plan.ok) return declined(plan.refusal, tool);
    const paths = plan.value.changes.map(({ path }) => path);
    const diff = printPlanDiff(plan.value);
    return {
      success: true,
      output: `Dry run: nothing was written.\n${diff}`,
      tool,
      paths,
      diff,
      dryRun: true,
    };
  }
  if (!context.workspace)
    return refused({ code: "not-allowed", detail: "this task only reads; nothing can be written" }, asked);
  const done = await context.workspace[tool](target, {
    author: context.author,
    task: context.task,
    ...(context.run === undefined ? {} : { run: context.run }),
    ...(input.reason === undefined ? {} : { reason: input.reason }),
  });
  if (!done.ok) return declined(done.refusal, tool);
  const paths = done.value.files.filter(({ sibling }) => !sibling).map(({ path }) => path);
  const undone = (done.value.undoes ?? []).join(", ");
  const output = [`✓ ${tool === "undo" ? "Undid" : "Redid"} ${undone}`, ...paths.map(oneLine)].join("\n");
  return { success: true, output, tool, paths, entry: done.value.id, undoes: done.value.undoes ?? [] };
}

/** An empty history is not a change that was left out. */
function declined(refusal: Refusal, tool: "undo" | "redo"): Result {
  const result = refused(refusal, { tool, wording: "files" });
  if (refusal.code !== "no-change") return result;
  return { ...result, error: `Nothing to ${tool}.`, hint: "`suture log` shows what was done." };
}

function targetOf({ entry, run }: UndoInput): UndoTarget {
  if (run !== undefined) return { run };
  return entry === undefined ? { last: true } : { entry };
}
