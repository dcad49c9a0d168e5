import type { ChangedFile, DriftInput } from "../../drift/change/change.ts";
import { pairMovedFiles } from "../../drift/change/files/file-moves.ts";
import { type Attention, findAttention, type RecordedSources } from "../../drift/pages/attention.ts";
import { documentClass } from "../../drift/pages/policies.ts";
import { compareTexts } from "../../text/diff/compare.ts";
import { defined } from "../../text/model/defined.ts";
import type { Evidence } from "../../text/model/edit.ts";
import { indexLines, lineAt, lineContent } from "../../text/model/lines.ts";
import { subjectText } from "../../wording/drift.ts";
import { sha256 } from "../../workspace/hash/sha256.ts";
import type { ReportedFinding, Unknown } from "./report.ts";

export type SubjectQuestion = {
  readonly input: DriftInput;
  /** Every path the change touched, documents and pictures included. */
  readonly touched: readonly string[];
  readonly lineage: RecordedSources;
};

/**
 * Finds pages whose declared or recorded sources the change touched. These findings are only `possible`. A page that the
 * change itself touched is left out: its author has looked at it.
 */
export function findSubjects(question: SubjectQuestion): { findings: ReportedFinding[]; unknown: Unknown[] } {
  const { input, lineage } = question;
  const touched = new Set(question.touched);
  const moved = pairMovedFiles(input.files).flatMap(({ path, from }) =>
    from === undefined ? [] : [{ path, from }],
  );
  const files = [...moved, ...question.touched.map((path) => ({ path }))];
  const pages = input.documents.filter(({ path }) => !touched.has(path) && documentClass(path) === "page");
  const { selected, unknown } = findAttention(pages, files, { lineage });
  const texts = new Map(pages.map(({ path, text }) => [path, text]));
  const evidenceOf = showChanges(input);
  return {
    findings: selected.map((one) => toFinding(one, evidenceOf, texts.get(one.article.path) ?? "")),
    unknown,
  };
}

function toFinding(
  { article, evidence }: Attention,
  evidenceOf: (path: string) => readonly Evidence[],
  text: string,
): ReportedFinding {
  const { path } = article;
  const changed = [...new Set(evidence.map(({ changedFile }) => changedFile))];
  const line = lineOf(text, evidence[0]!.pattern);
  const name = sha256([path, ...changed].join("\0")).slice(0, 16);
  return {
    id: `subject-${name}`,
    path,
    startLine: line,
    endLine: line,
    tier: "possible",
    kind: "subject",
    message: subjectText(changed, evidence[0]!.by),
    evidence: changed.slice(0, 5).flatMap(evidenceOf),
    edits: [],
  };
}

/** The line of the page that names the source; the first line where none does. */
function lineOf(text: string, pattern: string): number {
  const at = text.indexOf(pattern);
  return at < 0 ? 1 : lineAt(indexLines(text), at) + 1;
}

/** The first line of a file that differs. It is computed once, also for several pages. */
function showChanges({ files, head }: DriftInput): (path: string) => readonly Evidence[] {
  const changed = new Map(files.map((file) => [file.path, file]));
  const known = new Map<string, readonly Evidence[]>();
  return (path) => {
    const file = changed.get(path);
    if (!file) return [];
    const evidence = known.get(path) ?? firstDifference(file, head);
    known.set(path, evidence);
    return evidence;
  };
}

function firstDifference({ path, before, after }: ChangedFile, revision: string): Evidence[] {
  const [first] = compareTexts(before ?? "", after ?? "");
  if (!first) return [];
  const number = lineAt(indexLines(before ?? ""), first.region.start);
  const shown = (text: string): string => {
    const lines = indexLines(text);
    return lineContent(lines, Math.min(number, lines.starts.length - 1));
  };
  return [
    {
      path,
      revision,
      startLine: number + 1,
      endLine: number + 1,
      ...defined({
        before: before === null ? undefined : shown(before),
        after: after === null ? undefined : shown(after),
      }),
    },
  ];
}
