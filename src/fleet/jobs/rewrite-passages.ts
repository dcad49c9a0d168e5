import { fixWithModel } from "../../agents/fix/fix-with-model.ts";
import { openAgentRun } from "../../agents/run/open-agent-run.ts";
import { GitRepository } from "../../agents/run/repository.ts";
import { findOpen } from "../../docs/fix/choose.ts";
import { fixFindings } from "../../docs/fix/fix.ts";
import { isDocumentPath } from "../../drift/pages/policies.ts";
import type { Environment } from "../../hosts/host.ts";
import { gating } from "../../wording/findings.ts";
import { createMemoryDisk } from "../../workspace/files/memory-files.ts";
import type { Git } from "../../workspace/git/git.ts";
import { patchOfChanges } from "../publish/patches.ts";
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
  { model, maxUsd, environment }: RewriteOptions,
  { organisation, git, report, signal }: FixInput,
): Promise<RewriteResult | string> {
  const worst: Spending = { tokens: 0, costUsd: maxUsd };
  if (!(await reserveBudget(query, organisation, worst)))
    return "the budget of the day leaves no room for a model";
  let spent: Spending = { tokens: 0, costUsd: 0 };
  const opened = await openAgentRun({
    root: "/",
    environment,
    model,
    maxCostUsd: maxUsd,
    files: (await loadCommit(git, report.head)).process(),
    policy: { writable: isDocumentPath },
    report: () => {},
    signal,
  });
  try {
    if (!opened.ok) return explain(opened.refusal);
    const { run } = opened.value;
    const { models } = run;
    if (models === null) return "no model is set up";
    const ruled = await fixFindings(run.context, report, {
      tiers,
      run: run.id,
      time: new Date().toISOString(),
    });
    if (!ruled.ok) return explain(ruled.refusal);
    const done = new Set(ruled.value.fixed.map(({ id }) => id));
    const open = findOpen({ ...report, findings: gating(report) }, ruled.value.fixed);
    const { reader } = run.context;
    const repository = new GitRepository(git, { root: git.top, reader });
    const task = { findings: open, byRule: ruled.value, report };
    const rest = await fixWithModel({ ...run, models, repository }, task);
    const { inputTokens, outputTokens, costUsd } = run.budget.total();
    spent = { tokens: inputTokens + outputTokens, costUsd: costUsd ?? maxUsd };
    if (!rest.ok) return explain(rest.refusal);
    const { passages, patches } = rest.value;
    for (const { finding, edits, settled, error } of passages)
      if ((edits.length > 0 || settled) && error === undefined) done.add(finding);
    const byRule = (ruled.value.applied?.plan.changes ?? []).filter(({ path }) => !patches.has(path));
    return {
      patch: patchOfChanges(byRule) + [...patches.values()].join(""),
      fixed: done,
      spent,
      model: rest.value.model,
    };
  } finally {
    await settleBudget(query, organisation, worst, spent);
    if (opened.ok) await opened.value.close();
  }
}

const largestFile = 1 << 20;

/** Loads the files of a commit into memory, so that the model can search them. */
async function loadCommit(git: Git, head: string) {
  const disk = createMemoryDisk();
  const files = await git.tree(head);
  const blobs = await git.blobs(files.map(({ id }) => id));
  for (const { path, id } of files) {
    const bytes = blobs.get(id);
    if (bytes && bytes.length <= largestFile) disk.put(path, bytes);
  }
  return disk;
}
