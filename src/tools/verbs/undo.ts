import { oneLine } from "../../text/characters/one-line.ts";
import { printPlanDiff } from "../../text/diff/diff.ts";
import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome, type Refusal, refuse } from "../../text/model/outcome.ts";
import type { Plan } from "../../text/model/plan.ts";
import { refused } from "../../wording/report.ts";
import type { Committed, UndoTarget } from "../../workspace/workspace.ts";
import { askApproval } from "../approval.ts";
import { type Context, originOf, type Result } from "../tool.ts";

export type UndoInput = {
  readonly entry?: string | undefined;
  readonly run?: string | undefined;
  readonly reason?: string | undefined;
  readonly dry_run?: boolean | undefined;
};

/** Takes back one entry, a whole run, or the newest entry that the context means. Later edits elsewhere stay. */
export function undo(context: Context, input: UndoInput): Promise<Result> {
  return takeBack(context, input, "undo");
}

/** Does again what was undone. */
export function redo(context: Context, input: UndoInput): Promise<Result> {
  return takeBack(context, input, "redo");
}

async function takeBack(context: Context, input: UndoInput, tool: "undo" | "redo"): Promise<Result> {
  if (input.dry_run) {
    const shown = await preview(context, targetOf(context, input), tool);
    return shown.ok ? previewResult(shown.value, tool) : declined(shown.refusal, tool);
  }
  const done = await reverse(context, input, tool);
  if (!done.ok) return declined(done.refusal, tool);
  const paths = done.value.files.filter(({ sibling }) => !sibling).map(({ path }) => path);
  context.memory?.served.forget(paths);
  const undone = done.value.undoes ?? [];
  const entries = `${undone.length === 1 ? "entry" : "entries"} ${undone.join(", ")}`;
  const output = [`✓ ${tool === "undo" ? "Undid" : "Redid"} ${entries}`, ...paths.map(oneLine)].join("\n");
  return { success: true, output, tool, paths, entry: done.value.id, undoes: done.value.undoes ?? [] };
}

type UndoOrRedo = "undo" | "redo";

/** Commits an undo or a redo, after the approval of exactly what it changes. */
export async function reverse(
  context: Context,
  input: Pick<UndoInput, "entry" | "run" | "reason">,
  tool: UndoOrRedo,
): Promise<Outcome<Committed>> {
  if (!context.workspace)
    return refuse({ code: "not-allowed", detail: "this task only reads; nothing can be written" });
  const target = targetOf(context, input);
  const expected = await approveReversal(context, target, tool);
  if (!expected.ok) return expected;
  const { author, task, run, signal } = context;
  return context.workspace[tool](target, {
    author,
    task,
    ...originOf(context),
    ...defined({ run, reason: input.reason, signal }),
    expected: expected.value,
  });
}

type Preview = {
  readonly plan: Plan;
  readonly diff: string;
  readonly versions: Readonly<Record<string, string>>;
};

async function preview({ reader }: Context, target: UndoTarget, tool: UndoOrRedo): Promise<Outcome<Preview>> {
  const plan = await (tool === "undo" ? reader.planUndo(target) : reader.planRedo(target));
  if (!plan.ok) return plan;
  const versions = plan.value.changes.map(({ path, before }) => [path, before.version] as const);
  return accept({
    plan: plan.value,
    diff: printPlanDiff(plan.value),
    versions: Object.fromEntries(versions),
  });
}

function previewResult({ plan, diff, versions }: Preview, tool: UndoOrRedo): Result {
  const paths = plan.changes.map(({ path }) => path);
  const output = `Dry run: nothing was written.\n${diff}`;
  return { success: true, output, tool, paths, versions, diff, dryRun: true };
}

/** The versions that were approved; `undefined` where the context has no approver. */
async function approveReversal(
  context: Context,
  target: UndoTarget,
  tool: UndoOrRedo,
): Promise<Outcome<Preview["versions"] | undefined>> {
  if (!context.approve) return accept(undefined);
  const shown = await preview(context, target, tool);
  if (!shown.ok) return shown;
  const approved = await askApproval(context, shown.value.plan, shown.value.diff);
  return approved.ok ? accept(shown.value.versions) : approved;
}

function declined(refusal: Refusal, tool: UndoOrRedo): Result {
  return refusal.code === "no-change" ? nothingTo(tool) : refused(refusal, { tool, wording: "files" });
}

/** The answer where no entry can be undone or redone. */
export function nothingTo(tool: UndoOrRedo): Result {
  const result = refused({ code: "no-change", why: "nothing-to-undo" }, { tool, wording: "files" });
  return { ...result, error: `Nothing to ${tool}.` };
}

function targetOf({ undoes, author, task }: Context, { entry, run }: UndoInput): UndoTarget {
  if (run !== undefined) return { run };
  if (entry !== undefined) return { entry };
  return undoes === "own" ? { last: true, author, task } : { last: true };
}
