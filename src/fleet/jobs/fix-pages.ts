import type { CheckReport, ReportedFinding } from "../../docs/check/report.ts";
import { fixCommit } from "../../docs/fix/fix-commit.ts";
import { gating } from "../../wording/findings.ts";
import type { Git } from "../../workspace/git/git.ts";
import { patchOfChanges } from "../publish/patches.ts";
import type { Spending } from "../store/budgets.ts";
import { acquireLeases } from "../store/leases.ts";
import { explain } from "./explain.ts";
import { type Done, Hopeless, nothing, type Shop, type Work } from "./job-run.ts";

/** What a fix leaves for publishing: the report and a patch. Nothing else crosses. */
export type FixRecord = {
  readonly report: CheckReport;
  readonly patch: string;
  /** The findings that the patch mends, where a model worded some of it: that cannot be derived again. */
  readonly worded?: { readonly model: string; readonly fixed: readonly string[] };
};

const leaseSeconds = 120;

/** Makes the edits of a check in memory, on lines that nobody else holds. The lines are given back with the job. */
export async function fixPages(shop: Shop, { job, held, run, before, signal }: Work): Promise<Done> {
  const report = before as CheckReport | null;
  if (report === null) throw new Hopeless("the findings of the check are no longer kept");
  const commit = report.head;
  const wanted = { commit, request: job.request };
  const { git } = await shop.span("fetch", {}, () => shop.mirrors.fetch(held, wanted, signal));
  const free = await leaveOthers(shop, held.id, run, report);
  const mended = await shop.span("fix", {}, () => mend(shop, held.organisation, git, free, signal));
  const { fixed, patch, worded, spent, detail } = mended;
  const record: FixRecord = { report: free, patch, ...(worded === undefined ? {} : { worded }) };
  const isOver = report.findings.length === 0;
  return {
    run: {
      ...nothing,
      base: report.base,
      commit,
      state: "done",
      findings: report.findings.length,
      fixed: fixed.size,
      unknown: report.unknown.length,
      reasons: report.findings.map((finding) => ({ ...finding, fixed: fixed.has(finding.id) })),
      record,
      ...spent,
      ...(detail === undefined ? {} : { detail }),
    },
    standing: {},
    ...(patch === "" && !isOver ? {} : { next: { ...job, kind: "publish", commit, after: run } }),
  };
}

type FixedByRule = {
  readonly patch: string;
  readonly fixed: ReadonlySet<string>;
  readonly worded?: { readonly model: string; readonly fixed: readonly string[] };
  readonly spent?: Spending;
  readonly detail?: string;
};

/** By rule; what rules leave by a model, where there is one and the day's budget has room for it. */
async function mend(
  shop: Shop,
  organisation: string,
  git: Git,
  report: CheckReport,
  signal: AbortSignal,
): Promise<FixedByRule> {
  const ruled = await fixCommit(git, report, shop.tiers);
  if (!ruled.ok) throw new Hopeless(explain(ruled.refusal));
  const byRule = {
    patch: patchOfChanges(ruled.value.pages.map(({ change }) => change)),
    fixed: new Set(ruled.value.fixed.map(({ id }) => id)),
  };
  const left = gating({ ...report, findings: ruled.value.left });
  if (shop.wording === undefined || left.length === 0) return byRule;
  const { wordPassages } = await import("./rewrite-passages.ts");
  const worded = await wordPassages(shop, shop.wording, organisation, git, report, signal);
  if (typeof worded === "string") return { ...byRule, detail: worded };
  const { patch, fixed, spent, model } = worded;
  return { patch, fixed, spent, worded: { model, fixed: [...fixed] } };
}

/** Passages that another task is editing keep their finding and lose their edit. */
async function leaveOthers(
  { ask, tiers }: Shop,
  repository: number,
  holder: string,
  report: CheckReport,
): Promise<CheckReport> {
  const isWanted = ({ tier, edits }: ReportedFinding): boolean => edits.length > 0 && tiers.includes(tier);
  const spans = joinSpans(report.findings.filter(isWanted));
  const had = await acquireLeases(
    ask,
    spans.map((span) => ({ ...span, repository, holder, seconds: leaseSeconds })),
  );
  if (had.length === spans.length) return report;
  const isFree = ({ path, startLine }: ReportedFinding): boolean =>
    had.some((lease) => lease.path === path && lease.startLine <= startLine && startLine <= lease.endLine);
  return {
    ...report,
    findings: report.findings.map((one) => (isWanted(one) && !isFree(one) ? { ...one, edits: [] } : one)),
  };
}

type Span = {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly reason: string;
};

/** Findings that share lines are one span: a holder does not stand in its own way. */
function joinSpans(findings: readonly ReportedFinding[]): Span[] {
  const sorted = [...findings].sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine,
  );
  const spans: Span[] = [];
  for (const { path, startLine, endLine, message } of sorted) {
    const last = spans.at(-1);
    if (last?.path === path && startLine <= last.endLine)
      spans[spans.length - 1] = { ...last, endLine: Math.max(last.endLine, endLine) };
    else spans.push({ path, startLine, endLine: Math.max(startLine, endLine), reason: message });
  }
  return spans;
}
