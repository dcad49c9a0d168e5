import type { ReportedFinding } from "../../docs/check/report.ts";
import type { Evidence } from "../../text/model/edit.ts";
import { judgementText } from "../findings.ts";
import { block, code, prose, visible } from "../quoted.ts";
import { list } from "../sentences.ts";

/** Addresses on the code host where it is known, and the text of the pages where they can be read. */
export type CommentLinks = {
  readonly page: (finding: ReportedFinding) => string | null;
  readonly code: (evidence: Evidence) => string | null;
  /** The present lines of a finding. */
  readonly text?: ((finding: ReportedFinding) => string | null) | undefined;
  /** The command that runs Suture for a reader who has not installed it. */
  readonly suture?: string | undefined;
};

/** For a report whose host is not known: places are named and not linked. */
export const noLinks: CommentLinks = { page: () => null, code: () => null };

/** The passages of one cause, and how to show them. */
export type CommentCause = {
  readonly findings: readonly ReportedFinding[];
  readonly links: CommentLinks;
  /** Whether the edit of a finding is shown. Edits that were delivered otherwise are not. */
  readonly showsEdit: (finding: ReportedFinding) => boolean;
  readonly remark: (finding: ReportedFinding) => string | null;
};

/** What the code did: the sentence, with a link to the line instead of its name. */
export function causeSentence({ findings: [first], links }: CommentCause): string {
  const [proof] = first!.evidence;
  const sentence = plainMessage(first!);
  if (proof === undefined) return `${prose(sentence)}.`;
  return `${prose(sentence)}: ${linked(`${proof.path}:${proof.startLine}`, links.code(proof))}.`;
}

/** The line of code, before and after. */
export function proofBlock({ findings: [first] }: CommentCause): string[] {
  const [{ before = "", after = "" } = {}] = first!.evidence;
  const lines = [...marked(before, "-"), ...marked(after, "+")];
  if (lines.length === 0) return [];
  return [block(lines.join("\n"), "diff"), ""];
}

/** One passage: its place, its present text, and the new text. */
export function passageText(finding: ReportedFinding, cause: CommentCause): string {
  const isEdit = cause.showsEdit(finding);
  const quoted = isEdit ? editBlock(finding) : standingBlock(cause.links.text?.(finding) ?? "");
  const label = quoted === null ? null : isEdit ? "what to write instead:" : "the text now:";
  const note = cause.remark(finding) ?? label;
  const first = `${placeLine(finding, cause.links)}${note === null ? "" : `, ${note}`}`;
  return [first, "", ...(quoted === null ? [] : [quoted, ""])].join("\n");
}

const longestLine = 600;

/** The pages of findings with the number of passages in each, the first of them linked. */
export function pageList(findings: readonly ReportedFinding[], links: CommentLinks, most: number): string {
  const pages = [...Map.groupBy(findings, ({ path }) => path)];
  const shown = pages.slice(0, most).map(([path, here]) => {
    const count = here.length === 1 ? "" : ` (${here.length})`;
    return `${linked(path.slice(-longestLine), links.page(here[0]!))}${count}`;
  });
  return list(pages.length > most ? [...shown, `${pages.length - most} more`] : shown);
}

/** A passage in one line. */
export function passageLine(finding: ReportedFinding, links: CommentLinks = noLinks): string {
  return `- ${placeLine(finding, links)}`;
}

/** A passage in one line, with what is wrong. */
export function findingLine(finding: ReportedFinding, links: CommentLinks = noLinks): string {
  const message = prose(finding.message.slice(0, longestLine));
  return `- ${placeOf(finding, links)} ${message}${verdictOf(finding)}`;
}

function placeLine(finding: ReportedFinding, links: CommentLinks): string {
  return `${placeOf(finding, links)} (${finding.tier}, ${code(finding.id)})${verdictOf(finding)}`;
}

function placeOf(finding: ReportedFinding, links: CommentLinks): string {
  return linked(`${finding.path.slice(-longestLine)}:${finding.startLine}`, links.page(finding));
}

function verdictOf(finding: ReportedFinding): string {
  const verdict = judgementText(finding);
  return verdict === null ? "" : ` (${prose(verdict.slice(0, longestLine))})`;
}

/** The addresses hold no character that could end a Markdown link. */
function linked(label: string, url: string | null): string {
  return url === null ? code(label) : `[${code(label)}](${url})`;
}

/** The message without the place at its end, which is shown as a link. */
function plainMessage({ message, evidence: [proof] }: ReportedFinding): string {
  const text = message.slice(0, longestLine).replace(/\.$/, "");
  const place = proof === undefined ? "" : ` (${proof.path}:${proof.startLine})`;
  return place !== "" && text.endsWith(place) ? text.slice(0, -place.length) : text;
}

function editBlock({ edits }: ReportedFinding): string | null {
  const lines = edits.flatMap(({ old_string, new_string }) =>
    changedLines(marked(old_string, "-"), marked(new_string, "+")),
  );
  return lines.length === 0 ? null : block(lines.join("\n"), "diff");
}

/** Without the lines at both ends that stay: an edit quotes them only to be found. */
function changedLines(before: readonly string[], after: readonly string[]): string[] {
  const isKept = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && a.slice(1) === b?.slice(1);
  const least = Math.min(before.length, after.length);
  let top = 0;
  while (top < least && isKept(before[top], after[top])) top++;
  let end = 0;
  while (end < least - top && isKept(before.at(-1 - end), after.at(-1 - end))) end++;
  return [...before.slice(top, before.length - end), ...after.slice(top, after.length - end)];
}

function standingBlock(text: string): string | null {
  return text.trim() === "" ? null : block(visible(text));
}

function marked(text: string, mark: "-" | "+"): string[] {
  if (text === "") return [];
  return visible(text)
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${mark}${line}`);
}
