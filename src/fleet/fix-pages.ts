import { mendPages } from "../forge/ci/mended.ts";
import { printDiff } from "../text/diff.ts";
import type { CheckReport } from "../tools/check.ts";
import { acquireLease, type Lease, releaseLeases } from "./leases.ts";
import { readRecord } from "./runs.ts";
import { explain } from "./words.ts";
import { type Done, Hopeless, nothing, type Shop, type Work } from "./work.ts";

/** What a fix leaves for publishing: the report and a patch. Nothing else crosses. */
export type FixRecord = { readonly report: CheckReport; readonly patch: string };

const leaseSeconds = 120;

/** Makes the edits of a check in memory, on lines that nobody else holds. */
export async function fixPages(shop: Shop, { job, held, run, signal }: Work): Promise<Done> {
  const report = (await readRecord(shop.ask, job.after ?? "")) as CheckReport | null;
  if (report === null) throw new Hopeless("the findings of the check are no longer kept");
  const commit = report.head;
  const { git } = await shop.mirrors.fetch(held, { commit, request: job.request }, signal);
  const leases: Lease[] = [];
  try {
    const free = await leaveOthers(shop, held.id, run, report, leases);
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
  } finally {
    await releaseLeases(
      shop.ask,
      leases.map(({ fence }) => fence),
    );
  }
}

/** Passages that another task is editing keep their finding and lose their edit. */
async function leaveOthers(
  shop: Shop,
  repository: number,
  holder: string,
  report: CheckReport,
  leases: Lease[],
): Promise<CheckReport> {
  const findings = [];
  for (const finding of report.findings) {
    const { path, startLine, endLine, edits, message, tier } = finding;
    if (
      edits.length === 0 ||
      !shop.tiers.includes(tier) ||
      leases.some((own) => own.path === path && own.startLine <= endLine && startLine <= own.endLine)
    ) {
      findings.push(finding);
      continue;
    }
    const lease = await acquireLease(shop.ask, {
      repository,
      path,
      startLine,
      endLine: Math.max(startLine, endLine),
      holder,
      reason: message,
      seconds: leaseSeconds,
    });
    if (lease.ok) leases.push(lease.value);
    findings.push(lease.ok ? finding : { ...finding, edits: [] });
  }
  return { ...report, findings };
}
