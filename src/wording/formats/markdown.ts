import type { CheckReport, ReportedFinding } from "../../docs/check/report.ts";
import { gating, summaryOf } from "../findings.ts";
import { block, code, prose, visible } from "../quoted.ts";

/** For a pull request: short first, the rest folded. Names and texts of the repository cannot act as Markdown. */
export function printMarkdown(report: CheckReport): string {
  const found = gating(report);
  const lines = [`### Suture: ${summaryOf(report)}`, ""];
  for (const finding of found) {
    lines.push(`- **${placeOf(finding)}** ${prose(finding.message)}`);
    if (finding.edits.length > 0) lines.push("", ...fold("the edit", diffBlock(finding)), "");
  }
  const possible = report.findings.filter(({ tier }) => tier === "possible");
  if (possible.length > 0)
    lines.push(
      "",
      ...fold(
        `${possible.length} to look at`,
        possible.map((finding) => `- ${placeOf(finding)} ${prose(finding.message)}`),
      ),
    );
  if (report.unknown.length > 0)
    lines.push(
      "",
      ...fold(
        "not looked at",
        report.unknown.map(({ path, why }) => `- ${code(path)}: ${prose(why)}`),
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

function placeOf({ path, startLine }: ReportedFinding): string {
  return code(`${path}:${startLine}`);
}

function diffBlock({ edits }: ReportedFinding): string[] {
  const body = edits.flatMap(({ old_string, new_string }) => [
    ...visible(old_string)
      .split("\n")
      .map((line) => `-${line}`),
    ...(new_string === ""
      ? []
      : visible(new_string)
          .split("\n")
          .map((line) => `+${line}`)),
  ]);
  return block(body.join("\n"), "diff").split("\n");
}
