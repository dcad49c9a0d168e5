import type { CheckReport } from "../../docs/check/report.ts";

/** SARIF 2.1.0, for code scanning. */
export function printSarif(report: CheckReport, version: string): string {
  return `${JSON.stringify(toSarif(report, version), null, 2)}\n`;
}

function toSarif(report: CheckReport, version: string): unknown {
  const kinds = [...new Set(report.findings.map(({ kind }) => kind))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "suture",
            version,
            rules: kinds.map((id) => ({
              id,
              shortDescription: { text: `documentation drift: ${id}` },
              ...formerRules(report, id),
            })),
          },
        },
        results: report.findings.map((finding) => ({
          ruleId: finding.kind,
          ruleIndex: kinds.indexOf(finding.kind),
          level: finding.tier === "certain" ? "error" : finding.tier === "likely" ? "warning" : "note",
          message: { text: finding.message },
          locations: [location(finding.path, finding.startLine, finding.endLine)],
          relatedLocations: finding.evidence.map((one, id) => ({
            id,
            ...location(one.path, one.startLine, one.endLine),
          })),
          partialFingerprints: { sutureFinding: finding.id },
        })),
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: report.unknown.map(({ path, why }) => ({
              level: "warning",
              message: { text: `${path}: ${why}` },
            })),
          },
        ],
      },
    ],
  };
}

/** The rules of earlier versions whose findings are of this kind now. */
function formerRules(
  { findings }: CheckReport,
  kind: string,
): { readonly deprecatedIds?: readonly string[] } {
  const former = findings.flatMap(({ kind: own, rule }) =>
    own === kind && rule && rule !== kind ? [rule] : [],
  );
  return former.length === 0 ? {} : { deprecatedIds: [...new Set(former)].sort() };
}

function location(path: string, startLine: number, endLine: number) {
  const uri = path.split("/").map(encodeURIComponent).join("/");
  return {
    physicalLocation: {
      artifactLocation: { uri },
      region: { startLine, endLine: Math.max(startLine, endLine) },
    },
  };
}
