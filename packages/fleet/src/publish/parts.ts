import { createHash } from "node:crypto";
import type { CheckReport, ReportedFinding } from "suture/tools";
import type { ResolvedSettings } from "../settings/resolve.ts";

/** The edits of one pull request. */
export type Part = {
  /** Empty for all edits of the repository. */
  readonly key: string;
  readonly report: CheckReport;
};

/** Divides the edits of a report as the settings group them. */
export function divide(report: CheckReport, grouping: ResolvedSettings["grouping"]): Part[] {
  if (grouping === "repository") return [{ key: "", report }];
  const groups = Map.groupBy(
    report.findings.filter(({ edits }) => edits.length > 0),
    grouping === "page" ? ({ path }) => path : causeOf,
  );
  return [...groups].map(([name, own]) => ({ key: keyOf(name), report: keepEdits(report, new Set(own)) }));
}

/** The same report with the edits of some findings only. */
export function keepEdits(report: CheckReport, kept: ReadonlySet<ReportedFinding>): CheckReport {
  const findings = report.findings.map((one) => (kept.has(one) ? one : { ...one, edits: [] }));
  return { ...report, findings };
}

/** What findings of one cause have in common. */
export function causeOf({ cause, kind }: Pick<ReportedFinding, "cause" | "kind">): string {
  return cause ?? kind;
}

const longestKey = 40;

/** A name that a branch can end with: readable, and different for different groups. */
function keyOf(name: string): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, longestKey);
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return readable === "" ? digest : `${readable}-${digest}`;
}
