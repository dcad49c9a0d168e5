import type { CheckReport, ReportedFinding } from "../docs/check/report.ts";
import { decode } from "../text/model/encoding.ts";
import { contentEnd, indexLines } from "../text/model/lines.ts";
import type { Git } from "../workspace/git/git.ts";

/** The present lines of a finding; null if the page cannot be read. */
export type PassageText = (finding: ReportedFinding) => string | null;

const longest = 600;

/** Reads the pages of the findings that have no edit, as they are at the head. `git` is the repository of the pages. */
export async function readPassages(git: Git, { head, docs, findings }: CheckReport): Promise<PassageText> {
  const wanted = new Set(findings.filter(({ edits }) => edits.length === 0).map(({ path }) => path));
  const files = (await git.tree(docs?.head ?? head)).filter(({ path }) => wanted.has(path));
  const blobs = await git.blobs(files.map(({ id }) => id));
  const ids = new Map(files.map(({ path, id }) => [path, id]));
  return ({ path, startLine, endLine }) => {
    const bytes = blobs.get(ids.get(path) ?? "");
    const page = bytes && decode(bytes);
    return page?.ok ? linesOf(page.value.text, startLine, endLine) : null;
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
