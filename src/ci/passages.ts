import { readPageTexts } from "../docs/check/page-texts.ts";
import type { CheckReport, ReportedFinding } from "../docs/check/report.ts";
import { contentEnd, indexLines } from "../text/model/lines.ts";
import type { Git } from "../workspace/git/git.ts";

/** The present lines of a finding; null if the page cannot be read. */
export type PassageText = (finding: ReportedFinding) => string | null;

const longest = 600;

/** Reads the pages of the findings that have no edit, as they are at the head. `git` is the repository of the pages. */
export async function readPassages(git: Git, report: CheckReport): Promise<PassageText> {
  const findings = report.findings.filter(({ edits }) => edits.length === 0);
  const texts = await readPageTexts({ git, reader: null }, { ...report, findings });
  return ({ path, startLine, endLine }) => {
    const page = texts(path);
    return page === null ? null : linesOf(page, startLine, endLine);
  };
}

/** Lines of a page, counted from 1, cut where they are long. */
function linesOf(text: string, startLine: number, endLine: number): string {
  const lines = indexLines(text);
  const [first, last] = [startLine - 1, Math.min(endLine, lines.starts.length) - 1];
  if (first >= lines.starts.length) return "";
  const quoted = text.slice(lines.starts[first], contentEnd(lines, Math.max(first, last)));
  return quoted.length > longest ? `${quoted.slice(0, longest).toWellFormed()}…` : quoted;
}
