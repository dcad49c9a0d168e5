import type { CheckReport, ReportedFinding } from "../../docs/check/report.ts";
import { gating, summaryOf } from "../findings.ts";

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
