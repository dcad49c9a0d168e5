import { fixCommit, gating } from "suture/service";
import type { CheckReport, ReportedFinding } from "suture/tools";
import type { Git } from "suture/workspace";
import { type ModelEdits, patchOfChanges } from "../publish/patches.ts";
import type { Spending } from "../store/budgets.ts";
import { declinedFindings } from "../store/decisions.ts";
import { acquireLeases } from "../store/leases.ts";
import { listOpenRequests } from "../store/publications.ts";
import type { CheckRecord } from "./check-repository.ts";
import { explain } from "./explain.ts";
import {
  emptyRun,
  fetchCommit,
  type JobDeps,
  type JobResult,
  type JobRun,
  PermanentError,
} from "./job-run.ts";
import { publishableFindings, settingsFor } from "./settings-for.ts";

/** The record that a fix passes to publishing: the report and a patch, and nothing else. */
export type FixRecord = {
  readonly report: CheckReport;
  readonly patch: string;
  /** The findings that the patch fixes, if a model wrote some of it. These edits cannot be derived again. */
  readonly worded?: ModelEdits;
};

const leaseSeconds = 120;

/** Makes the edits of a check in memory, on lines that no other task has leased. The leases end with the job. */
export async function fixPages(deps: JobDeps, jobRun: JobRun): Promise<JobResult> {
  const { job, repository: held, run, previous: before, signal } = jobRun;
  if (before === null) throw new PermanentError("the findings of the check are no longer kept");
  const { standing: _, ...report } = before as CheckRecord;
  const commit = report.head;
  const git = await fetchCommit(deps, jobRun, report);
  const settings = await settingsFor(deps, held, git);
  const declined = await declinedFindings(deps.query, held.id);
  const wanted = dropDeclinedEdits(report, declined);
  const { report: free, leased } = await dropLeasedEdits(deps, held.id, run, wanted);
  const skipped = new Set([...declined, ...leased]);
  const result = await deps.span("fix", {}, () =>
    makeEdits(deps, { organisation: held.organisation, git, report: free, skipped, signal }),
  );
  const { fixed, patch, worded, spent, detail } = result;
  const record: FixRecord = { report: free, patch, ...(worded === undefined ? {} : { worded }) };
  const isOver = patch === "" && (await needsPublishing(deps, jobRun, report));
  const allowed = await publishableFindings(deps, held, settings);
  const isHeld = allowed !== null && patch !== "" && ![...fixed].some((id) => allowed.has(id));
  return {
    run: {
      ...emptyRun,
      base: report.base,
      commit,
      state: isHeld ? "held" : "done",
      findings: report.findings.length,
      fixed: fixed.size,
      unknown: report.unknown.length,
      reasons: report.findings.map((finding) => ({ ...finding, fixed: fixed.has(finding.id) })),
      record,
      ...spent,
      ...(detail === undefined ? {} : { detail }),
    },
    status: job.request === undefined ? { waiting: isHeld ? { run, why: "approval" } : null } : {},
    ...((patch === "" && !isOver) || isHeld ? {} : { next: { ...job, kind: "publish", commit, after: run } }),
  };
}

/** Whether a fix without edits changes what is published: a comment says so, or our pull request is closed. */
async function needsPublishing(
  { query }: JobDeps,
  { job, repository }: JobRun,
  { findings }: CheckReport,
): Promise<boolean> {
  if (findings.length === 0) return true;
  return job.request === undefined && (await listOpenRequests(query, repository)).length > 0;
}

/** What a fix works on. */
export type FixInput = {
  readonly organisation: string;
  readonly git: Git;
  readonly report: CheckReport;
  /** The findings that no model may be asked about: people declined them, or another task is editing their lines. */
  readonly skipped: ReadonlySet<string>;
  readonly signal: AbortSignal;
};

type FixResult = {
  readonly patch: string;
  readonly fixed: ReadonlySet<string>;
  readonly worded?: ModelEdits;
  readonly spent?: Spending;
  readonly detail?: string;
};

/** Fixes by rule, then by a model if there is one and the daily budget allows it. */
async function makeEdits(deps: JobDeps, input: FixInput): Promise<FixResult> {
  const { git, report } = input;
  const byRules = await fixCommit(git, report, deps.tiers);
  if (!byRules.ok) throw new PermanentError(explain(byRules.refusal));
  const byRule = {
    patch: patchOfChanges(byRules.value.pages.map(({ change }) => change)),
    fixed: new Set(byRules.value.fixed.map(({ id }) => id)),
  };
  const left = gating({ ...report, findings: byRules.value.left });
  if (deps.rewrite === undefined || left.length === 0) return byRule;
  const { rewritePassages } = await import("./rewrite-passages.ts");
  const rewritten = await rewritePassages(deps, deps.rewrite, input);
  if (typeof rewritten === "string") return { ...byRule, detail: rewritten };
  const { patch, fixed, spent, model } = rewritten;
  const own = [...fixed].filter((id) => !byRule.fixed.has(id));
  return { patch, fixed, spent, worded: { model, fixed: [...fixed], rewritten: own } };
}

/** Edits that people declined are not proposed again. The finding stays, and counts. */
function dropDeclinedEdits(report: CheckReport, declined: ReadonlySet<string>): CheckReport {
  if (declined.size === 0) return report;
  const findings = report.findings.map((one) => (declined.has(one.id) ? { ...one, edits: [] } : one));
  return { ...report, findings };
}

/** Passages that another task is editing keep their finding and lose their edit. `leased` has their ids. */
async function dropLeasedEdits(
  { query, tiers, rewrite }: JobDeps,
  repository: number,
  holder: string,
  report: CheckReport,
): Promise<{ readonly report: CheckReport; readonly leased: ReadonlySet<string> }> {
  // With a model, passages without an edit by rule may change too.
  const isWanted = ({ tier, edits }: ReportedFinding): boolean =>
    rewrite === undefined ? tiers.includes(tier) && edits.length > 0 : tier !== "possible";
  const spans = joinSpans(report.findings.filter(isWanted));
  const had = await acquireLeases(
    query,
    spans.map((span) => ({ ...span, repository, holder, seconds: leaseSeconds })),
  );
  const isFree = ({ path, startLine }: ReportedFinding): boolean =>
    had.some((lease) => lease.path === path && lease.startLine <= startLine && startLine <= lease.endLine);
  const leased = new Set(report.findings.filter((one) => isWanted(one) && !isFree(one)).map(({ id }) => id));
  const findings = report.findings.map((one) => (leased.has(one.id) ? { ...one, edits: [] } : one));
  return { report: leased.size === 0 ? report : { ...report, findings }, leased };
}

type LineSpan = {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly reason: string;
};

/** Findings that share lines become one span, so that a holder's leases do not conflict with each other. */
function joinSpans(findings: readonly ReportedFinding[]): LineSpan[] {
  const sorted = [...findings].sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine,
  );
  const spans: LineSpan[] = [];
  for (const { path, startLine, endLine, message } of sorted) {
    const last = spans.at(-1);
    if (last?.path === path && startLine <= last.endLine)
      spans[spans.length - 1] = { ...last, endLine: Math.max(last.endLine, endLine) };
    else spans.push({ path, startLine, endLine: Math.max(startLine, endLine), reason: message });
  }
  return spans;
}
