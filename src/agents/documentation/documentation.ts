import {
  type DocumentationState,
  parseState,
  printState,
  stateFile,
  whySkip,
} from "../../docs/record/documentation-state.ts";
import {
  emptyLineage,
  type Lineage,
  lineageFile,
  parseLineage,
  printLineage,
  withPages,
} from "../../docs/record/lineage.ts";
import { isProductPath } from "../../drift/change/code-path.ts";
import { isDocumentPath } from "../../drift/pages/policies.ts";
import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { documentationText } from "../../wording/agents.ts";
import { plural } from "../../wording/sentences.ts";
import { byWeight, excerptDiff } from "../context/diff-excerpt.ts";
import { indexRepository, type RepositoryIndex } from "../context/repository-index.ts";
import { contextBudget } from "../context/source-context.ts";
import { createGrowingFacts } from "../gates/known-facts.ts";
import { howToChoose } from "../model/model.ts";
import { nothingUsed, type Usage } from "../model/prices.ts";
import {
  type AgentRun,
  finishRun,
  hasModels,
  type ModelRun,
  metadataOf,
  readStateText,
  refusalText,
  saveRecord,
  trackSteps,
} from "../run/agent-run.ts";
import type { AgentRunRecord } from "../run/audit.ts";
import { cancelledText, unlessCancelled } from "../run/cancellation.ts";
import { mapConcurrently } from "../run/concurrency.ts";
import { ReadTools } from "../run/read-tools.ts";
import { noChange, type RepositoryChange } from "../run/repository.ts";
import { buildRecord, type RunDetails } from "../run/run-record.ts";
import {
  codeOnly,
  type DocumentationInput,
  documentPage,
  isSound,
  type PageResult,
} from "./document-page.ts";
import { readOpenPages, saveOpenPages } from "./open-pages.ts";
import { type PagePlan, type PlannedPage, planDocumentation } from "./page-plan.ts";
import { purposeOf } from "./page-purpose.ts";

export type DocumentationOptions = {
  readonly command: "documentation" | "readme";
  /** The folder of the pages; for `readme`, the page itself. */
  readonly output: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly limit?: number | undefined;
  readonly base?: string | undefined;
  readonly maxSteps?: number | undefined;
  readonly maxTokens?: number | undefined;
};

export type DocumentationResult = {
  readonly run: string;
  /** Why the whole command had nothing to do. */
  readonly skipped?: string;
  /** Pages that need a model or a person, and why. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
  readonly pages: readonly PageResult[];
  readonly usage: Usage;
  readonly audit?: AgentRunRecord;
  readonly howTo?: string;
  readonly dryRun: boolean;
};

const pagesAtOnce = 4;

/**
 * Plans pages, writes each in memory, and commits one transaction for each page that passed. Lineage and baseline
 * advance only for pages that succeeded.
 */
export async function runDocumentation(
  run: AgentRun,
  options: DocumentationOptions,
): Promise<Outcome<DocumentationResult>> {
  const { force = false, dryRun = false } = options;
  const empty = { run: run.id, left: [], pages: [], usage: nothingUsed, dryRun };
  const head = (await run.repository?.head()) ?? null;
  const stored = await readStateText(run, lineageFile);
  const lineage = (stored === null ? emptyLineage : parseLineage(stored)) ?? emptyLineage;
  const state = parseState((await readStateText(run, stateFile)) ?? "");
  const uncommitted = await countUncommitted(run);
  const known = state ?? stateOfLineage(lineage, options);
  const changed = await countChangedSince(run, known?.head ?? null);
  const open = await readOpenPages(run, { folder: options.output, paths: [] });
  const change = await changeSinceBaseline(run, options, { lineage, open });
  if (!change.ok) return change;
  const covered = await isCovered(run, known?.base ?? null, lineage);
  // Pages that were written after the base that the user names are not older than its change.
  const since = await changeSinceBaseline(run, { ...options, base: undefined }, { lineage, open: [] });
  if (!since.ok) return since;
  const stale = pagesWithChangedSources({ lineage, change: since.value }, options).length + open.length;
  const asked = await isAsked(run, options, { state, change: change.value });
  const skipped = whySkip({ state: known, force, head, uncommitted, changed, covered, stale, asked });
  if (skipped !== null) return accept({ ...empty, skipped });

  const index = await indexRepository(run, { base: change.value.base });
  if (!index.ok) return index;
  const facts = createGrowingFacts(index.value.facts);
  const messages = (await run.repository?.messages(change.value.commits)) ?? [];
  const input = { index: index.value, facts, lineage, change: change.value, messages, head };
  if (!hasModels(run))
    return accept({ ...empty, left: leftWithoutModel(input, options, open), howTo: howToChoose });

  const written = await writePages(run, input, options);
  if (!written.ok) return written;
  const { pages, beyondLimit } = written.value;
  const left = [
    ...leftOver(pages),
    ...beyondLimit.map((path) => ({ path, why: documentationText.beyondLimit })),
  ];
  const result = { ...empty, pages, usage: run.budget.total(), left };
  if (dryRun) return accept(result);
  await saveLineage(run, { lineage, stored }, pages);
  const sound = pages.every(isSound);
  const from = options.base === undefined ? state?.from : (change.value.base ?? undefined);
  if (head !== null && sound) await saveState(run, head, from);
  await finishRun(run, sound);
  const articles = pages.map(({ article }) => article);
  const audit = buildRecord(run, detailsOf(change.value, options), articles);
  await saveRecord(run, audit);
  run.signal?.throwIfAborted();
  return accept({ ...result, audit });
}

/** The base of the change that a page was planned for, so that the run that writes it sees the same change. */
function sinceOf({ since }: PlannedPage, { base }: RepositoryChange): Pick<PlannedPage, "since"> {
  const first = since ?? base;
  return first === null || first === undefined ? {} : { since: first };
}

/** The results of the planned pages, the refused ones first, and the paths of those beyond the limit. */
async function writePages(
  run: ModelRun,
  input: DocumentationInput,
  options: DocumentationOptions,
): Promise<Outcome<{ readonly pages: PageResult[]; readonly beyondLimit: readonly string[] }>> {
  const plan = await planFor(run, input, options);
  if (!plan.ok) return plan;
  const { refused } = plan.value;
  const open = await readOpenPages(run, { folder: options.output, paths: input.index.paths });
  const isPlanned = new Set(plan.value.pages.map(({ path }) => path));
  const pages = [...plan.value.pages, ...open.filter(({ path }) => !isPlanned.has(path))];
  // Pages of one run may link to each other, also to those that are written later.
  const planned = pages.map(({ path }) => path);
  for (const path of planned) input.facts.expect(path);
  const written = await mapConcurrently(pages.slice(0, options.limit), pagesAtOnce, (page) =>
    unlessCancelled(
      run.signal,
      () => documentPage(run, page, { input, options, planned }),
      () => unwritten(page.path, "failed", cancelledText),
    ),
  );
  const done = new Set(written.filter(isSound).map(({ path }) => path));
  if (!options.dryRun)
    await saveOpenPages(
      run,
      pages
        .filter(({ path }) => !done.has(path))
        .map((page) => ({ ...page, ...sinceOf(page, input.change) })),
    );
  return accept({
    pages: [...refused.map(({ path, why }) => unwritten(path, "refused", why)), ...written],
    beyondLimit: planned.slice(written.length),
  });
}

function detailsOf(change: RepositoryChange, { command }: DocumentationOptions): RunDetails {
  const { base, head, commits, files } = change;
  const trigger = { base, head, commits, changedFiles: files.map(({ path }) => path) };
  return { source: "git", command, trigger, tools: ["patch_file"] };
}

async function countUncommitted(run: AgentRun): Promise<number | null> {
  const open = await run.repository?.uncommitted();
  return open?.ok ? open.value.files.filter(({ path }) => !isDocumentPath(path)).length : null;
}

/**
 * Whether an earlier run was asked about the change since `--base`. A run without a base has planned without that change.
 * Where no state is stored, as in CI, the committed lineage speaks for its pages.
 */
async function isAsked(
  { repository }: AgentRun,
  { base }: DocumentationOptions,
  { state, change }: { readonly state: DocumentationState | null; readonly change: RepositoryChange },
): Promise<boolean> {
  if (base === undefined || state === null || codeOnly(change).length === 0) return true;
  if (state.from === undefined || change.base === null) return false;
  return (await repository?.isBefore(state.from, change.base)) ?? false;
}

/** Whether a check from `base` covers every change since the last check of each page. */
async function isCovered(
  { repository }: AgentRun,
  base: string | null,
  { pages }: Lineage,
): Promise<boolean> {
  if (base === null) return true;
  for (const commit of new Set(Object.values(pages).map(({ commit }) => commit)))
    if (commit === null || !(await repository?.isBefore(base, commit))) return false;
  return true;
}

/** The files that commits since `from` changed, documents left out; `null` where that commit is not known. */
async function countChangedSince({ repository }: AgentRun, from: string | null): Promise<number | null> {
  if (!repository || from === null || (await repository.resolve(from)) === null) return null;
  const change = await repository.changeSince(from);
  return change.ok ? codeOnly(change.value).length : null;
}

/**
 * What the committed lineage says where no state is stored, as in CI: the pages of this command were all true at the
 * same commit. Planned pages that were never written are not in it, so it counts only where nothing is planned.
 */
function stateOfLineage({ pages }: Lineage, { output }: DocumentationOptions): DocumentationState | null {
  const own = Object.entries(pages).filter(([path]) => path === output || path.startsWith(`${output}/`));
  const commits = new Set(own.map(([, { commit }]) => commit));
  const [head] = commits;
  if (commits.size !== 1 || head === null || head === undefined) return null;
  return { version: 1, checkedAt: "as the lineage says", base: null, head, hasDrift: false };
}

/** The change since `--base`, or since the oldest commit of the lineage and of the open pages; empty where there is none. */
async function changeSinceBaseline(
  run: AgentRun,
  { base }: DocumentationOptions,
  { lineage, open }: { readonly lineage: Lineage; readonly open: readonly PlannedPage[] },
): Promise<Outcome<RepositoryChange>> {
  const { repository } = run;
  if (!repository) return accept(noChange);
  if (base !== undefined) {
    const found = await repository.findBase(base);
    return found.ok ? repository.changeSince(found.value) : found;
  }
  let widest: RepositoryChange = { ...noChange, head: await repository.head() };
  const written = Object.values(lineage.pages).map(({ commit }) => commit);
  for (const commit of new Set([...written, ...open.map(({ since = null }) => since)])) {
    if (commit === null || (await repository.resolve(commit)) === null) continue;
    const change = await repository.changeSince(commit);
    if (change.ok && change.value.commits.length >= widest.commits.length) widest = change.value;
  }
  return accept(widest);
}

/** The pages whose sources changed, by lineage. */
function pagesWithChangedSources(
  { lineage, change }: Pick<DocumentationInput, "lineage" | "change">,
  { output }: Pick<DocumentationOptions, "output">,
): DocumentationResult["left"] {
  const changed = new Set(
    change.files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])),
  );
  return Object.entries(lineage.pages).flatMap(([path, { sources }]) => {
    const found = sources.filter((source) => changed.has(source));
    const mine = path === output || path.startsWith(`${output}/`);
    return mine && found.length > 0 ? [{ path, why: documentationText.sourcesChanged(found) }] : [];
  });
}

/** Without a model: the pages whose sources changed, and those that an earlier run planned and did not write. */
function leftWithoutModel(
  input: DocumentationInput,
  options: DocumentationOptions,
  open: readonly PlannedPage[],
): DocumentationResult["left"] {
  const stale = pagesWithChangedSources(input, options);
  const isStale = new Set(stale.map(({ path }) => path));
  const planned = open.filter(({ path }) => !isStale.has(path));
  return [...stale, ...planned.map(({ path }) => ({ path, why: documentationText.stillPlanned }))];
}

async function planFor(
  run: ModelRun,
  input: DocumentationInput,
  options: DocumentationOptions,
): Promise<Outcome<PagePlan>> {
  const { index, change, messages } = input;
  if (options.command === "readme")
    return accept({ pages: [readmePage(options.output, index, change)], refused: [] });
  const known = options.force ? null : await planByLineage(input, options);
  if (known !== null) return accept(known);
  const budget = run.budget.child();
  const steps = trackSteps(run, options.output, budget);
  steps.begin("planning");
  const planned = await planDocumentation({
    force: options.force ?? false,
    messages: messages.map(run.redact),
    models: run.models,
    project: run.project,
    folder: options.output,
    index,
    contextLength: run.contextLength,
    reading: new ReadTools(run, run.models.planner),
    diff: run.redact(
      excerptDiff(codeOnly(change), contextBudget(run.models.planner, run.contextLength).diff).text,
    ),
    redact: run.redact,
    changed: changedProduct(change),
    budget,
    metadata: metadataOf(run, options.command),
    signal: run.signal,
    steps,
  });
  const text = planned.ok
    ? documentationText.planned(plural(planned.value.pages.length, "page"))
    : documentationText.planningFailed;
  run.report({ kind: planned.ok ? "done" : "failed", subject: options.output, text });
  return planned;
}

/**
 * The plan where lineage knows it: each changed source belongs to a page that was written from it. `null`: some changed
 * source belongs to none, so that a planner has to say which page is about it.
 */
async function planByLineage(
  { index, lineage, change }: DocumentationInput,
  { output }: Pick<DocumentationOptions, "output">,
): Promise<PagePlan | null> {
  const changed = changedProduct(change);
  const stale = pagesWithChangedSources({ lineage, change }, { output }).map(({ path }) => path);
  const sources = new Set(stale.flatMap((path) => lineage.pages[path]?.sources ?? []));
  if (changed.length === 0 || !changed.every((path) => sources.has(path))) return null;
  const pages: PlannedPage[] = [];
  for (const path of stale) {
    const text = await index.read(path);
    if (text === null) return null;
    const relevantPaths = lineage.pages[path]?.sources ?? [];
    pages.push({ path, description: purposeOf(path, text), type: "reference", relevantPaths });
  }
  return { pages, refused: [] };
}

/** The changed files that a page may be about. Tests are examples, and what programs write tells nothing. */
function changedProduct(change: RepositoryChange): string[] {
  return byWeight(codeOnly(change))
    .map(({ path }) => path)
    .filter(isProductPath);
}

function readmePage(path: string, index: RepositoryIndex, change: RepositoryChange): PlannedPage {
  const manifests = index.paths.filter((each) =>
    /^(package\.json|pyproject\.toml|Cargo\.toml|go\.mod|setup\.py)$/.test(each),
  );
  const entries = index.code
    .filter((each) => /(^|\/)(index|main|cli|lib|mod|__init__)\.\w+$/.test(each))
    .slice(0, 6);
  const changed = changedProduct(change).slice(0, 6);
  return {
    path,
    description: "what the project is, how to install it and how to start",
    type: "readme",
    relevantPaths: [...new Set([...manifests, ...changed, ...entries])],
  };
}

function unwritten(path: string, status: "failed" | "refused", error: string): PageResult {
  const article = { jrn: null, path, status: "error" as const, evidence: [], error };
  return { path, mode: null, status, summary: "", error, article };
}

function leftOver(pages: readonly PageResult[]): DocumentationResult["left"] {
  return pages.flatMap((page) => (isSound(page) ? [] : [{ path: page.path, why: page.error ?? "" }]));
}

/** Saves the lineage of the written pages. A lineage file that cannot be read is left alone. */
async function saveLineage(
  run: AgentRun,
  { lineage, stored }: { readonly lineage: Lineage; readonly stored: string | null },
  pages: readonly PageResult[],
): Promise<void> {
  const fresh = Object.fromEntries(pages.flatMap(({ path, lineage }) => (lineage ? [[path, lineage]] : [])));
  if (Object.keys(fresh).length === 0) return;
  if (stored !== null && parseLineage(stored) === null)
    return run.report({
      kind: "failed",
      subject: lineageFile,
      text: documentationText.unreadableLineage(lineageFile),
    });
  const bytes = new TextEncoder().encode(printLineage(withPages(lineage, fresh)));
  const written = await run.context.workspace?.writeState(lineageFile, bytes);
  if (written && !written.ok)
    run.report({ kind: "failed", subject: lineageFile, text: refusalText(run, written.refusal) });
}

async function saveState(run: AgentRun, head: string, from: string | undefined): Promise<void> {
  const state = {
    version: 1,
    checkedAt: run.now().toISOString(),
    base: null,
    head,
    hasDrift: false,
    ...defined({ from }),
  } as const;
  await run.context.workspace?.writeState(stateFile, new TextEncoder().encode(printState(state)));
}
