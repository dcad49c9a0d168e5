import { isDocumentPath, type Tier } from "suture/drift";
import {
  type AgentRun,
  type Environment,
  fixWithModel,
  GitRepository,
  gating,
  hasModels,
  type ModelRun,
  mayWritePage,
  type OpenAgentRun,
  openAgentRun,
} from "suture/service";
import type { Outcome } from "suture/text";
import { type CheckReport, fix } from "suture/tools";
import { createMemoryDisk, type Git, type MemoryDisk } from "suture/workspace";
import { reserveBudget, type Spending, settleBudget } from "../store/budgets.ts";
import { explain } from "./explain.ts";
import type { FixInput } from "./fix-pages.ts";
import type { JobDeps } from "./job-run.ts";

/** The model that rewrites passages no rule can fix, and the most that one job may spend on it. */
export type RewriteOptions = {
  readonly model: string;
  readonly maxUsd: number;
  readonly environment: Environment;
};

/** `patch` contains the edits of the rules and of the model. */
export type RewriteResult = {
  readonly patch: string;
  readonly fixed: ReadonlySet<string>;
  readonly spent: Spending;
  readonly model: string;
};

/**
 * Applies the rules, then asks a model about the rest, on the files of a commit in memory. The highest possible cost is
 * reserved from the organisation's daily budget first. A string says why the model was not asked.
 */
export async function rewritePassages(
  { query, tiers }: JobDeps,
  options: RewriteOptions,
  input: FixInput,
): Promise<RewriteResult | string> {
  const { organisation, git, report } = input;
  const { maxUsd } = options;
  const worst: Spending = { tokens: 0, costUsd: maxUsd };
  if (!(await reserveBudget(query, organisation, worst)))
    return "the budget of the day leaves no room for a model";
  let spent: Spending = { tokens: 0, costUsd: 0 };
  try {
    const disk = await loadCommit(git, report.head);
    const opened = await openRun(options, input, disk);
    if (!opened.ok) return explain(opened.refusal);
    await using openedRun = opened.value;
    const { run } = openedRun;
    try {
      if (!hasModels(run)) return "no model is set up";
      return await fixInMemory(git, run, { report: onlyAllowed(input, disk), tiers, maxUsd });
    } finally {
      // A job that is aborted has spent money too.
      spent = spendingOf(run, maxUsd);
    }
  } finally {
    await settleBudget(query, organisation, worst, spent);
  }
}

function openRun(
  { model, maxUsd, environment }: RewriteOptions,
  { signal }: FixInput,
  disk: MemoryDisk,
): Promise<Outcome<OpenAgentRun>> {
  return openAgentRun({
    root: "/",
    environment,
    model,
    maxCostUsd: maxUsd,
    files: disk.process(),
    policy: { writable: isDocumentPath },
    report: () => {},
    signal,
  });
}

type MemoryFix = { readonly report: CheckReport; readonly tiers: readonly Tier[]; readonly maxUsd: number };

/** Fixes by rule and by model, as every caller does. */
async function fixInMemory(
  git: Git,
  run: ModelRun,
  { report, tiers, maxUsd }: MemoryFix,
): Promise<RewriteResult | string> {
  const repository = new GitRepository(git, { root: git.top, reader: run.context.reader });
  // One task for rules and model: their edits of a page are no conflict.
  const context = { ...run.context, task: "fix" };
  const fixed = await fix(context, report, {
    tiers,
    run: run.id,
    time: run.now().toISOString(),
    rewrite: (findings, byRule) =>
      fixWithModel({ ...run, context, repository }, { findings, byRule, report }),
  });
  if (!fixed.ok) return explain(fixed.refusal);
  const { done, patches, rewritten } = fixed.value;
  if (rewritten === null) return "a model may rewrite none of the passages that are left";
  if (!rewritten.ok) return explain(rewritten.refusal);
  return {
    patch: patches.join(""),
    fixed: new Set(done.map(({ id }) => id)),
    spent: spendingOf(run, maxUsd),
    model: rewritten.value.model,
  };
}

/** The gating findings that may be fixed, on pages that a program may write without a person's consent. */
function onlyAllowed({ report, skipped }: FixInput, disk: MemoryDisk): CheckReport {
  const findings = gating(report).filter(({ id, path }) => {
    const page = disk.read(path);
    return !skipped.has(id) && page !== null && mayWritePage(path, page.bytes);
  });
  return { ...report, findings };
}

/** The real cost. If a provider did not report it, the most that the job could spend. */
function spendingOf({ budget }: AgentRun, maxUsd: number): Spending {
  const { inputTokens, outputTokens, costUsd } = budget.total();
  return { tokens: inputTokens + outputTokens, costUsd: costUsd ?? maxUsd };
}

const largestFile = 1 << 20;

/** Loads the files of a commit into memory, so that the model can search them. */
async function loadCommit(git: Git, head: string): Promise<MemoryDisk> {
  const disk = createMemoryDisk();
  const files = await git.tree(head);
  const blobs = await git.blobs(files.map(({ id }) => id));
  for (const { path, id } of files) {
    const bytes = blobs.get(id);
    if (bytes && bytes.length <= largestFile) disk.put(path, bytes);
  }
  return disk;
}
