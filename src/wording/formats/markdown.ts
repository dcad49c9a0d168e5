import type { CheckReport } from "../../docs/check/report.ts";
import { writePassages } from "../ci.ts";
import { summaryOf } from "../findings.ts";

/** For a pull request: one passage in full, several folded by cause. Texts of the repository cannot act as Markdown. */
export function printMarkdown(report: CheckReport): string {
  return `${[`### Suture: ${summaryOf(report)}`, "", ...writePassages(report)].join("\n").trimEnd()}\n`;
}
