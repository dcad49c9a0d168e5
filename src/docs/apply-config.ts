import { matcher } from "../text/match/glob.ts";
import type { CheckReport, ReportedFinding } from "./check/report.ts";
import type { Config } from "./config.ts";
import type { ConfigurableRule } from "./rule-names.ts";

/** Whether a document is one that the project wants checked. */
function isWantedDocument({ docs = {} }: Config): (path: string) => boolean {
  const included = docs.include?.map(matcher);
  const excluded = docs.exclude?.map(matcher) ?? [];
  return (path) =>
    (included === undefined || included.some((fits) => fits(path))) && !excluded.some((fits) => fits(path));
}

/** Whether a document describes the present although its path looks like history. */
export function isCurrentDocument({ docs = {} }: Config): (path: string) => boolean {
  const current = docs.current?.map(matcher) ?? [];
  return (path) => current.some((matches) => matches(path));
}

/** Whether a source is evidence: `code.exclude` does not name it. */
export function isProof({ code = {} }: Config): (path: string) => boolean {
  const excluded = code.exclude?.map(matcher) ?? [];
  return (path) => !excluded.some((fits) => fits(path));
}

/** Filters a report by the configuration: unwanted pages, dismissed findings, and the highest tier of each rule. */
export function narrowReport(report: CheckReport, config: Config): CheckReport {
  const isWanted = isWantedDocument(config);
  const dismissed = new Set(config.dismissed?.map(({ id }) => id));
  const highest = new Map(Object.entries(config.rules ?? {}) as [string, Highest][]);
  const findings = report.findings.flatMap((finding) => {
    if (!isWanted(finding.path) || idsOf(finding).some((id) => dismissed.has(id))) return [];
    return toneDown(finding, highest.get(finding.rule ?? finding.kind) ?? highest.get(finding.kind));
  });
  return { ...report, findings, unknown: report.unknown.filter(({ path }) => isWanted(path)) };
}

/** The id of a finding, and those that earlier versions gave it. */
export function idsOf({ id, formerIds = [] }: Pick<ReportedFinding, "id" | "formerIds">): readonly string[] {
  return [id, ...formerIds];
}

type Highest = NonNullable<NonNullable<Config["rules"]>[ConfigurableRule]>;

const order = ["certain", "likely", "possible"] as const;

function toneDown(finding: ReportedFinding, highest: Highest | undefined): ReportedFinding[] {
  if (highest === "off") return [];
  if (highest === undefined || order.indexOf(highest) <= order.indexOf(finding.tier)) return [finding];
  return [{ ...finding, tier: highest }];
}
