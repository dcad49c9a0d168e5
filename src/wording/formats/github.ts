import type { CheckReport } from "../../docs/check/report.ts";
import { visible } from "../quoted.ts";

/** Workflow commands that put each finding beside its line. */
export function printAnnotations(report: CheckReport): string {
  const commands = report.findings.map(({ path, startLine, endLine, tier, kind, message }) => {
    const level = tier === "certain" ? "error" : tier === "likely" ? "warning" : "notice";
    return `::${level} file=${property(path)},line=${startLine},endLine=${endLine},title=${property(`suture ${kind}`)}::${data(message)}\n`;
  });
  return commands.join("");
}

function data(text: string): string {
  return visible(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
