import type { WholeInput } from "../../drift/change/change.ts";
import {
  type EvaluatedClaim,
  evaluateClaims,
  explainLine,
  type PageClaims,
} from "../../drift/evaluate-claims.ts";
import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { claimWords } from "../../wording/claims.ts";
import { findingText, leftOutWords } from "../../wording/findings.ts";
import { openQuestion } from "../check/check.ts";
import { type ReadWholeInput, readWholeInput } from "../check/drift-input.ts";
import { askApart } from "../check/failing-files.ts";
import type { Unknown } from "../check/report.ts";
import { leftOutPages } from "../check/scope.ts";
import type { Project } from "../project.ts";
import { countClaims, totalsOf } from "./count-claims.ts";
import type { ClaimsReport, ExplainedLine, JoinedFinding, ReportedPage } from "./report.ts";

export type ClaimsOptions = {
  /** Findings of other programs, by the path of the page. */
  readonly joined?: ReadonlyMap<string, readonly JoinedFinding[]>;
  readonly signal?: AbortSignal;
};

/** The claims of a project's pages, and the files as they were read. */
export type Claims = {
  readonly report: ClaimsReport;
  /** The text of a page or a source; null where it cannot be read. */
  readonly read: (path: string) => Promise<string | null>;
};

/** What the pages of a project say about it, what each statement is bound to, and whether it is so as things stand. */
export async function readProjectClaims(
  project: Project,
  { joined, signal }: ClaimsOptions = {},
): Promise<Outcome<Claims>> {
  const opened = await openQuestion(project, "all", signal ? { signal } : {});
  if (!opened.ok) return opened;
  const { question } = opened.value;
  const { isAsked = () => true } = question;
  const whole = await readWholeInput(question);
  const { input, head, others, read } = whole;
  const ownPath = (path: string): string => others?.ownPath(path) ?? path;
  const ask = async (some: WholeInput): Promise<{ readonly pages: readonly PageClaims[] }> => ({
    pages: await evaluateClaims(some, { isAsked: (path) => isAsked(ownPath(path)) }),
  });
  const asked = await askApart(input, ask, signal);
  const pages = asked.pages.map((page) => reportPage(page, ownPath(page.path), joined));
  const unknown = [...whole.unknown, ...read.unread, ...asked.unknown.map((one) => ownUnknown(one, ownPath))];
  const report = {
    head,
    pages,
    totals: totalsOf(pages),
    leftOut: leftOutPages(input.documents, others).filter(({ path }) => isAsked(path)),
    unknown: [...new Map(unknown.map((one) => [one.path, one])).values()].filter(({ path }) => isAsked(path)),
  };
  return accept({ report, read: createTextReader(whole) });
}

/** The claims of one page; null where it claims nothing about today. */
export async function readPageClaims(
  project: Project,
  path: string,
  options: ClaimsOptions = {},
): Promise<Outcome<ReportedPage | null>> {
  const read = await readProjectClaims({ ...project, only: [path] }, options);
  return read.ok ? accept(read.value.report.pages.find((page) => page.path === path) ?? null) : read;
}

function ownUnknown({ path, why }: Unknown, ownPath: (path: string) => string): Unknown {
  return { path: ownPath(path), why };
}

function reportPage(
  { claims: evaluated }: PageClaims,
  path: string,
  joined: ClaimsOptions["joined"],
): ReportedPage {
  const claims = evaluated.flatMap(({ truth, ...claim }) =>
    truth === "none" ? [] : { ...worded(claim), truth },
  );
  return {
    path,
    claims,
    totals: countClaims(claims),
    ...defined({ findings: joined ? (joined.get(path) ?? []).map(toJoined) : undefined }),
  };
}

function toJoined({ startLine, endLine, message }: JoinedFinding): JoinedFinding {
  return { startLine, endLine, message };
}

/** A false claim says why in the words of a finding. */
function worded<C extends Omit<EvaluatedClaim, "truth">>({ message, since, ...claim }: C) {
  const why = message && findingText({ message, evidence: [], ...defined({ since }) });
  return { ...claim, ...defined({ why }) };
}

function createTextReader({ input, others }: ReadWholeInput): Claims["read"] {
  const texts = new Map(
    input.documents.map(({ path, text, whole }) => [others?.ownPath(path) ?? path, whole ?? text] as const),
  );
  return async (path) => texts.get(path) ?? input.read(path);
}

/** What is read on one line of a page, what it is bound to, and what is missing. */
export async function explainClaims(
  project: Project,
  { path, line }: { readonly path: string; readonly line: number },
): Promise<Outcome<ExplainedLine>> {
  const opened = await openQuestion(project, "all");
  if (!opened.ok) return opened;
  const whole = await readWholeInput(opened.value.question);
  const { input, others } = whole;
  const document = input.documents.find((one) => (others?.ownPath(one.path) ?? one.path) === path);
  const missing = [...whole.unknown, ...whole.read.unread].find((one) => one.path === path);
  if (missing) return refuse({ code: "malformed", what: claimWords.notRead(missing) });
  if (!document) return refuse({ code: "malformed", what: claimWords.noPage(path) });
  const text = (document.whole ?? document.text).split(/\r?\n/)[line - 1];
  if (text === undefined) return refuse({ code: "malformed", what: claimWords.noLine(path, line) });
  const { claims, leftOut, isSilent } = await explainLine(input, { path: document.path, line });
  const why = leftOut === undefined ? (isSilent ? claimWords.silent : undefined) : leftOutWords[leftOut];
  return accept({
    path,
    line,
    text,
    claims: claims.map(worded),
    ...defined({ why }),
  });
}
