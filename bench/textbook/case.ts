import type { AskedFinding } from "../drift/ask.ts";

/** A small project and one change to it. */
export type TextbookCase = {
  readonly id: string;
  /** In a twin, the case whose words it shares. Every line of a twin stays true. */
  readonly twin_of?: string;
  readonly kind: string;
  readonly language: string;
  readonly title: string;
  /** Texts by path: every file of the first commit, and those that the second one changes. */
  readonly base: Readonly<Record<string, string>>;
  readonly head: Readonly<Record<string, string | null>>;
  readonly expect: readonly Expectation[];
};

/** A line that is false at the head. */
type Expectation = {
  readonly path: string;
  readonly line: number;
  readonly contains: string;
  /** The right line; "" if the line must go, null if a person must write. */
  readonly edit: string | null;
  /** Other lines that are right as well. */
  readonly also?: readonly string[];
  /** The lines of the list that the claim is about: a finding in any of them counts. */
  readonly block?: readonly [first: number, last: number];
};

type EditVerdict = "right" | "wrong" | "none" | "unasked" | "-";

export type JudgedLine = Expectation & {
  readonly verdict: "said" | "possible" | "silent";
  readonly fix: EditVerdict;
  readonly proposed: string | null;
};

export type Judged = {
  readonly one: TextbookCase;
  readonly isTwin: boolean;
  readonly lines: readonly JudgedLine[];
  /** The findings that cover no expected line. */
  readonly extra: readonly AskedFinding[];
  readonly findings: readonly AskedFinding[];
};

export function isSaid({ tier }: Pick<AskedFinding, "tier">): boolean {
  return tier === "certain" || tier === "likely";
}

/** Scores the findings of one case. */
export function judge(one: TextbookCase, findings: readonly AskedFinding[]): Judged {
  const lines = one.expect.map((line) => judgeLine(one, line, findings));
  const extra = findings.filter((finding) => !one.expect.some((line) => covers(finding, line)));
  return { one, isTwin: one.expect.length === 0, lines, extra, findings };
}

/** A pair is right if every false line is said, nothing else is said, and the twin is silent. */
export function isRight({ isTwin, lines, extra, findings }: Judged): boolean {
  if (isTwin) return !findings.some(isSaid);
  return lines.every(({ verdict }) => verdict === "said") && !extra.some(isSaid);
}

function covers(
  { path, startLine, endLine }: AskedFinding,
  { path: page, line, block }: Expectation,
): boolean {
  if (path !== page) return false;
  const [first, last] = block ?? [line, line];
  return (startLine <= line && line <= endLine) || (startLine <= last && endLine >= first);
}

function judgeLine(one: TextbookCase, line: Expectation, findings: readonly AskedFinding[]): JudgedLine {
  const hits = findings.filter((finding) => covers(finding, line));
  const said = hits.filter(isSaid);
  if (said.length === 0)
    return { ...line, verdict: hits.length > 0 ? "possible" : "silent", fix: "-", proposed: null };
  const page = one.head[line.path] ?? one.base[line.path] ?? "";
  let fix: EditVerdict = line.edit === null ? "-" : "none";
  let proposed: string | null = null;
  for (const finding of said) {
    const edits = finding.edits.filter((edit) => (edit.path ?? finding.path) === line.path);
    if (edits.length === 0) continue;
    const after = applyEdits(page, edits);
    proposed = after?.split("\n")[line.line - 1] ?? null;
    const verdict = judgeEdit(line, page, after);
    if (verdict !== null) fix = verdict;
    if (fix === "right") break;
  }
  return { ...line, verdict: "said", fix, proposed };
}

/** Whether the page after an edit has the right line; null if the edit is for another line of the finding. */
function judgeEdit(
  { line, edit, also = [] }: Expectation,
  before: string,
  after: string | null,
): EditVerdict | null {
  if (edit === null) return "unasked";
  const was = before.split("\n");
  const lines = after?.split("\n") ?? [];
  if (edit === "" && also.length === 0)
    return lines.join("\n") === was.toSpliced(line - 1, 1).join("\n") ? "right" : "wrong";
  const got = lines[line - 1];
  if (got !== undefined && [edit, ...also].some((want) => want.trimEnd() === got.trimEnd())) return "right";
  return got !== undefined && got === was[line - 1] ? null : "wrong";
}

/** The text after the edits, or null if one cannot be made: its old text must be there exactly once. */
function applyEdits(text: string, edits: AskedFinding["edits"]): string | null {
  let now = text;
  for (const { old_string, new_string } of edits) {
    const parts = now.split(old_string);
    if (old_string === "" || parts.length !== 2) return null;
    now = parts.join(new_string);
  }
  return now;
}
