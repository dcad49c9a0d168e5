import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Mode } from "../../tools/tool.ts";
import { goalText } from "../../wording/agents.ts";
import { plural } from "../../wording/sentences.ts";
import { describeProject } from "../context/project-brief.ts";
import { indexRepository, type RepositoryIndex } from "../context/repository-index.ts";
import { createGrowingFacts } from "../gates/known-facts.ts";
import { howToChoose } from "../model/model.ts";
import type { Usage } from "../model/prices.ts";
import { askFor } from "../model/structured.ts";
import { planTasks } from "../prompts/plan-tasks.ts";
import { type AgentRun, finishRun, hasModels, type ModelRun, saveRecord } from "../run/agent-run.ts";
import { Assignment } from "../run/assignment.ts";
import type { AgentRunRecord } from "../run/audit.ts";
import { cancelledText, unlessCancelled } from "../run/cancellation.ts";
import { runTask, type TaskContext, type TaskResult } from "./do-task.ts";
import { execute } from "./execute.ts";
import { recordGoal } from "./goal-record.ts";
import { readGoal } from "./read-goal.ts";
import { runTasks, skippedTask, type TaskWorker } from "./run-tasks.ts";
import { checkTasks, planSchema, type Task, type TaskPlan, writes } from "./task.ts";
import { findUncovered, scopeOf } from "./writable.ts";

export type GoalOptions = {
  readonly goal: string;
  /** Show the tasks and run none. */
  readonly planOnly?: boolean | undefined;
  /** One mode for every task; `analyze` changes nothing. */
  readonly mode?: Mode | undefined;
  readonly maxSteps?: number | undefined;
  readonly commands: readonly (readonly string[])[];
  /**
   * Asks a person about a plan that writes or runs something, and about the files that it would write beyond those the
   * goal covers. Without it, the plan is agreed unless there are such files.
   */
  readonly confirm?: ((plan: TaskPlan, more: readonly string[]) => Promise<boolean>) | undefined;
  /** Globs of files that tasks may write although the goal does not cover them. */
  readonly mayWrite?: readonly string[] | undefined;
  readonly onConflict: TaskContext["onConflict"];
};

export type GoalResult = {
  readonly run: string;
  readonly plan: TaskPlan;
  readonly results: readonly TaskResult[];
  readonly usage: Usage;
  readonly audit?: AgentRunRecord;
  readonly howTo?: string;
  /** A person did not agree to the plan, so no task ran. */
  readonly declined?: true;
  /** The files of a declined plan that the goal does not cover. */
  readonly more?: readonly string[];
  /** Why the goal was not met although every task ended well. */
  readonly unmet?: string;
};

const maxListed = 600;

/** Plans a goal as tasks and runs each with the tools of its mode. Independent tasks run in parallel. */
export async function runGoal(run: AgentRun, options: GoalOptions): Promise<Outcome<GoalResult>> {
  const none = { run: run.id, plan: { tasks: [], notes: [], demoted: [] }, results: [] };
  if (!hasModels(run)) return accept({ ...none, usage: run.budget.total(), howTo: howToChoose });
  const index = await indexRepository(run);
  if (!index.ok) return index;
  const planned = await planGoal(run, options, index.value);
  if (!planned.ok) return planned;
  const plan = planned.value;
  if (options.planOnly) return accept({ ...none, plan, usage: run.budget.total() });
  const { covers } = scopeOf(options.goal, options.mayWrite);
  const more = findUncovered(plan.tasks, covers);
  if (plan.tasks.some(({ mode }) => writes(mode)) && !(await isAgreed(plan, more, options)))
    return accept({
      ...{ ...none, plan, usage: run.budget.total(), declined: true },
      ...defined({ more: more.length > 0 ? more : undefined }),
    });

  const facts = createGrowingFacts(index.value.facts);
  const results = await runTasks(plan.tasks, createWorker(run, options, { facts, covers }), run);
  await finishRun(
    run,
    results.every(({ status }) => status === "done"),
  );
  const audit = await recordGoal(run, options.goal, results);
  await saveRecord(run, audit);
  run.signal?.throwIfAborted();
  const unmet = whyUnmet(options, plan, results);
  const result = { run: run.id, plan, results, usage: run.budget.total(), audit };
  return accept(unmet === null ? result : { ...result, unmet });
}

/** A person who asked for a change has to hear that none was made. A task that failed says so itself. */
function whyUnmet(
  { goal, mode }: GoalOptions,
  plan: TaskPlan,
  results: readonly TaskResult[],
): string | null {
  const { length } = plan.demoted;
  if (length > 0 && length === plan.tasks.length) return goalText.onlyLooked(plural(length, "task"));
  const isDone = ({ task, entries }: TaskResult): boolean => task.mode === "execute" || entries.length > 0;
  const wasAsked = mode === undefined && readGoal(goal).asks === "change";
  return wasAsked && !results.some(isDone) ? goalText.nothingWritten : null;
}

/** A model names the files of a plan, so files that the person's words do not cover need the person's answer. */
async function isAgreed(plan: TaskPlan, more: readonly string[], { confirm }: GoalOptions): Promise<boolean> {
  return confirm ? confirm(plan, more) : more.length === 0;
}

async function planGoal(
  run: ModelRun,
  { goal, mode, commands }: GoalOptions,
  index: RepositoryIndex,
): Promise<Outcome<TaskPlan>> {
  const work = new Assignment(run, { subject: "goal", command: "run" });
  work.begin("planning");
  const brief = run.redact(await describeProject(run.project, index));
  const prompt = planTasks({ goal, files: index.paths.slice(0, maxListed), brief, commands });
  const request = { ...work.request(prompt), maxOutputTokens: 2000 };
  const planned = await askFor(run.models.planner, request, planSchema);
  if (!planned.ok) return planned;
  const { value } = planned.value;
  const text = goalText.planned(plural(value.tasks.length, "task"));
  run.report({ kind: "done", subject: "goal", text });
  return accept(checkTasks(value, goal, { mode }));
}

function createWorker(
  run: ModelRun,
  options: GoalOptions,
  { facts, covers }: Pick<TaskContext, "facts" | "covers">,
): TaskWorker {
  const { onConflict, goal, maxSteps } = options;
  const context: TaskContext = { run, goal, facts, covers, maxSteps, onConflict };
  return (task, earlier) =>
    unlessCancelled(
      run.signal,
      () => (task.mode === "execute" ? runCommand(run, task, options) : runTask(context, task, earlier)),
      () => skippedTask(task, cancelledText),
    );
}

async function runCommand(run: AgentRun, task: Task, { commands }: GoalOptions): Promise<TaskResult> {
  const { command = [] } = task;
  run.report({ kind: "step", subject: task.id, text: `execute: ${command.join(" ")}` });
  const { root } = run.context.reader;
  const { ok, output } = await execute(command, { root, allowed: commands, signal: run.signal });
  const text = run.redact(output);
  const { error: _, ...empty } = skippedTask(task, "");
  const result = { ...empty, summary: text, toolCalls: { execute: 1 } };
  return ok ? { ...result, status: "done" } : { ...result, status: "failed", error: text };
}
