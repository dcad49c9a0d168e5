import { z } from "zod";
import { isDocumentPath } from "../../drift/pages/policies.ts";
import { stillParses } from "../../syntax/check.ts";
import type { Refusal } from "../../text/model/outcome.ts";
import type { Change } from "../../text/model/plan.ts";
import type { Context } from "../../tools/tool.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { writerDefaults } from "../documentation/draft-page.ts";
import { checkDraft } from "../gates/check-draft.ts";
import type { GrowingGround } from "../gates/ground.ts";
import { merge, type Objection, type Verdict } from "../gates/objection.ts";
import { checkSafety } from "../gates/safety.ts";
import { checkSize, type SizeLimits } from "../gates/size.ts";
import { extendMetadata } from "../model/metadata.ts";
import type { Crew } from "../model/models.ts";
import { leftForPerson, whyUnfinished } from "../model/stop-reason.ts";
import { parseAnswer } from "../model/structured.ts";
import { doTask } from "../prompts/do-task.ts";
import { type Bench, followSteps, sessionOf, worded } from "../run/agent-run.ts";
import { giveHands } from "../run/agent-tools.ts";
import { confine } from "../run/write-scope.ts";
import type { Task } from "./task.ts";

export type TaskFinding = {
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly severity: "info" | "minor" | "major";
  readonly message: string;
  readonly suggestion?: string | undefined;
};

/** Two tasks at the same lines: what the second wanted, and what became of it. */
export type TaskConflict = {
  readonly path: string;
  readonly refusal: Refusal;
  readonly decision: ConflictDecision;
};

export type ConflictDecision = "skip" | "force" | "manual";

export type TaskResult = {
  readonly task: Task;
  readonly status: "done" | "failed" | "skipped";
  readonly summary: string;
  readonly findings: readonly TaskFinding[];
  readonly entries: readonly string[];
  readonly toolCalls: Readonly<Record<string, number>>;
  readonly conflicts: readonly TaskConflict[];
  readonly objections: readonly Objection[];
  readonly risks: Verdict["risks"];
  readonly error?: string;
};

export type TaskBench = {
  readonly bench: Bench;
  readonly crew: Crew;
  readonly goal: string;
  readonly ground: GrowingGround;
  readonly maxSteps?: number | undefined;
  readonly onConflict: (conflict: {
    task: string;
    path: string;
    refusal: Refusal;
  }) => Promise<ConflictDecision>;
};

const reportSchema = z.object({
  summary: z.string(),
  findings: z
    .array(
      z.object({
        path: z.string().nullish(),
        line: z.number().nullish(),
        severity: z.enum(["info", "minor", "major"]).catch("info"),
        message: z.string(),
        suggestion: z.string().nullish(),
      }),
    )
    .default([]),
});

/** One task by one agent, with the tools of its mode. A task that only looks is given no workspace at all. */
export async function runTask(
  { bench, crew, goal, ground, maxSteps, onConflict }: TaskBench,
  task: Task,
  results: readonly { readonly task: string; readonly text: string }[],
): Promise<TaskResult> {
  const reads = task.mode === "research" || task.mode === "analyze" || task.mode === "execute";
  const conflicts: TaskConflict[] = [];
  const confined =
    reads || !bench.context.workspace
      ? null
      : confine(
          resolving(bench.context.workspace, { task, onConflict, conflicts, ground }),
          confinementOf(bench, task, ground),
        );
  const { workspace: _, ...rest } = bench.context;
  const context: Context = {
    ...rest,
    profile: "files",
    mode: task.mode,
    author: `agent ${crew.writer.name}`,
    task: task.id,
    ...(confined ? { workspace: confined.workspace } : {}),
  };
  const hands = giveHands(context, bench.redact);
  const prompt = doTask({
    goal,
    mode: task.mode,
    description: task.description,
    targets: task.targets,
    results,
  });
  const ledger = bench.ledger.sub();
  const steps = followSteps(bench, task.id, ledger);
  steps.begin(`${task.mode}: ${task.description}`);
  const answered = await crew.writer.ask({
    instructions: prompt.instructions,
    prompt: prompt.prompt,
    tools: hands.tools,
    maxSteps: maxSteps ?? taskSteps,
    maxOutputTokens: writerDefaults.maxOutputTokens,
    temperature: writerDefaults.temperature,
    ledger,
    onStep: steps.answered,
    metadata: extendMetadata(sessionOf(bench, "run"), { properties: { task: task.id, mode: task.mode } }),
    ...(bench.signal === undefined ? {} : { signal: bench.signal }),
  });
  const done = hands.results().filter(({ success, entry }) => success && entry !== undefined);
  const objections = confined?.objections() ?? [];
  const report = answered.ok && reads ? parseAnswer(answered.value.text, reportSchema) : null;
  const shared = {
    task,
    summary: answered.ok ? (report?.ok ? report.value.summary : answered.value.text.trim()) : "",
    findings: report?.ok ? report.value.findings.map(tidyFinding) : [],
    entries: done.map(({ entry }) => entry!),
    toolCalls: hands.counts(),
    conflicts,
    objections,
    risks: confined?.risks() ?? [],
  };
  const error = whyFailed(bench, task, answered, shared);
  return error === null ? { ...shared, status: "done" } : { ...shared, status: "failed", error };
}

const taskSteps = 12;

function tidyFinding({
  path,
  line,
  severity,
  message,
  suggestion,
}: z.infer<typeof reportSchema>["findings"][number]): TaskFinding {
  return {
    severity,
    message,
    ...(path ? { path } : {}),
    ...(line ? { line } : {}),
    ...(suggestion ? { suggestion } : {}),
  };
}

function whyFailed(
  bench: Bench,
  task: Task,
  answered: Awaited<ReturnType<Crew["writer"]["ask"]>>,
  { entries, conflicts, objections }: Pick<TaskResult, "entries" | "conflicts" | "objections">,
): string | null {
  if (!answered.ok) return worded(bench, answered.refusal);
  const open = conflicts.filter(({ decision }) => decision !== "force");
  if (open.length > 0)
    return `conflict in ${open.map(({ path }) => path).join(", ")}: ${open.some(({ decision }) => decision === "manual") ? "to be resolved by hand" : "skipped"}`;
  const why = leftForPerson(objections) ?? whyUnfinished(answered.value.end);
  if (why !== null) return why;
  if ((task.mode === "modify" || task.mode === "generate") && entries.length === 0)
    return "it changed nothing";
  return null;
}

type Referee = Pick<TaskBench, "onConflict" | "ground"> & {
  readonly task: Task;
  readonly conflicts: TaskConflict[];
};

/** A conflict is a person's to decide; only their word makes an edit go over another task's lines. */
function resolving(workspace: Workspace, { task, onConflict, conflicts, ground }: Referee): Workspace {
  return {
    ...workspace,
    commit: async (plan, options) => {
      const first = await workspace.commit(plan, options);
      let committed = first;
      if (!first.ok && first.refusal.code === "conflict") {
        const path = first.refusal.path ?? plan.changes[0]?.path ?? "";
        const decision = await onConflict({ task: task.id, path, refusal: first.refusal });
        conflicts.push({ path, refusal: first.refusal, decision });
        if (decision === "force") committed = await workspace.commit(plan, { ...options, force: true });
      }
      if (committed.ok) for (const { path, after } of plan.changes) ground.learn({ path, text: after ?? "" });
      return committed;
    },
  };
}

const codeLimits: SizeLimits = { share: 0.6, lines: 150, newPage: 200_000 };

/** A task writes its targets; where it names none, a task that creates may create anything new. */
function confinementOf(bench: Bench, task: Task, ground: GrowingGround) {
  const targets = new Set(task.targets);
  const checks = { ground, secrets: bench.secrets, commits: [] };
  return {
    mayWrite: (path: string) => targets.has(path) || (task.mode === "generate" && targets.size === 0),
    judge: async (change: Change): Promise<Verdict> => {
      const { path, before, after } = change;
      if (after === null)
        return merge([
          { objections: [{ gate: "place", path, detail: "a task edits files and deletes none" }] },
        ]);
      const draft = { path, before: before.text, after, reasons: [] };
      if (isDocumentPath(path)) return checkDraft(draft, checks);
      return merge([
        checkSafety(draft, bench.secrets),
        checkSize(draft, codeLimits),
        await checkParses(path, before.text, after),
      ]);
    },
  };
}

/** What parsed before must parse after, and a new file must parse. */
async function checkParses(path: string, before: string | null, after: string): Promise<Partial<Verdict>> {
  const parses = await stillParses(path, before ?? "", after);
  if (parses.ok || parses.refusal.code !== "unparsable") return {};
  const { line, detail } = parses.refusal;
  return {
    objections: [{ gate: "fences", path, detail: `${path} would not parse at line ${line}: ${detail}` }],
  };
}
