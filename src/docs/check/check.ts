import type { WholeInput } from "../../drift/change/change.ts";
import type { Finding } from "../../drift/findings.ts";
import { createPace } from "../../drift/pace.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Splice } from "../../text/model/splice.ts";
import { quoteEdits } from "../../tools/quote-edits.ts";
import { findingText, warningText } from "../../wording/findings.ts";
import type { Git } from "../../workspace/git/git.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { narrowReport } from "../apply-config.ts";
import type { Config } from "../config.ts";
import { openProject, type Project } from "../project.ts";
import { readDriftInput, readWholeInput } from "./drift-input.ts";
import { auditApart, findDriftApart } from "./failing-files.ts";
import { freshLineage } from "./fresh-lineage.ts";
import type { CheckMemory } from "./memory.ts";
import { locateDocuments, type OtherDocuments, type OtherPages } from "./other-pages.ts";
import { type Ends, locateRange, locateWhole, type Range, resolveEnds } from "./range.ts";
import { jointConfig, readConfig } from "./read-config.ts";
import { rememberGit } from "./remembered-git.ts";
import type { CheckReport, ReportedFinding, Unknown } from "./report.ts";
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
  const question = {
    git,
    past: project.git,
    reader: project.reader,
    ends: ends.value,
    config,
    others: docs.value,
    ...options,
  };
  const report = range === "all" ? await auditWhole(question) : await compare(question);
  return accept({
    ...belowFolder(narrowReport(report, config), project.folder),
    ...(project.docs ? { docs: placeOfDocuments(project, docs.value) } : {}),
    ...(warnings.length > 0 ? { warnings: warnings.map(warningText) } : {}),
  });
}

function placeOfDocuments(
  { root, docs }: Project,
  located: OtherDocuments | undefined,
): NonNullable<CheckReport["docs"]> {
  const { relative, sep } = process.getBuiltinModule("node:path");
  const place = relative(root, docs?.root ?? root).replaceAll(sep, "/");
  return { root: place, head: located?.ends.head ?? "worktree" };
}

/** The findings of the pages that the caller asked about. */
function belowFolder(report: CheckReport, folder = ""): CheckReport {
  if (folder === "") return report;
  const isBelow = ({ path }: { readonly path: string }): boolean => path.startsWith(folder);
  return { ...report, findings: report.findings.filter(isBelow), unknown: report.unknown.filter(isBelow) };
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
  detail: "this folder is in no git repository, or git is not installed, so there is no change to check",
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
};

/** The findings between two states, before the configuration filters them. */
export async function compare(question: Question): Promise<CheckReport> {
  const { git, reader } = question;
  const pace = createPace();
  const { input, unknown, touched, others, save } = await readDriftInput(question);
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
  };
}

/** As the rules order them: by page, and from its top. */
function byPlace(a: ReportedFinding, b: ReportedFinding): number {
  return a.path === b.path ? a.startLine - b.startLine : a.path < b.path ? -1 : 1;
}

/** The findings in the documents of one state, before the configuration filters them. */
export async function auditWhole(question: Question): Promise<CheckReport> {
  const { input, head, unknown, others } = await readWholeInput(question);
  const audit = await auditApart(input, undefined, question.signal);
  const findings = reportAll(audit.findings, input, others);
  return { base: head, head, findings, unknown: [...unknown, ...ownUnknown(audit.unknown, others)] };
}

/** The findings as every door shows them, with the paths of the repository that has the pages. */
function reportAll(
  findings: readonly Finding[],
  { documents }: Pick<WholeInput, "documents">,
  others: OtherPages | null,
): ReportedFinding[] {
  const texts = new Map(documents.map(({ path, text, whole }) => [path, whole ?? text]));
  return findings.map((finding) =>
    report(others?.ownFinding(finding) ?? finding, texts.get(finding.path) ?? ""),
  );
}

function ownUnknown(unknown: readonly Unknown[], others: OtherPages | null): readonly Unknown[] {
  return others === null ? unknown : unknown.map((one) => others.ownUnknown(one));
}

function report(finding: Finding, text: string): ReportedFinding {
  const splices: Splice[] = finding.edits.flatMap((edit) =>
    "region" in edit.target && "text" in edit ? [{ region: edit.target.region, text: edit.text }] : [],
  );
  const { id, path, startLine, endLine, tier, kind, rule, formerIds, confidence, cause, evidence, since } =
    finding;
  const reason = findingText(finding);
  return {
    id,
    path,
    startLine,
    endLine,
    tier,
    kind,
    ...(rule === undefined ? {} : { rule }),
    ...(formerIds === undefined ? {} : { formerIds }),
    ...(confidence === undefined ? {} : { confidence }),
    cause,
    message: reason,
    evidence,
    edits: quoteEdits(text, splices).map(({ old_string, new_string }) => ({
      path,
      old_string,
      new_string,
      reason,
    })),
    ...(since === undefined ? {} : { since }),
  };
}
