import { dirname, extname } from "node:path/posix";
import type { Lineage, PageLineage } from "../../docs/record/lineage.ts";
import { documentClass, isDocumentPath } from "../../drift/pages/policies.ts";
import type { Applied } from "../../tools/apply-edits.ts";
import { documentationText, progressText } from "../../wording/agents.ts";
import type { FileSnapshot } from "../../workspace/workspace.ts";
import { describeCommits } from "../context/change-context.ts";
import { excerptDiff } from "../context/diff-excerpt.ts";
import { findSources } from "../context/find-sources.ts";
import { findNeighbours } from "../context/neighbours.ts";
import type { RepositoryIndex } from "../context/repository-index.ts";
import { contextBudget, gatherSources, type SourceContext } from "../context/source-context.ts";
import type { Checks } from "../gates/check-draft.ts";
import type { GrowingFacts } from "../gates/known-facts.ts";
import type { Risk } from "../gates/objection.ts";
import type { CostBudget } from "../model/budget.ts";
import { leftForPerson } from "../model/stop-reason.ts";
import { fenceData } from "../prompts/data.ts";
import type { PageBrief } from "../prompts/update-page.ts";
import { type ModelRun, type RunProgress, refusalText } from "../run/agent-run.ts";
import { Assignment } from "../run/assignment.ts";
import type { ArticleRecord, ChoiceEvidence } from "../run/audit.ts";
import { commitPage } from "../run/commit-page.ts";
import { printPageDiff } from "../run/page-diff.ts";
import { ReadTools } from "../run/read-tools.ts";
import type { RepositoryChange } from "../run/repository.ts";
import { gateFields, nonEmpty } from "../run/run-record.ts";
import type { DocumentationOptions } from "./documentation.ts";
import { draftPage, type PageDraft } from "./draft-page.ts";
import { decideMode, type PageMode } from "./page-mode.ts";
import type { PlannedPage } from "./page-plan.ts";

/** The state of the repository that a run works from. */
export type DocumentationInput = {
  readonly index: RepositoryIndex;
  /** The facts of the index and of the pages that this run writes. */
  readonly facts: GrowingFacts;
  readonly lineage: Lineage;
  readonly change: RepositoryChange;
  /** What the commits of the change say of themselves. */
  readonly messages: readonly string[];
  readonly head: string | null;
};

/** The result for one page. `partial`: some patches were applied, and the writer's last one failed. */
export type PageResult = {
  readonly path: string;
  readonly mode: PageDraft["mode"] | null;
  readonly status: "updated" | "created" | "unchanged" | "partial" | "failed" | "refused";
  readonly summary: string;
  readonly error?: string;
  readonly patch?: string;
  readonly article: ArticleRecord;
  readonly lineage?: PageLineage;
};

/** Whether a page now agrees with its sources. */
export function isSound({ status }: PageResult): boolean {
  return status === "updated" || status === "created" || status === "unchanged";
}

/** The changed files that are not documents. */
export function codeOnly(change: RepositoryChange): RepositoryChange["files"] {
  return change.files.filter(({ path }) => !isDocumentPath(path));
}

/** Writes one page, from its sources to its transaction. A failure concerns this page only. */
export function documentPage(
  run: ModelRun,
  page: PlannedPage,
  given: {
    readonly input: DocumentationInput;
    readonly options: DocumentationOptions;
    /** The pages of the same run. */
    readonly planned?: readonly string[];
  },
): Promise<PageResult> {
  return new PageWriter(run, page, given).write();
}

const longestQuery = 4000;
const maxSources = 5;
const maxSiblings = 20;
const siblingLength = 3000;
const currentLength = 20_000;
const maxLinks = 40;

/** The beginning of a text, up to the end of a line. */
function cutLines(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, text.lastIndexOf("\n", most))}\n…`;
}

type PageSources = { readonly brief: PageBrief; readonly context: SourceContext };

class PageWriter {
  readonly #run: ModelRun;
  readonly #page: PlannedPage;
  readonly #input: DocumentationInput;
  readonly #options: DocumentationOptions;
  readonly #planned: readonly string[];
  readonly #budget: CostBudget;
  readonly #checks: Checks;

  constructor(run: ModelRun, page: PlannedPage, given: Parameters<typeof documentPage>[2]) {
    const { input, options, planned = [] } = given;
    this.#planned = planned;
    this.#run = run;
    this.#page = page;
    this.#input = input;
    this.#options = options;
    this.#budget = run.budget.child();
    this.#checks = { facts: input.facts, secrets: run.secrets, commits: input.change.commits };
  }

  async write(): Promise<PageResult> {
    const { path, originalPath } = this.#page;
    const read = await this.#run.context.reader.read(path);
    if (!read.ok) return this.#fail(refusalText(this.#run, read.refusal));
    const target = read.value;
    const original = originalPath === undefined ? null : await this.#input.index.read(originalPath);
    const { mode } = decideMode({ force: this.#options.force ?? false, target: target.text, original });
    const sources = await this.#findSources(target.text ?? original ?? "", mode);
    const drafted = await this.#draft(sources.brief, { target: target.text, original });
    if (!drafted.ok) return this.#fail(refusalText(this.#run, drafted.refusal));
    const draft = drafted.value;
    this.#reportDraft(draft);
    const left = leftForPerson(draft.verdict.objections);
    if (left !== null) return this.#refuseDraft(left, draft, target.text);
    return this.#finish(draft, target, sources.context);
  }

  async #findSources(text: string, mode: PageMode): Promise<PageSources> {
    const { index, lineage, change } = this.#input;
    const { path, description, type, relevantPaths } = this.#page;
    const { project, redact } = this.#run;
    const linked = [...relevantPaths, ...(lineage.pages[path]?.sources ?? [])];
    const query = `${path} ${description} ${text}`.slice(0, longestQuery);
    const search = { index, query, limit: maxSources, budget: this.#budget };
    const named = linked.length > 0 ? linked : await findSources(this.#run, search);
    const neighbours = await findNeighbours(index, text, maxSources);
    const budget = contextBudget(this.#run.models.writer, this.#run.contextLength);
    const context = await gatherSources(index, named, { skeletons: isForUsers(type), neighbours, budget });
    const relevant = new Set([...named, ...context.sources]);
    const patches = codeOnly(change).filter(
      (file) => relevant.has(file.path) || relevant.has(file.from ?? ""),
    );
    const commits = describeCommits(this.#input.messages);
    const shown = excerptDiff(patches, budget.diff).text;
    const diff = redact(
      [commits === "" ? "" : fenceData("commits", commits), shown].filter(Boolean).join("\n\n"),
    );
    const isWhole = mode === "full-generation";
    const current = isWhole && text.trim() !== "" ? cutLines(text, currentLength) : undefined;
    // A page that is replaced shows its own tone.
    const sibling = isWhole && current === undefined ? await this.#findSibling() : undefined;
    const links = isWhole ? this.#findLinks() : undefined;
    const source = redact(context.text);
    const brief = { project, path, purpose: description, type, source, diff, current, sibling, links };
    return { brief, context };
  }

  /** The pages that a full page may lead to: those of the run, then those that exist. */
  #findLinks(): string[] {
    const { path } = this.#page;
    const isPage = (other: string): boolean => isDocumentPath(other) && documentClass(other) === "page";
    const existing = this.#input.index.paths.filter(isPage);
    return [...new Set([...this.#planned, ...existing])].filter((other) => other !== path).slice(0, maxLinks);
  }

  /** A page in the same folder, of middling length; `undefined` where there is none. */
  async #findSibling(): Promise<PageBrief["sibling"]> {
    const { path } = this.#page;
    const { index } = this.#input;
    const isBeside = (other: string): boolean =>
      dirname(other) === dirname(path) && extname(other) === extname(path);
    const beside = index.paths.filter((other) => other !== path && isDocumentPath(other) && isBeside(other));
    const read = await Promise.all(
      beside
        .slice(0, maxSiblings)
        .map(async (other) => ({ path: other, text: (await index.read(other)) ?? "" })),
    );
    const sorted = read
      .filter(({ text }) => text.trim() !== "")
      .sort((a, b) => a.text.length - b.text.length);
    const chosen = sorted[Math.floor(sorted.length / 2)];
    return chosen && { path: chosen.path, text: this.#run.redact(cutLines(chosen.text, siblingLength)) };
  }

  #draft(brief: PageBrief, texts: { readonly target: string | null; readonly original: string | null }) {
    const { command, force = false, maxSteps, maxTokens } = this.#options;
    const work = { subject: this.#page.path, command, budget: this.#budget };
    return draftPage({
      brief,
      force,
      ...texts,
      models: this.#run.models,
      checks: this.#checks,
      work: new Assignment(this.#run, work),
      maxSteps,
      maxOutputTokens: maxTokens,
      reading: new ReadTools(this.#run),
    });
  }

  /** Commits the draft, or says that the page needs no change. */
  async #finish(draft: PageDraft, target: FileSnapshot, sources: SourceContext): Promise<PageResult> {
    const { path, originalPath } = this.#page;
    const { dryRun = false } = this.#options;
    const version = target.text === null ? null : target.version;
    const surgical = draft.mode === "surgical-update";
    const moved = surgical && version === null && originalPath !== undefined;
    if (surgical && draft.edits.length === 0 && !moved) return this.#unchanged(draft, version, sources);
    const committed = await commitPage(
      { ...this.#run.context, task: path },
      { path, draft, originalPath, version, checks: this.#checks, dryRun },
    );
    if (!committed.ok) {
      const failed = this.#fail(refusalText(this.#run, committed.refusal));
      return { ...failed, mode: draft.mode };
    }
    this.#input.facts.learn({ path, text: draft.after });
    this.#report("done", progressText.wrote(path, dryRun));
    const result = this.#written(draft, committed.value, version === null ? "created" : "updated");
    if (draft.unresolved !== null) return this.#partial(result, draft.unresolved);
    const { entry } = committed.value;
    const written = entry?.files.find((file) => file.path === path)?.after?.version;
    return written === undefined ? result : { ...result, lineage: this.#lineage(written, sources) };
  }

  #unchanged(draft: PageDraft, version: string | null, sources: SourceContext): PageResult {
    if (draft.unresolved !== null) return this.#fail(draft.unresolved, draft);
    const { path } = this.#page;
    this.#report("done", progressText.noUpdate(path));
    const article: ArticleRecord = { ...this.#article(draft), status: "unchanged" };
    const result = { path, mode: draft.mode, status: "unchanged", summary: draft.summary, article } as const;
    return version === null ? result : { ...result, lineage: this.#lineage(version, sources) };
  }

  #written(draft: PageDraft, { diff: patch, entry }: Applied, status: "created" | "updated"): PageResult {
    const reasons = draft.mode === "surgical-update" ? draft.edits.map(({ reason }) => reason) : [];
    const article: ArticleRecord = {
      ...this.#article(draft),
      status: "updated",
      patch,
      ...nonEmpty("editReasons", reasons),
      ...nonEmpty("entries", entry ? [entry.id] : []),
    };
    const { mode, summary } = draft;
    return { path: this.#page.path, mode, status, summary, patch, article };
  }

  #partial(result: PageResult, unresolved: string): PageResult {
    const error = documentationText.partial(unresolved);
    this.#report("failed", progressText.unfinished(result.path, error));
    return { ...result, status: "partial", error, article: { ...result.article, error } };
  }

  /** The draft stays in the record, for a person: it was not written. */
  #refuseDraft(error: string, draft: PageDraft, target: string | null): PageResult {
    const failed = this.#fail(error, draft);
    const { path, originalPath } = this.#page;
    const { mode, base, after } = draft;
    const moved = mode === "surgical-update" && target === null ? originalPath : undefined;
    const before = moved === undefined ? target : base;
    const patch = before === after ? "" : printPageDiff(path, before, after, moved);
    return patch === "" ? failed : { ...failed, article: { ...failed.article, draft: patch } };
  }

  #fail(error: string, draft?: PageDraft): PageResult {
    const { path } = this.#page;
    this.#report("failed", progressText.failed(path, error));
    const details = draft ? this.#article(draft) : this.#emptyArticle();
    const article: ArticleRecord = { ...details, status: "error", error };
    return { path, mode: draft?.mode ?? null, status: "failed", summary: "", error, article };
  }

  #emptyArticle(): Omit<ArticleRecord, "status"> {
    return {
      jrn: null,
      path: this.#page.path,
      evidence: evidenceOf(this.#page, this.#input),
      usage: this.#budget.total(),
    };
  }

  #article(draft: PageDraft): Omit<ArticleRecord, "status"> {
    return {
      ...this.#emptyArticle(),
      mode: draft.mode,
      reasoning: draft.summary,
      toolCalls: { ...draft.toolCalls },
      ...gateFields({ ...draft.verdict, risks: [...draft.verdict.risks, ...this.#remarks(draft)] }),
    };
  }

  /** The reviewer's remarks that the writer did not settle. */
  #remarks({ remarks }: PageDraft): Risk[] {
    return remarks.map((detail) => ({ path: this.#page.path, what: "review", detail }));
  }

  #lineage(version: string, { sources }: SourceContext): PageLineage {
    return { sources, commit: this.#input.head, version };
  }

  #reportDraft({ mode, review }: PageDraft): void {
    const { path } = this.#page;
    this.#report("detail", documentationText.mode(path, mode));
    if (review !== null) this.#report("note", documentationText.noReview(path, review));
  }

  #report(kind: RunProgress["kind"], text: string): void {
    this.#run.report({ kind, subject: this.#page.path, text });
  }
}

/** Pages that explain show signatures instead of function bodies. */
function isForUsers(type: string): boolean {
  return /guide|tutorial|concept|intro|readme/i.test(type);
}

function evidenceOf(
  { path, relevantPaths }: PlannedPage,
  { lineage, change }: DocumentationInput,
): ChoiceEvidence[] {
  const sources = new Set(lineage.pages[path]?.sources ?? []);
  const planned = new Set(relevantPaths);
  return codeOnly(change).flatMap((file) => {
    const matchType = sources.has(file.path) ? "lineage" : planned.has(file.path) ? "planned" : null;
    return matchType === null ? [] : [{ changedFile: file.path, matchType }];
  });
}
