import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Mode } from "../../tools/tool.ts";
import { plural } from "../../wording/report.ts";
import { diffOf } from "../documentation/draft-page.ts";
import { surveyRepository } from "../documentation/survey.ts";
import { growGround } from "../gates/ground.ts";
import { howToChoose } from "../model/model.ts";
import type { Usage } from "../model/prices.ts";
import { askFor } from "../model/structured.ts";
import { planTasks } from "../prompts/plan-tasks.ts";
import { type Bench, finishRun, followSteps, keepAudit, sessionOf } from "../run/agent-run.ts";
import { type AuditArticle, type AuditRecord, addCounts } from "../run/audit.ts";
import { stoppedWords, unlessStopped } from "../run/cancellation.ts";
import { type About, recordOf } from "../run/record.ts";
import { runTask, type TaskBench, type TaskResult } from "./do-task.ts";
import { execute } from "./execute.ts";
import { checkTasks, planSchema, type Task, type TaskPlan } from "./task.ts";

export type GoalOptions = {
  readonly goal: string;
  /** Show the tasks and do none. */
  readonly planOnly?: boolean | undefined;
  /** One mode for every task; `analyze` changes nothing. */
  readonly mode?: Mode | undefined;
  readonly maxSteps?: number | undefined;
  readonly commands: readonly (readonly string[])[];
  readonly onConflict: TaskBench["onConflict"];
};

export type GoalResult = {
  readonly run: string;
  readonly plan: TaskPlan;
  readonly results: readonly TaskResult[];
  readonly usage: Usage;
  readonly audit?: AuditRecord;
  readonly howTo?: string;
};

const mostListed = 600;
const tasksAtOnce = 3;

/** A goal in tasks, each through the tools of its mode; independent ones side by side. */
export async function runGoal(bench: Bench, options: GoalOptions): Promise<Outcome<GoalResult>> {
  const none = { run: bench.run, plan: { tasks: [], notes: [] }, results: [] };
  if (!bench.crew) return accept({ ...none, usage: bench.ledger.total(), howTo: howToChoose });
  const survey = await surveyRepository(bench.context.reader, { signal: bench.signal });
  if (!survey.ok) return survey;
  const ledger = bench.ledger.sub();
  const steps = followSteps(bench, "goal", ledger);
  steps.begin("planning");
  const prompt = planTasks({ goal: options.goal, files: survey.value.paths.slice(0, mostListed), brief: "" });
  const asked = {
    instructions: prompt.instructions,
    prompt: prompt.prompt,
    maxOutputTokens: 2000,
    temperature: 0.1,
    ledger,
    onStep: steps.answered,
    metadata: sessionOf(bench, "run"),
    ...(bench.signal === undefined ? {} : { signal: bench.signal }),
  };
  const planned = await askFor(bench.crew.planner, asked, planSchema);
  if (!planned.ok) return planned;
  bench.report({
    kind: "done",
    subject: "goal",
    text: `✓ planned ${plural(planned.value.value.tasks.length, "task")}`,
  });
  const plan = checkTasks(planned.value.value, options.goal, { mode: options.mode });
  if (options.planOnly) return accept({ ...none, plan, usage: bench.ledger.total() });

  const { onConflict, goal, maxSteps } = options;
  const taskBench: TaskBench = {
    bench,
    crew: bench.crew,
    goal,
    ground: growGround(survey.value.ground),
    maxSteps,
    onConflict,
  };
  const work: Work = (task, before) =>
    unlessStopped(
      bench.signal,
      () => (task.mode === "execute" ? runCommand(bench, task, options) : runTask(taskBench, task, before)),
      () => skipped(task, stoppedWords),
    );
  const results = await runTasks(plan.tasks, work, bench);
  await finishRun(
    bench,
    results.every(({ status }) => status === "done"),
  );
  const audit = recordOf(bench, await aboutOf(bench, options), await articlesOf(bench, results));
  const toolCalls = addCounts(audit.toolCalls, ...results.map((result) => result.toolCalls));
  await keepAudit(bench, { ...audit, toolCalls });
  bench.signal?.throwIfAborted();
  return accept({
    run: bench.run,
    plan,
    results,
    usage: bench.ledger.total(),
    audit: { ...audit, toolCalls },
  });
}

type Work = (
  task: Task,
  before: readonly { readonly task: string; readonly text: string }[],
) => Promise<TaskResult>;

/** Each task when all it waits for is done; what waits for a failed one is skipped. */
async function runTasks(tasks: readonly Task[], work: Work, bench: Bench): Promise<TaskResult[]> {
  const results = new Map<string, TaskResult>();
  const running = new Map<string, Promise<void>>();
  const waiting = [...tasks];
  while (waiting.length > 0 || running.size > 0) {
    for (const task of [...waiting]) {
      const before = task.dependsOn.map((id) => results.get(id));
      if (before.includes(undefined)) continue;
      const failed = before.some((result) => result!.status !== "done");
      if (!failed && running.size >= tasksAtOnce) break;
      waiting.splice(waiting.indexOf(task), 1);
      if (failed) {
        results.set(task.id, skipped(task, "a task it waits for was not done"));
        continue;
      }
      const found = before.map((result) => ({ task: result!.task.id, text: textOf(result!) }));
      const done = work(task, found).then((result) => {
        results.set(task.id, result);
        running.delete(task.id);
        bench.report({
          kind: result.status === "done" ? "done" : "failed",
          subject: task.id,
          text: `${result.status === "done" ? "✓" : "✗"} ${task.id}: ${result.error ?? result.summary}`,
        });
      });
      running.set(task.id, done);
    }
    if (running.size > 0) await Promise.race(running.values());
  }
  return tasks.map(({ id }) => results.get(id)!);
}

function textOf({ summary, findings }: TaskResult): string {
  return [
    summary,
    ...findings.map(({ path, line, message }) => `${path ?? ""}${line ? `:${line}` : ""} ${message}`),
  ].join("\n");
}

function skipped(task: Task, error: string): TaskResult {
  return {
    task,
    status: "skipped",
    summary: "",
    findings: [],
    entries: [],
    toolCalls: {},
    conflicts: [],
    objections: [],
    risks: [],
    error,
  };
}

async function runCommand(bench: Bench, task: Task, { commands }: GoalOptions): Promise<TaskResult> {
  bench.report({ kind: "step", subject: task.id, text: `execute: ${(task.command ?? []).join(" ")}` });
  const { ok, output } = await execute(task.command ?? [], {
    root: bench.context.reader.root,
    allowed: commands,
    signal: bench.signal,
  });
  const text = bench.redact(output);
  const result = { ...skipped(task, ""), summary: text, toolCalls: { execute: 1 } };
  const { error: _, ...done } = result;
  return ok ? { ...done, status: "done" } : { ...result, status: "failed", error: text };
}

async function aboutOf(bench: Bench, { goal }: GoalOptions): Promise<About> {
  const head = (await bench.repository?.head()) ?? null;
  const trigger = { base: null, head, commits: [], changedFiles: [], goal };
  return { source: "goal", command: "run", trigger, tools: ["edit_file", "write_file"] };
}

/** One article for each file that the run's entries touched, from its bytes before the first to those after the last. */
async function articlesOf(bench: Bench, results: readonly TaskResult[]): Promise<AuditArticle[]> {
  const { reader } = bench.context;
  const files = new Map<string, { first: string; reasons: string[]; entries: string[] }>();
  const ids = new Set(results.flatMap(({ entries }) => entries));
  const history = (await reader.history({ run: bench.run, limit: 10_000 }))
    .filter(({ id }) => ids.has(id))
    .toReversed();
  for (const entry of history)
    for (const { path } of entry.files) {
      const known = files.get(path) ?? { first: entry.id, reasons: [], entries: [] };
      known.entries.push(entry.id);
      known.reasons.push(
        ...entry.edits
          .filter((edit) => edit.path === path)
          .map(({ reason }) => reason || "(no reason given)"),
      );
      files.set(path, known);
    }
  const articles: AuditArticle[] = [];
  for (const [path, { first, reasons, entries }] of files) {
    const image = await reader.readImage(first, path, "before");
    const before =
      image.ok && image.value !== null
        ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(image.value)
        : null;
    const now = await reader.read(path);
    const after = now.ok ? now.value.text : null;
    const changed = before !== after;
    const evidence = [{ changedFile: path, matchType: "goal" as const }];
    const patch = changed && after !== null ? { patch: diffOf(path, before, after) } : {};
    articles.push({
      jrn: null,
      path,
      status: changed ? "updated" : "unchanged",
      evidence,
      editReasons: reasons,
      entries,
      ...patch,
    });
  }
  for (const { task, status, error, objections } of results)
    if (status === "failed")
      articles.push({
        jrn: null,
        path: task.targets[0] ?? task.id,
        status: "error",
        evidence: [],
        error: `${task.id}: ${error}`,
        ...(objections.length > 0 ? { objections: [...objections] } : {}),
      });
  return articles;
}
