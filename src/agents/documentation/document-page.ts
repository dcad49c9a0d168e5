import type { Lineage, PageLineage } from "../../docs/lineage.ts";
import { isDocumentPath } from "../../drift/pages/policies.ts";
import { excerptDiff } from "../context/diff-excerpt.ts";
import { findSources } from "../context/find-sources.ts";
import { findNeighbours } from "../context/neighbours.ts";
import { gatherSources } from "../context/source-context.ts";
import type { Checks } from "../gates/check-draft.ts";
import type { Crew } from "../model/models.ts";
import { leftForPerson } from "../model/stop-reason.ts";
import { type Bench, followSteps, sessionOf, worded } from "../run/agent-run.ts";
import type { AuditArticle, AuditEvidence } from "../run/audit.ts";
import { commitPage } from "../run/commit-page.ts";
import type { RepositoryChange } from "../run/repository.ts";
import type { DocumentationOptions } from "./documentation.ts";
import { draftPage, type PageDraft } from "./draft-page.ts";
import type { PlannedPage } from "./page-plan.ts";
import type { Survey } from "./survey.ts";

/** What a run knows about its repository. */
export type Ground = {
  readonly survey: Survey;
  readonly lineage: Lineage;
  readonly change: RepositoryChange;
  readonly head: string | null;
};

/** What became of one page. `partial`: some patches went in, and the writer ended on one that did not. */
export type PageResult = {
  readonly path: string;
  readonly mode: PageDraft["mode"] | null;
  readonly status: "updated" | "created" | "unchanged" | "partial" | "failed" | "refused";
  readonly summary: string;
  readonly error?: string;
  readonly patch?: string;
  readonly article: AuditArticle;
  readonly lineage?: PageLineage;
};

/** Whether a page is as its sources say now. */
export function isSound({ status }: PageResult): boolean {
  return status === "updated" || status === "created" || status === "unchanged";
}

/** The changed files that are not documents themselves. */
export function codeOnly(change: RepositoryChange): RepositoryChange["files"] {
  return change.files.filter(({ path }) => !isDocumentPath(path));
}

/** One page from its sources to its transaction. Whatever fails is this page's failure and no other's. */
export async function documentPage(
  bench: Bench,
  crew: Crew,
  ground: Ground,
  options: DocumentationOptions,
  page: PlannedPage,
): Promise<PageResult> {
  const { survey, lineage, change, head } = ground;
  const { path } = page;
  const { force = false, dryRun = false } = options;
  const evidence = evidenceOf(page, lineage, change);
  const ledger = bench.ledger.sub();
  const fail = (error: string, more: Partial<PageResult> = {}): PageResult => {
    bench.report({ kind: "failed", subject: path, text: `✖ Failed ${path}: ${error}` });
    const article: AuditArticle = {
      jrn: null,
      path,
      status: "error",
      evidence,
      error,
      usage: ledger.total(),
    };
    return { path, mode: null, status: "failed", summary: "", error, article, ...more };
  };

  const target = await bench.context.reader.read(path);
  if (!target.ok) return fail(worded(bench, target.refusal));
  const original = page.originalPath === undefined ? null : await survey.read(page.originalPath);
  const linked = [...page.relevantPaths, ...(lineage.pages[path]?.sources ?? [])];
  const words = `${path} ${page.description} ${target.value.text ?? original ?? ""}`.slice(0, longestQuery);
  const named = linked.length > 0 ? linked : await findSources(bench, survey, words, filesFound, ledger);
  const neighbours = await findNeighbours(survey, target.value.text ?? original ?? "", filesFound);
  const context = await gatherSources(survey, named, { skeletons: isForUsers(page.type), neighbours });
  const relevant = new Set([...named, ...context.sources]);
  const patches = codeOnly(change).filter((file) => relevant.has(file.path) || relevant.has(file.from ?? ""));
  const diff = excerptDiff(patches, 15_000);
  const checks: Checks = { ground: survey.ground, secrets: bench.secrets, commits: change.commits };
  const drafted = await draftPage({
    brief: {
      project: bench.project,
      path,
      purpose: page.description,
      type: page.type,
      source: bench.redact(context.text),
      diff: bench.redact(diff.text),
    },
    force,
    target: target.value.text,
    original,
    crew,
    checks,
    ledger,
    metadata: sessionOf(bench, options.command),
    maxSteps: options.maxSteps,
    maxOutputTokens: options.maxTokens,
    signal: bench.signal,
    steps: followSteps(bench, path, ledger),
  });
  if (!drafted.ok) return fail(worded(bench, drafted.refusal));
  const draft = drafted.value;
  const surgical = draft.mode === "surgical-update";
  bench.report({
    kind: "detail",
    subject: path,
    text: surgical ? `↳ 🩹 Surgical Update Mode detected for ${path}` : `↳ full generation of ${path}`,
  });
  if (draft.review !== null)
    bench.report({
      kind: "note",
      subject: path,
      text: `the review of ${path} was left out: ${draft.review}`,
    });
  const { objections, risks } = draft.verdict;
  const shared: Omit<AuditArticle, "status"> = {
    jrn: null,
    path,
    evidence,
    mode: draft.mode,
    reasoning: draft.summary,
    usage: ledger.total(),
    toolCalls: { ...draft.toolCalls },
    ...(objections.length > 0 ? { objections: [...objections] } : {}),
    ...(risks.length > 0 ? { risks: [...risks] } : {}),
  };
  const left = leftForPerson(objections);
  if (left !== null)
    return fail(left, { mode: draft.mode, article: { ...shared, status: "error", error: left } });

  const version = target.value.text === null ? null : target.value.version;
  const moved = surgical && version === null && page.originalPath !== undefined;
  const lineageNow = (written: string): PageLineage => ({
    sources: context.sources,
    commit: head,
    version: written,
  });
  if (surgical && draft.edits.length === 0 && !moved) {
    if (draft.unresolved !== null)
      return fail(draft.unresolved, {
        mode: draft.mode,
        article: { ...shared, status: "error", error: draft.unresolved },
      });
    bench.report({ kind: "done", subject: path, text: `○ No update needed: ${path}` });
    const sound = version === null ? {} : { lineage: lineageNow(version) };
    return {
      path,
      mode: draft.mode,
      status: "unchanged",
      summary: draft.summary,
      article: { ...shared, status: "unchanged" },
      ...sound,
    };
  }
  const committed = await commitPage(
    { ...bench.context, task: path },
    { path, draft, originalPath: page.originalPath, version, checks, dryRun },
  );
  if (!committed.ok) return fail(worded(bench, committed.refusal), { mode: draft.mode });
  const { diff: patch, entry } = committed.value;
  const reasons = surgical ? draft.edits.map(({ reason }) => reason) : [];
  const article: AuditArticle = {
    ...shared,
    status: "updated",
    patch,
    ...(reasons.length > 0 ? { editReasons: reasons } : {}),
    ...(entry ? { entries: [entry.id] } : {}),
  };
  bench.report({ kind: "done", subject: path, text: dryRun ? `· Would write ${path}` : `✔ Wrote ${path}` });
  const result: PageResult = {
    path,
    mode: draft.mode,
    status: version === null ? "created" : "updated",
    summary: draft.summary,
    patch,
    article,
  };
  if (draft.unresolved !== null) {
    const error = `not all of it was done: ${draft.unresolved}`;
    bench.report({ kind: "failed", subject: path, text: `✖ Failed ${path}: ${error}` });
    return { ...result, status: "partial", error, article: { ...article, error } };
  }
  const written = entry?.files.find((file) => file.path === path)?.after?.version;
  return { ...result, ...(written === undefined ? {} : { lineage: lineageNow(written) }) };
}

const longestQuery = 4000;
const filesFound = 5;

/** Pages that explain rather than list get signatures instead of bodies. */
function isForUsers(type: string): boolean {
  return /guide|tutorial|concept|intro|readme/i.test(type);
}

function evidenceOf(
  { path, relevantPaths }: PlannedPage,
  lineage: Lineage,
  change: RepositoryChange,
): AuditEvidence[] {
  const sources = new Set(lineage.pages[path]?.sources ?? []);
  const planned = new Set(relevantPaths);
  return codeOnly(change).flatMap((file) => {
    const matchType = sources.has(file.path) ? "lineage" : planned.has(file.path) ? "planned" : null;
    return matchType === null ? [] : [{ changedFile: file.path, matchType }];
  });
}
