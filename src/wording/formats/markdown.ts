import type { CheckReport } from "../../docs/check/report.ts";
import { writePassages } from "../ci.ts";
import { claimsText, summaryOf } from "../findings.ts";

/** For a pull request: one passage in full, several folded by cause. Texts of the repository cannot act as Markdown. */
export function printMarkdown(report: CheckReport): string {
  const asked = claimsText(report);
  return `${[`### Suture: ${summaryOf(report)}`, "", ...(asked === null ? [] : [asked, ""]), ...writePassages(report)].join("\n").trimEnd()}\n`;
}
