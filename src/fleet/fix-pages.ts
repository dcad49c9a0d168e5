import { mendPages } from "../forge/ci/mended.ts";
import { printDiff } from "../text/diff.ts";
import type { CheckReport, ReportedFinding } from "../tools/check.ts";
import { acquireLeases } from "./leases.ts";
import { explain } from "./words.ts";
import { type Done, Hopeless, nothing, type Shop, type Work } from "./work.ts";

/** What a fix leaves for publishing: the report and a patch. Nothing else crosses. */
export type FixRecord = { readonly report: CheckReport; readonly patch: string };

const leaseSeconds = 120;

/** Makes the edits of a check in memory, on lines that nobody else holds. The lines are given back with the job. */
export async function fixPages(shop: Shop, { job, held, run, before, signal }: Work): Promise<Done> {
  const report = before as CheckReport | null;
  if (report === null) throw new Hopeless("the findings of the check are no longer kept");
  const commit = report.head;
  const { git } = await shop.mirrors.fetch(held, { commit, request: job.request }, signal);
  const free = await leaveOthers(shop, held.id, run, report);
  const mended = await mendPages(git, free, shop.tiers);
  if (!mended.ok) throw new Hopeless(explain(mended.refusal));
  const { fixed, pages } = mended.value;
  const done = new Set(fixed.map(({ id }) => id));
  const patch = pages.map(({ change }) => printDiff({ ...change, before: change.before.text })).join("");
  const record: FixRecord = { report: free, patch };
  const isOver = report.findings.length === 0;
  return {
    run: {
      ...nothing,
      base: report.base,
      commit,
      state: "done",
      findings: report.findings.length,
      fixed: fixed.length,
      unknown: report.unknown.length,
      reasons: report.findings.map((finding) => ({ ...finding, fixed: done.has(finding.id) })),
      record,
    },
    standing: {},
    ...(patch === "" && !isOver ? {} : { next: { ...job, kind: "publish", commit, after: run } }),
  };
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
