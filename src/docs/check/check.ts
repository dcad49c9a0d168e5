import type { DriftInput, WholeInput } from "../../drift/change/change.ts";
import type { Finding } from "../../drift/findings.ts";
import { createPace } from "../../drift/pace.ts";
import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Splice } from "../../text/model/splice.ts";
import { PageQuotes } from "../../tools/quote-edits.ts";
import { findingText, warningText } from "../../wording/findings.ts";
import type { Git } from "../../workspace/git/git.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { isWantedDocument, narrowReport } from "../apply-config.ts";
import type { Config } from "../config.ts";
import { isAmong } from "../only-pages.ts";
import { openProject, type Project } from "../project.ts";
import { readDriftInput, readWholeInput } from "./drift-input.ts";
import { auditApart, findDriftApart } from "./failing-files.ts";
import { freshLineage } from "./fresh-lineage.ts";
import type { CheckMemory } from "./memory.ts";
import { locateDocuments, type OtherDocuments, type OtherPages } from "./other-pages.ts";
import { type Ends, locateRange, locateWhole, type Range, resolveEnds } from "./range.ts";
import { jointConfig, readConfig } from "./read-config.ts";
import { rememberGit } from "./remembered-git.ts";
import type { CheckReport, DocumentsPlace, ReportedFinding, Unknown } from "./report.ts";
import { leftOutPages, scopeOf } from "./scope.ts";
import { findSubjects } from "./subjects.ts";

export type CheckOptions = {
  /** The cache of earlier checks of this repository. It makes the check faster and never changes the result. */
  readonly memory?: CheckMemory;
  /** Ends the check early: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Called with the number of rules that are done. */
  readonly onProgress?: (done: number, total: number) => void;
};

/**
 * Finds what a change made false in the documents of a project; with `"all"`, what is false in them without a change.
 * The configuration of the project applies. Every door calls this function.
 */
export async function check(
  project: Project,
  range: Range | "all",
  options: CheckOptions = {},
): Promise<Outcome<CheckReport>> {
  const opened = await openQuestion(project, range, options);
  if (!opened.ok) return opened;
  const { question, warnings, docs } = opened.value;
  const report = range === "all" ? await auditWhole(question) : await compare(question);
  return accept({
    ...onlyOf(narrowReport(report, question.config), project),
    ...defined({ docs, warnings: warnings.length > 0 ? warnings : undefined }),
  });
}

type Opened = {
  readonly question: Question;
  /** Deprecated settings, in words. */
  readonly warnings: readonly string[];
  readonly docs?: DocumentsPlace;
};

/** What to ask of a project: its two states, or the present one, and the configuration that applies. */
export async function openQuestion(
  project: Project,
  range: Range | "all",
  options: CheckOptions = {},
): Promise<Outcome<Opened>> {
  if (project.git === null) return noRepository;
  const git = rememberGit(project.git);
  if (range !== "all") await resolveEnds(git, range);
  const ends = range === "all" ? await locateWhole(git) : await locateRange(git, range);
  if (!ends.ok) return ends;
  const parsed = await readConfig(project, git, ends.value);
  if (!parsed.ok) return parsed;
  const docs = project.docs ? await locateDocuments(project.docs) : accept(undefined);
  if (!docs.ok) return docs;
  const joint = docs.value ? await jointConfig(project, parsed.value, docs.value) : parsed;
  if (!joint.ok) return joint;
  const { config, warnings } = joint.value;
  options.signal?.throwIfAborted();
  const question: Question = {
    git,
    past: project.git,
    reader: project.reader,
    ends: ends.value,
    config,
    others: docs.value,
    isAsked: isAskedFor(project, config),
    ...options,
  };
  return accept({
    question,
    warnings: warnings.map(warningText),
    ...defined({ docs: project.docs ? placeOfDocuments(project, docs.value) : undefined }),
  });
}

function placeOfDocuments({ root, docs }: Project, located: OtherDocuments | undefined): DocumentsPlace {
  const { relative, sep } = process.getBuiltinModule("node:path");
  const place = relative(root, docs?.root ?? root).replaceAll(sep, "/");
  return { root: place, head: located?.ends.head ?? "worktree" };
}

/** The findings of the pages that the caller asked about. */
export function onlyOf(report: CheckReport, { only }: Pick<Project, "only">): CheckReport {
  if (only === undefined) return report;
  const isNamed = ({ path }: { readonly path: string }): boolean => isAmong(path, only);
  return { ...report, findings: report.findings.filter(isNamed), unknown: report.unknown.filter(isNamed) };
}

/** The pages that the caller asked about and the configuration wants. */
function isAskedFor({ only }: Project, config: Config): (path: string) => boolean {
  const isWanted = isWantedDocument(config);
  return (path) => isWanted(path) && (only === undefined || isAmong(path, only));
}

/** The same for callers that have opened git and the reader themselves. */
export async function checkDrift(
  git: Git | null,
  reader: Reader | null,
  range: Range,
): Promise<Outcome<CheckReport>> {
  if (git === null) return noRepository;
  const project = await openProject({ git, reader, settings: "head" });
  return project.ok ? check(project.value, range) : project;
}

const noRepository = refuse({
  code: "unavailable",
  detail:
    "this folder is in no git repository, or git is not installed; Suture reads pages and code from git",
});

/** The input of one check. */
export type Question = CheckOptions & {
  readonly git: Git;
  /** The same repository without a cache: a search through history asks for many trees, each once. */
  readonly past?: Git;
  readonly reader: Reader | null;
  readonly ends: Ends;
  readonly config: Config;
  /** The clone that has the documents. Absent: they are in this repository. */
  readonly others?: OtherDocuments | undefined;
  /** Whether a page counts as one that was asked about. By default each does. */
  readonly isAsked?: (path: string) => boolean;
};

/** The findings between two states, before the configuration filters them. */
export async function compare(question: Question): Promise<CheckReport> {
  const { git, reader } = question;
  const pace = createPace();
  const { input, unknown, touched, others, read, save } = await readDriftInput(question);
  const drift = await findDriftApart(input, undefined, question.signal);
  await pace();
  save();
  const lineage = others ? {} : await freshLineage(git, reader, input.head, touched);
  const subjects = findSubjects({ input, touched, lineage });
  const about = subjects.findings.map((finding) => ({
    ...finding,
    path: others?.ownPath(finding.path) ?? finding.path,
  }));
  return {
    base: input.base,
    head: input.head,
    findings: [...reportAll(drift.findings, input, others), ...about].sort(byPlace),
    unknown: [...unknown, ...ownUnknown([...drift.unknown, ...subjects.unknown], others)],
    scope: await scopeOf(question, {
      ...read,
      leftOut: leftOutPages(input.documents, others),
      asked: drift.asked,
      touched,
    }),
  };
}

/** As the rules order them: by page, and from its top. */
function byPlace(a: ReportedFinding, b: ReportedFinding): number {
  return a.path === b.path ? a.startLine - b.startLine : a.path < b.path ? -1 : 1;
}

/** The findings in the documents of one state, before the configuration filters them. */
export async function auditWhole(question: Question): Promise<CheckReport> {
  const { input, head, unknown, others, read } = await readWholeInput(question);
  const audit = await auditApart(input, undefined, question.signal);
  const findings = reportAll(audit.findings, input, others);
  return {
    base: head,
    head,
    findings,
    unknown: [...unknown, ...ownUnknown(audit.unknown, others)],
    scope: await scopeOf(question, {
      ...read,
      leftOut: leftOutPages(input.documents, others),
      asked: audit.asked,
      touched: [],
    }),
  };
}

/** The findings as every door shows them, with the paths of the repository that has the pages. */
function reportAll(
  findings: readonly Finding[],
  { documents, files = [] }: Pick<WholeInput, "documents"> & Partial<Pick<DriftInput, "files">>,
  others: OtherPages | null,
): ReportedFinding[] {
  // A finding may be in a doc comment of a changed file, which is no document.
  const texts = new Map<string, string>(files.map(({ path, after }) => [path, after ?? ""]));
  for (const { path, text, whole } of documents) texts.set(path, whole ?? text);
  const pages = new Map<string, PageQuotes>();
  const pageAt = (path: string): PageQuotes => {
    const page = pages.get(path) ?? new PageQuotes(texts.get(path) ?? "");
    pages.set(path, page);
    return page;
  };
  return findings.map((finding) => report(finding, { pageAt, others }));
}

function ownUnknown(unknown: readonly Unknown[], others: OtherPages | null): readonly Unknown[] {
  return others === null ? unknown : unknown.map((one) => others.ownUnknown(one));
}

type Reporting = { readonly pageAt: (path: string) => PageQuotes; readonly others: OtherPages | null };

function report(found: Finding, { pageAt, others }: Reporting): ReportedFinding {
  const finding = others?.ownFinding(found) ?? found;
  const { id, path, startLine, endLine, tier, kind, rule, formerIds, cause, evidence, since } = finding;
  const reason = findingText(finding);
  const edits = [...Map.groupBy(found.edits, (edit) => edit.path)].flatMap(([on, own]) => {
    const shown = on === found.path ? path : (others?.ownPath(on) ?? on);
    return pageAt(on)
      .edits(own.flatMap(spliceOf))
      .map(({ splices: _, ...edit }) => ({ path: shown, ...edit, reason }));
  });
  return {
    id,
    path,
    startLine,
    endLine,
    tier,
    kind,
    ...defined({ rule, formerIds }),
    cause,
    ...defined({ says: found.says, thing: finding.thing }),
    message: reason,
    evidence,
    edits,
    ...defined({ generator: found.generator, since }),
  };
}

function spliceOf(edit: Finding["edits"][number]): Splice[] {
  return "region" in edit.target && "text" in edit ? [{ region: edit.target.region, text: edit.text }] : [];
}
