import type { CheckReport, ReportedFinding } from "../../docs/check/report.ts";
import { type ModelRun, saveRecord } from "../run/agent-run.ts";
import type { ArticleRecord } from "../run/audit.ts";
import { buildRecord } from "../run/run-record.ts";
import { openChange } from "./change-source.ts";

/** Saves the verdicts of a check, page by page, and names their run. A check that asked nothing leaves no record. */
export async function recordVerdicts(
  run: ModelRun,
  report: CheckReport,
  command: string,
): Promise<string | null> {
  const { inputTokens, outputTokens } = run.budget.total();
  if (inputTokens + outputTokens === 0) return null;
  const { base, head, findings } = report;
  const { commits } = await openChange(run, report);
  const changedFiles = [
    ...new Set(findings.flatMap(({ evidence }) => evidence.map(({ path }) => path))),
  ].sort();
  const judged = findings.filter(({ judgement }) => judgement !== undefined);
  const articles = [...Map.groupBy(judged, ({ path }) => path)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, here]) => articleOf(path, here));
  const trigger = { base, head, commits, changedFiles };
  await saveRecord(run, buildRecord(run, { source: "check", command, trigger, tools: [] }, articles));
  return articles.length === 0 ? null : run.id;
}

function articleOf(path: string, findings: readonly ReportedFinding[]): ArticleRecord {
  return {
    jrn: null,
    path,
    status: "unchanged",
    evidence: findings.flatMap(({ evidence }) => evidence.map((each) => ({ ...each }))),
    verdicts: findings.flatMap(({ id, judgement }) => (judgement ? [{ finding: id, ...judgement }] : [])),
  };
}
