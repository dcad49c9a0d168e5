import type { CheckReport, ReportedFinding } from "../docs/check.ts";
import { plural } from "./report.ts";

/** Findings that make a check fail: those a rule is sure of or thinks likely. */
export function gating(report: CheckReport): ReportedFinding[] {
  return report.findings.filter(({ tier }) => tier !== "possible");
}

/** A report in one line. */
export function summaryOf(report: CheckReport): string {
  const count = gating(report).length;
  const possible = report.findings.length - count;
  const parts = [
    count === 0 ? "no drift found" : `${plural(count, "passage")} no longer true`,
    ...(possible === 0 ? [] : [`${possible} to look at`]),
    ...(report.unknown.length === 0
      ? []
      : [`${plural(report.unknown.length, "file")} could not be looked at`]),
  ];
  return parts.join(", ");
}

/** For a pull request: short first, the rest folded. */
export function printMarkdown(report: CheckReport): string {
  const found = gating(report);
  const lines = [`### Suture: ${summaryOf(report)}`, ""];
  for (const finding of found) {
    lines.push(`- **${finding.path}:${finding.startLine}** ${finding.message}`);
    if (finding.edits.length > 0) lines.push("", ...fold("the edit", diffBlock(finding)), "");
  }
  const possible = report.findings.filter(({ tier }) => tier === "possible");
  if (possible.length > 0)
    lines.push(
      "",
      ...fold(
        `${possible.length} to look at`,
        possible.map(({ path, startLine, message }) => `- ${path}:${startLine} ${message}`),
      ),
    );
  if (report.unknown.length > 0)
    lines.push(
      "",
      ...fold(
        "not looked at",
        report.unknown.map(({ path, why }) => `- ${path}: ${why}`),
      ),
    );
  return `${lines.join("\n")}\n`;
}

function fold(title: string, lines: readonly string[]): string[] {
  return [
    `  <details><summary>${title}</summary>`,
    "",
    ...lines.map((line) => (line === "" ? "" : `  ${line}`)),
    "",
    "  </details>",
  ];
}

function diffBlock({ edits }: ReportedFinding): string[] {
  const body = edits.flatMap(({ old_string, new_string }) => [
    ...old_string.split("\n").map((line) => `-${line}`),
    ...(new_string === "" ? [] : new_string.split("\n").map((line) => `+${line}`)),
  ]);
  let fence = "```";
  while (body.some((line) => line.includes(fence))) fence += "`";
  return [`${fence}diff`, ...body, fence];
}

/** Workflow commands that put each finding beside its line. */
export function printAnnotations(report: CheckReport): string {
  const commands = report.findings.map(({ path, startLine, endLine, tier, kind, message }) => {
    const level = tier === "certain" ? "error" : tier === "likely" ? "warning" : "notice";
    return `::${level} file=${property(path)},line=${startLine},endLine=${endLine},title=${property(`suture ${kind}`)}::${data(message)}\n`;
  });
  return commands.join("");
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** SARIF 2.1.0, for code scanning. */
export function toSarif(report: CheckReport, version: string): unknown {
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
            rules: kinds.map((id) => ({ id, shortDescription: { text: `documentation drift: ${id}` } })),
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

function location(path: string, startLine: number, endLine: number) {
  const uri = path.split("/").map(encodeURIComponent).join("/");
  return {
    physicalLocation: {
      artifactLocation: { uri },
      region: { startLine, endLine: Math.max(startLine, endLine) },
    },
  };
}
