import type { Tier } from "../drift/findings.ts";
import type { Edit } from "../text/edit.ts";
import { accept, type Outcome } from "../text/outcome.ts";
import { type Applied, applyEdits } from "./apply-edits.ts";
import { type AuditArticle, type AuditRecord, patchOf, writeAudit } from "./audit.ts";
import type { CheckReport, ReportedFinding } from "./check.ts";
import type { Context } from "./tool.ts";

export type FixOptions = {
  /** Tiers whose edits are made. */
  readonly tiers: readonly Tier[];
  readonly dryRun?: boolean;
  readonly run: string;
  readonly time: string;
};

/** What `fix` did: the findings whose edits were made, those left, and the record of the run. */
export type Fixed = {
  readonly fixed: readonly ReportedFinding[];
  readonly left: readonly ReportedFinding[];
  readonly applied?: Applied;
  readonly record?: AuditRecord;
};

/** Makes the edits of the chosen findings, all of them in one transaction, and leaves a record of the run. */
export async function fixFindings(
  context: Context,
  report: CheckReport,
  options: FixOptions,
): Promise<Outcome<Fixed>> {
  const isChosen = ({ tier, edits }: ReportedFinding): boolean =>
    options.tiers.includes(tier) && edits.length > 0;
  const fixed = report.findings.filter(isChosen);
  const left = report.findings.filter((finding) => !isChosen(finding));
  if (fixed.length === 0) return accept({ fixed, left });
  const applied = await applyEdits({ ...context, run: options.run }, fixed.flatMap(toEdits), {
    reason: `keep the documents true to ${report.head === "worktree" ? "the work tree" : report.head}`,
    dry_run: options.dryRun,
  });
  if (!applied.ok) return applied;
  if (!applied.value.entry || !context.workspace) return accept({ fixed, left, applied: applied.value });
  const record = recordOf(report, fixed, left, applied.value, options);
  const written = await writeAudit(context.workspace, record);
  if (!written.ok) return written;
  return accept({ fixed, left, applied: applied.value, record });
}

function toEdits(finding: ReportedFinding): Edit[] {
  return finding.edits.map(({ path, old_string, new_string, reason }) => ({
    path,
    target: { quote: old_string },
    text: new_string,
    reason,
    evidence: finding.evidence,
  }));
}

function recordOf(
  report: CheckReport,
  fixed: readonly ReportedFinding[],
  left: readonly ReportedFinding[],
  applied: Applied,
  options: FixOptions,
): AuditRecord {
  const paths = [...new Set([...fixed, ...left].map(({ path }) => path))].sort();
  return {
    version: 1,
    id: options.run,
    timestamp: options.time,
    source: "fix",
    trigger: {
      base: report.base,
      head: report.head,
      commits: [],
      changedFiles: [
        ...new Set(report.findings.flatMap(({ evidence }) => evidence.map(({ path }) => path))),
      ].sort(),
    },
    model: null,
    usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    toolCalls: { edit_article: fixed.reduce((sum, { edits }) => sum + edits.length, 0), write_file: 0 },
    articles: paths.map((path) => articleOf(path, fixed, left, applied)),
  };
}

function articleOf(
  path: string,
  fixed: readonly ReportedFinding[],
  left: readonly ReportedFinding[],
  applied: Applied,
): AuditArticle {
  const here = fixed.filter((finding) => finding.path === path);
  const open = left.filter((finding) => finding.path === path);
  const change = applied.plan.changes.find((one) => one.path === path);
  const evidence = [...here, ...open].flatMap((finding) => finding.evidence);
  const reasoning =
    open.length === 0
      ? {}
      : { reasoning: `Left for a person: ${open.map(({ message }) => message).join(" ")}` };
  if (!change) return { jrn: null, path, status: "unchanged", evidence, ...reasoning };
  const edits = here.flatMap(({ id, edits }) =>
    edits.map(({ old_string, new_string, reason }) => ({ finding: id, old_string, new_string, reason })),
  );
  return {
    jrn: null,
    path,
    status: "updated",
    evidence,
    patch: patchOf(change),
    editReasons: edits.map(({ reason }) => reason),
    edits,
    ...reasoning,
  };
}
