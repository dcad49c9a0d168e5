import type { AskedFinding } from "./ask.ts";
import type { Predicted } from "./score-cases.ts";

/** A finding with its lines as they would stand after its edits. */
export function predict(finding: AskedFinding, page: string): Predicted {
  const { path, startLine: start_line, endLine: end_line } = finding;
  const place = { path, start_line, end_line };
  if (finding.edits.length === 0) return place;
  let text = page;
  for (const { old_string, new_string } of finding.edits) {
    const at = text.indexOf(old_string);
    if (at < 0) return place;
    text = text.slice(0, at) + new_string + text.slice(at + old_string.length);
  }
  const lines = page.split("\n");
  const above = lengthOf(lines.slice(0, start_line - 1));
  const below = lengthOf(lines.slice(end_line)) - (end_line < lines.length ? 1 : 0);
  return { ...place, replacement: text.slice(above, Math.max(above, text.length - Math.max(0, below))) };
}

/** Characters of whole lines, each with its line end. */
function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
