import type { ReportedEdit, ReportedFinding } from "../../docs/check/report.ts";
import { type DiffRow, type DiffSegment, diffRows } from "../../text/diff/diff-rows.ts";
import { contentEnd, indexLines, lineAt } from "../../text/model/lines.ts";
import type { Region } from "../../text/model/region.ts";
import { quotedNames } from "../../wording/findings.ts";

/** A line of a page as a finding shows it: the present text, or a line that its edit removes or adds. */
export type MarkedLine = {
  /** Its number in the page; null for a line that the edit adds. */
  readonly number: number | null;
  readonly sign: "" | "-" | "+";
  readonly text: string;
  /** The words of the line that are false. */
  readonly marks: readonly Region[];
  /** What to do with the marked words. */
  readonly label?: string;
};

/** The lines of a finding with the false words marked. `page` is the text of its page; null where it cannot be read. */
export function markLines(finding: ReportedFinding, page: string | null): MarkedLine[] {
  const { edits, startLine } = finding;
  if (edits.length > 0) return edits.flatMap((edit) => markEdit(edit, page, startLine));
  return page === null ? [] : markStanding(finding, page);
}

function markEdit({ old_string, new_string }: ReportedEdit, page: string | null, line: number): MarkedLine[] {
  const at = page?.indexOf(old_string) ?? -1;
  if (page === null || at < 0) return diffRows(old_string, new_string, line).flatMap(markRow);
  const lines = indexLines(page);
  const [first, last] = [lineAt(lines, at), lineAt(lines, Math.max(at, at + old_string.length - 1))];
  const head = page.slice(lines.starts[first], at);
  const tail = page.slice(at + old_string.length, Math.max(at + old_string.length, contentEnd(lines, last)));
  return diffRows(`${head}${old_string}${tail}`, `${head}${new_string}${tail}`, first + 1).flatMap(markRow);
}

function markRow(row: DiffRow): MarkedLine[] {
  if (row.kind === "same") return [];
  const { left, right } = row;
  if (left === undefined) return right === undefined ? [] : [addedLine(right.segments)];
  const text = joined(left.segments);
  const own = { number: left.number, text };
  if (right === undefined) return [{ ...own, sign: "-", marks: [] }];
  // Only the ending differs: the edit adds lines below.
  if (text === joined(right.segments)) return [];
  const marks = marksOf(left.segments);
  const words = [...new Set(right.segments.flatMap((one) => (one.changed ? one.text.trim() : [])))];
  const isWhole = marks.length === 1 && marks[0]!.end - marks[0]!.start === text.length;
  if (marks.length === 0 || isWhole || words.length > 1 || (words[0]?.length ?? 0) > longestLabel)
    return [{ ...own, sign: "-", marks }, addedLine(right.segments)];
  const label = words[0] ? `write \`${words[0]}\`` : "leave this out";
  return [{ ...own, sign: "", marks, label }];
}

const longestLabel = 60;

function addedLine(segments: readonly DiffSegment[]): MarkedLine {
  return { number: null, sign: "+", text: joined(segments), marks: marksOf(segments) };
}

function joined(segments: readonly DiffSegment[]): string {
  return segments.map(({ text }) => text).join("");
}

function marksOf(segments: readonly DiffSegment[]): Region[] {
  const marks: Region[] = [];
  let at = 0;
  for (const { text, changed } of segments) {
    if (changed && text.trim() !== "") marks.push({ start: at, end: at + text.length });
    at += text.length;
  }
  return marks;
}

/** The line that says it, without an edit: the first of the passage that has a name of the message, else the first. */
function markStanding(finding: ReportedFinding, page: string): MarkedLine[] {
  const lines = indexLines(page);
  const last = Math.min(finding.endLine, lines.starts.length);
  const passage: MarkedLine[] = [];
  for (let number = finding.startLine; number <= last; number++) {
    const text = page.slice(lines.starts[number - 1], contentEnd(lines, number - 1));
    if (text.trim() !== "") passage.push({ number, sign: "", text, marks: marksOfNames(text, finding) });
  }
  const shown = passage.find(({ marks }) => marks.length > 0) ?? passage[0];
  return shown === undefined ? [] : [shown];
}

function marksOfNames(text: string, { message }: ReportedFinding): Region[] {
  const name = quotedNames(message).find((one) => text.includes(one));
  if (name === undefined) return [];
  const start = text.indexOf(name);
  return [{ start, end: start + name.length }];
}
