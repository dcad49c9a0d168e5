import { z } from "zod";
import { isDocumentPath } from "../../drift/pages/policies.ts";
import { stillParses } from "../../syntax/check.ts";
import { oneLine } from "../../text/characters/one-line.ts";
import type { Redact } from "../../text/match/secrets.ts";
import { defined } from "../../text/model/defined.ts";
import type { Outcome, Refusal } from "../../text/model/outcome.ts";
import type { Change, Plan } from "../../text/model/plan.ts";
import { goalText } from "../../wording/agents.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { checkDraft } from "../gates/check-draft.ts";
import type { GrowingFacts } from "../gates/known-facts.ts";
import { type GateVerdict, merge, type Objection } from "../gates/objection.ts";
import { checkSafety } from "../gates/safety.ts";
import { checkSize, type SizeLimits } from "../gates/size.ts";
import type { ModelAnswer } from "../model/model.ts";
import { leftForPerson, whyUnfinished } from "../model/stop-reason.ts";
import { parseAnswer } from "../model/structured.ts";
import { doTask } from "../prompts/do-task.ts";
import { type ModelRun, refusalText, writerOf } from "../run/agent-run.ts";
import { AgentTools } from "../run/agent-tools.ts";
import { Assignment } from "../run/assignment.ts";
import { whyCut } from "../run/no-edit.ts";
import { printPageDiff } from "../run/page-diff.ts";
import { ScopedWorkspace, type WriteScope } from "../run/write-scope.ts";
import type { Task } from "./task.ts";
import type { Covers } from "./writable.ts";

export type TaskFinding = {
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly severity: "info" | "minor" | "major";
  readonly message: string;
  readonly suggestion?: string | undefined;
};

/** Two tasks edit the same lines: the second edit, and the decision about it. */
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
  readonly risks: GateVerdict["risks"];
  readonly error?: string;
};

/** What an earlier task found, for the tasks that depend on it. */
export type EarlierResult = { readonly task: string; readonly text: string };

/** What all tasks of a goal share. */
export type TaskContext = {
  readonly run: ModelRun;
  readonly goal: string;
  readonly facts: GrowingFacts;
  /** The files that the goal covers. */
  readonly covers: Covers;
  readonly maxSteps?: number | undefined;
  readonly onConflict: (conflict: {
    task: string;
    path: string;
    refusal: Refusal;
    /** The refused edit, as a diff of the file as it is now. */
    attempted: string;
  }) => Promise<ConflictDecision>;
};

/** The first number of "105-119" or "line 105". */
function lineOf(value: unknown): unknown {
  return typeof value === "string" ? Number(/\d+/.exec(value)?.[0] ?? Number.NaN) : value;
}

const otherSeverities: readonly [RegExp, TaskFinding["severity"]][] = [
  [/^(?:major|crit|high|sever|error|block)/i, "major"],
  [/^(?:minor|med|mod|warn|low)/i, "minor"],
];

function severityOf(value: unknown): TaskFinding["severity"] {
  return otherSeverities.find(([shape]) => shape.test(String(value)))?.[1] ?? "info";
}

/** A report. Models add fields; unreadable ones are dropped. */
const reportSchema = z.preprocess(
  (report) => (Array.isArray(report) && report.length > 0 ? { findings: report } : report),
  z.object({
    summary: z.string().default(""),
    findings: z.array(
      z.object({
        path: z.string().optional().catch(undefined),
        line: z.preprocess(lineOf, z.int().min(1).optional()).catch(undefined),
        severity: z.unknown().transform(severityOf),
        message: z.string(),
        suggestion: z.string().optional().catch(undefined),
      }),
    ),
  }),
);

const defaultSteps = 12;

/** Runs one task with one agent and the tools of its mode. A task that only reads gets no workspace. */
export async function runTask(
  shared: TaskContext,
  task: Task,
  earlier: readonly EarlierResult[],
): Promise<TaskResult> {
  const { run, goal, maxSteps = defaultSteps } = shared;
  const { mode, description, targets } = task;
  const conflicts: TaskConflict[] = [];
  const scoped = openScope(shared, task, conflicts);
  const agentTools = createTools(run, task, scoped);
  const prompt = doTask({ goal, mode, description, targets, results: earlier });
  const work = new Assignment(run, { subject: task.id, command: "run", about: { task: task.id, mode } });
  work.begin(`${mode}: ${description}`);
  const answered = await run.models.writer.ask({ ...work.request(prompt), ...agentTools.request(maxSteps) });
  const result = {
    task,
    ...readReport(task, answered, agentTools.closing.summary()),
    entries: agentTools.written().map(({ entry }) => entry),
    toolCalls: agentTools.counts(),
    conflicts,
    objections: scoped?.objections() ?? [],
    risks: scoped?.risks() ?? [],
  };
  const error = answered.ok
    ? (whyFailed(result, answered.value) ?? whyNoChange(result, agentTools, run.redact))
    : refusalText(run, answered.refusal);
  return error === null ? { ...result, status: "done" } : { ...result, status: "failed", error };
}

function onlyReads({ mode }: Task): boolean {
  return mode === "research" || mode === "analyze" || mode === "execute";
}

/** The workspace that a task may write to; `null` where it only reads. */
function openScope(
  { run, facts, covers, onConflict }: TaskContext,
  task: Task,
  conflicts: TaskConflict[],
): ScopedWorkspace | null {
  const { workspace } = run.context;
  if (onlyReads(task) || !workspace) return null;
  const resolving = resolveConflicts(workspace, { task, onConflict, conflicts, facts });
  return new ScopedWorkspace(resolving, writeScopeOf(run, task, { facts, covers }));
}

function createTools(run: ModelRun, task: Task, scoped: ScopedWorkspace | null): AgentTools {
  const { workspace: _, ...rest } = run.context;
  const who = { ...writerOf(run), task: task.id };
  const context = { ...rest, ...who, profile: "files", mode: task.mode } as const;
  return new AgentTools(scoped ? { ...context, workspace: scoped.workspace } : context, run.redact);
}

/** The summary and the findings of an answer. Only tasks that read answer with a report. */
function readReport(
  task: Task,
  answered: Outcome<ModelAnswer>,
  summary: string,
): Pick<TaskResult, "summary" | "findings"> {
  if (summary !== "" || !answered.ok) return { summary, findings: [] };
  const { text } = answered.value;
  const report = onlyReads(task) ? parseAnswer(text, reportSchema) : null;
  if (!report?.ok) return { summary: text.trim(), findings: [] };
  return { summary: report.value.summary, findings: report.value.findings.map(tidyFinding) };
}

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
    ...defined({ path: path || undefined, line: line || undefined, suggestion: suggestion || undefined }),
  };
}

function whyFailed(
  { conflicts, objections }: Pick<TaskResult, "conflicts" | "objections">,
  { stopReason }: ModelAnswer,
): string | null {
  const open = conflicts.filter(({ decision }) => decision !== "force");
  if (open.length > 0) {
    const paths = open.map(({ path }) => path);
    return goalText.conflict(
      paths,
      open.some(({ decision }) => decision === "manual"),
    );
  }
  return leftForPerson(objections) ?? whyUnfinished(stopReason) ?? whyCut(stopReason);
}

/** What a task that had to write and did not was refused last, and said last; `null` where it wrote. */
function whyNoChange(
  { task, entries, summary }: Pick<TaskResult, "task" | "entries" | "summary">,
  agentTools: AgentTools,
  redact: Redact,
): string | null {
  const mustWrite = task.mode === "modify" || task.mode === "generate";
  if (!mustWrite || entries.length > 0) return null;
  const refused = agentTools.results().findLast(({ success }) => !success);
  const why = shorten(redact(refused?.error ?? ""));
  const words = shorten(redact(summary));
  return goalText.noChange([
    ...(refused && why !== "" ? [goalText.callRefused(refused.tool, why)] : []),
    ...(words === "" ? [] : [goalText.lastWords(words)]),
  ]);
}

const longestWords = 300;

/** The beginning of a text, on one line. */
function shorten(text: string): string {
  const line = oneLine(text).replace(/\s+/g, " ").trim();
  return line.length > longestWords ? `${line.slice(0, longestWords)}…` : line;
}

type ConflictOptions = Pick<TaskContext, "onConflict" | "facts"> & {
  readonly task: Task;
  readonly conflicts: TaskConflict[];
};

/** Asks a person about each conflict. Only the answer "force" lets an edit overwrite another task's lines. */
function resolveConflicts(
  workspace: Workspace,
  { task, onConflict, conflicts, facts }: ConflictOptions,
): Workspace {
  return {
    ...workspace,
    commit: async (plan, options) => {
      let committed = await workspace.commit(plan, options);
      if (!committed.ok && committed.refusal.code === "conflict") {
        const { refusal } = committed;
        const path = refusal.path ?? plan.changes[0]?.path ?? "";
        const decision = await onConflict({
          task: task.id,
          path,
          refusal,
          attempted: attemptedEdit(plan, path),
        });
        conflicts.push({ path, refusal, decision });
        if (decision === "force") committed = await workspace.commit(plan, { ...options, force: true });
      }
      if (committed.ok) for (const { path, after } of plan.changes) facts.learn({ path, text: after ?? "" });
      return committed;
    },
  };
}

function attemptedEdit({ changes }: Plan, path: string): string {
  const change = changes.find((one) => one.path === path) ?? changes[0];
  return change ? printPageDiff(change.path, change.before.text ?? "", change.after ?? "") : "";
}

const codeLimits: SizeLimits = { share: 0.6, lines: 150, newPage: 200_000 };

/** A task may write its targets. A task that creates files and names no target may create the files that the goal covers. */
function writeScopeOf(
  run: ModelRun,
  task: Task,
  { facts, covers }: Pick<TaskContext, "facts" | "covers">,
): WriteScope {
  const targets = new Set(task.targets);
  return {
    mayWrite: (path) => targets.has(path) || (task.mode === "generate" && targets.size === 0 && covers(path)),
    judge: (change) => judgeChange(change, facts, run.secrets),
  };
}

async function judgeChange(
  { path, before, after }: Change,
  facts: GrowingFacts,
  secrets: readonly string[],
): Promise<GateVerdict> {
  if (after === null) return merge([{ objections: [{ gate: "place", path, detail: goalText.noDelete }] }]);
  const draft = { path, before: before.text, after, reasons: [] };
  if (isDocumentPath(path)) return checkDraft(draft, { facts, secrets, commits: [] });
  return merge([
    checkSafety(draft, secrets),
    checkSize(draft, codeLimits),
    await checkParses(path, before.text, after),
  ]);
}

/** A file that parsed before must parse after, and a new file must parse. */
async function checkParses(
  path: string,
  before: string | null,
  after: string,
): Promise<Partial<GateVerdict>> {
  const parses = await stillParses(path, before ?? "", after);
  if (parses.ok || parses.refusal.code !== "unparsable") return {};
  const { line, detail } = parses.refusal;
  return { objections: [{ gate: "fences", path, detail: goalText.unparsable(path, line, detail) }] };
}
