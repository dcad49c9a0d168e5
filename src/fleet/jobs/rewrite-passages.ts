import { fixWithModel } from "../../agents/fix/fix-with-model.ts";
import { openAgentRun } from "../../agents/run/open-agent-run.ts";
import type { CheckReport } from "../../docs/check/report.ts";
import { findOpen } from "../../docs/fix/choose.ts";
import { fixFindings } from "../../docs/fix/fix.ts";
import { isDocumentPath } from "../../drift/pages/policies.ts";
import { gating } from "../../wording/findings.ts";
import { createMemoryDisk } from "../../workspace/files/memory-files.ts";
import type { Git } from "../../workspace/git/git.ts";
import { patchOfChanges } from "../publish/patches.ts";
import type { Environment } from "../publish/sinks.ts";
import { reserve, type Spending, settle } from "../store/budgets.ts";
import { explain } from "./explain.ts";
import type { Shop } from "./job-run.ts";

/** The model that words what no rule can, and the most that one job may spend on it. */
export type Wording = { readonly model: string; readonly maxUsd: number; readonly environment: Environment };

/** `patch` holds the edits of rules and model together. */
export type Worded = {
  readonly patch: string;
  readonly fixed: ReadonlySet<string>;
  readonly spent: Spending;
  readonly model: string;
};

/**
 * Rules first, then a model for what they leave, on the files of a commit in memory. The worst case is set aside from
 * the organisation's day before the model is asked; a text says why it was not.
 */
export async function wordPassages(
  { ask, tiers }: Shop,
  { model, maxUsd, environment }: Wording,
  organisation: string,
  git: Git,
  report: CheckReport,
  signal: AbortSignal,
): Promise<Worded | string> {
  const worst: Spending = { tokens: 0, costUsd: maxUsd };
  if (!(await reserve(ask, organisation, worst))) return "the budget of the day leaves no room for a model";
  let spent: Spending = { tokens: 0, costUsd: 0 };
  const opened = await openAgentRun({
    root: "/",
    environment,
    model,
    maxCostUsd: maxUsd,
    files: (await layOut(git, report.head)).process(),
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
    const rest = await fixWithModel({ ...run, models }, { findings: open, byRule: ruled.value, report });
    const { inputTokens, outputTokens, costUsd } = run.budget.total();
    spent = { tokens: inputTokens + outputTokens, costUsd: costUsd ?? maxUsd };
    if (!rest.ok) return explain(rest.refusal);
    const { passages, patches } = rest.value;
    for (const { finding, edits, error } of passages)
      if (edits.length > 0 && error === undefined) done.add(finding);
    const byRule = (ruled.value.applied?.plan.changes ?? []).filter(({ path }) => !patches.has(path));
    return {
      patch: patchOfChanges(byRule) + [...patches.values()].join(""),
      fixed: done,
      spent,
      model: rest.value.model,
    };
  } finally {
    await settle(ask, organisation, worst, spent);
    if (opened.ok) await opened.value.close();
  }
}

const largestFile = 1 << 20;

/** The files of a commit, for those who ask what its code knows. */
async function layOut(git: Git, head: string) {
  const disk = createMemoryDisk();
  const files = await git.tree(head);
  const blobs = await git.blobs(files.map(({ id }) => id));
  for (const { path, id } of files) {
    const bytes = blobs.get(id);
    if (bytes && bytes.length <= largestFile) disk.put(path, bytes);
  }
  return disk;
}
