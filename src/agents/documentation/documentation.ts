import { parseState, printState, stateFile, whySkip } from "../../docs/documentation-state.ts";
import {
  emptyLineage,
  type Lineage,
  lineageFile,
  parseLineage,
  printLineage,
  withPages,
} from "../../docs/lineage.ts";
import { isDocumentPath } from "../../drift/pages/policies.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { plural } from "../../wording/report.ts";
import { excerptDiff } from "../context/diff-excerpt.ts";
import { howToChoose } from "../model/model.ts";
import type { Crew } from "../model/models.ts";
import { nothingUsed, type Usage } from "../model/prices.ts";
import {
  type Bench,
  finishRun,
  followSteps,
  keepAudit,
  readStateText,
  sessionOf,
  worded,
} from "../run/agent-run.ts";
import type { AuditRecord } from "../run/audit.ts";
import { stoppedWords, unlessStopped } from "../run/cancellation.ts";
import { inParallel } from "../run/concurrency.ts";
import { recordOf } from "../run/record.ts";
import { noChange, type RepositoryChange } from "../run/repository.ts";
import { codeOnly, documentPage, type Ground, isSound, type PageResult } from "./document-page.ts";
import { type PlannedPage, planDocumentation } from "./page-plan.ts";
import { type Survey, surveyRepository } from "./survey.ts";

export type DocumentationOptions = {
  readonly command: "documentation" | "readme";
  /** Where pages live; for `readme`, the one page. */
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
  readonly audit?: AuditRecord;
  readonly howTo?: string;
  readonly dryRun: boolean;
};

const pagesAtOnce = 4;

/**
 * Plans pages, writes each in memory, and commits one transaction for every page that passed. Lineage and baseline
 * advance for pages that succeeded and for no others.
 */
export async function runDocumentation(
  bench: Bench,
  options: DocumentationOptions,
): Promise<Outcome<DocumentationResult>> {
  const { force = false, dryRun = false } = options;
  const nothing = { run: bench.run, left: [], pages: [], usage: nothingUsed, dryRun };
  const head = (await bench.repository?.head()) ?? null;
  const kept = await readStateText(bench, lineageFile);
  const lineage = (kept === null ? emptyLineage : parseLineage(kept)) ?? emptyLineage;
  const state = parseState((await readStateText(bench, stateFile)) ?? "");
  const uncommitted = await countUncommitted(bench);
  const covered = await isCovered(bench, state?.base ?? null, lineage);
  const skipped = whySkip({ state, force, head, uncommitted, covered });
  if (skipped !== null) return accept({ ...nothing, skipped });

  const survey = await surveyRepository(bench.context.reader, { signal: bench.signal });
  if (!survey.ok) return survey;
  const change = await changeSinceBaseline(bench, options, lineage);
  if (!change.ok) return change;
  const ground = { survey: survey.value, lineage, change: change.value, head };
  if (!bench.crew) return accept({ ...nothing, left: pagesByRule(ground, options), howTo: howToChoose });

  const plan = await planFor(bench, bench.crew, ground, options);
  if (!plan.ok) return plan;
  const pages = await inParallel(plan.value.pages.slice(0, options.limit), pagesAtOnce, (page) =>
    unlessStopped(
      bench.signal,
      () => documentPage(bench, bench.crew!, ground, options, page),
      () => unwritten(page.path, "failed", stoppedWords),
    ),
  );
  const all = [...plan.value.refused.map(({ path, why }) => unwritten(path, "refused", why)), ...pages];
  const result = { ...nothing, pages: all, usage: bench.ledger.total(), left: leftOver(all) };
  if (dryRun) return accept(result);
  await keepLineage(bench, lineage, kept, pages);
  const sound = all.every(isSound);
  if (head !== null && sound) await keepState(bench, head);
  await finishRun(bench, sound);
  const { base, head: tip, commits, files } = change.value;
  const trigger = { base, head: tip, commits, changedFiles: files.map(({ path }) => path) };
  const about = { source: "git", command: options.command, trigger, tools: ["patch_file"] } as const;
  const audit = recordOf(
    bench,
    about,
    all.map(({ article }) => article),
  );
  await keepAudit(bench, audit);
  bench.signal?.throwIfAborted();
  return accept({ ...result, audit });
}

async function countUncommitted(bench: Bench): Promise<number | null> {
  const open = await bench.repository?.uncommitted();
  return open?.ok ? open.value.files.filter(({ path }) => !isDocumentPath(path)).length : null;
}

/** Whether a check that began at `base` saw every change since each page was last true. */
async function isCovered({ repository }: Bench, base: string | null, { pages }: Lineage): Promise<boolean> {
  if (base === null) return true;
  for (const commit of new Set(Object.values(pages).map(({ commit }) => commit)))
    if (commit === null || !(await repository?.isBefore(base, commit))) return false;
  return true;
}

/** The change since `--base`, or since the oldest commit that pages were last true at; none where there is no such. */
async function changeSinceBaseline(
  bench: Bench,
  { base }: DocumentationOptions,
  lineage: Lineage,
): Promise<Outcome<RepositoryChange>> {
  const { repository } = bench;
  if (!repository) return accept(noChange);
  if (base !== undefined) {
    const found = await repository.findBase(base);
    return found.ok ? repository.changeSince(found.value) : found;
  }
  let widest: RepositoryChange = { ...noChange, head: await repository.head() };
  for (const commit of new Set(Object.values(lineage.pages).map(({ commit }) => commit))) {
    if (commit === null || (await repository.resolve(commit)) === null) continue;
    const change = await repository.changeSince(commit);
    if (change.ok && change.value.commits.length >= widest.commits.length) widest = change.value;
  }
  return accept(widest);
}

/** Without a model: the pages whose sources changed, as lineage knows them. */
function pagesByRule(
  { lineage, change }: Ground,
  { output }: DocumentationOptions,
): DocumentationResult["left"] {
  const changed = new Set(
    change.files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])),
  );
  return Object.entries(lineage.pages).flatMap(([path, { sources }]) => {
    const found = sources.filter((source) => changed.has(source));
    const mine = path === output || path.startsWith(`${output}/`);
    return mine && found.length > 0
      ? [{ path, why: `${found.join(", ")} changed since it was written` }]
      : [];
  });
}

async function planFor(bench: Bench, crew: Crew, { survey, change }: Ground, options: DocumentationOptions) {
  if (options.command === "readme")
    return accept({ pages: [readmePage(options.output, survey, change)], refused: [] });
  const ledger = bench.ledger.sub();
  const steps = followSteps(bench, options.output, ledger);
  steps.begin("planning");
  const planned = await planDocumentation({
    crew,
    project: bench.project,
    folder: options.output,
    survey,
    diff: bench.redact(excerptDiff(codeOnly(change), 15_000).text),
    redact: bench.redact,
    changed: codeOnly(change).map(({ path }) => path),
    ledger,
    metadata: sessionOf(bench, options.command),
    signal: bench.signal,
    steps,
  });
  const text = planned.ok ? `✓ planned ${plural(planned.value.pages.length, "page")}` : "planning failed";
  bench.report({ kind: planned.ok ? "done" : "failed", subject: options.output, text });
  return planned;
}

function readmePage(path: string, survey: Survey, change: RepositoryChange): PlannedPage {
  const manifests = survey.paths.filter((each) =>
    /^(package\.json|pyproject\.toml|Cargo\.toml|go\.mod|setup\.py)$/.test(each),
  );
  const entries = survey.code
    .filter((each) => /(^|\/)(index|main|cli|lib|mod|__init__)\.\w+$/.test(each))
    .slice(0, 6);
  const changed = codeOnly(change)
    .map((file) => file.path)
    .slice(0, 6);
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

/** A lineage nobody can read is somebody's: it is left alone. */
async function keepLineage(
  bench: Bench,
  lineage: Lineage,
  kept: string | null,
  pages: readonly PageResult[],
): Promise<void> {
  const fresh = Object.fromEntries(pages.flatMap(({ path, lineage }) => (lineage ? [[path, lineage]] : [])));
  if (Object.keys(fresh).length === 0) return;
  if (kept !== null && parseLineage(kept) === null)
    return bench.report({
      kind: "failed",
      subject: lineageFile,
      text: `.suture/${lineageFile} cannot be read, so it was not changed`,
    });
  const bytes = new TextEncoder().encode(printLineage(withPages(lineage, fresh)));
  const written = await bench.context.workspace?.writeState(lineageFile, bytes);
  if (written && !written.ok)
    bench.report({ kind: "failed", subject: lineageFile, text: worded(bench, written.refusal) });
}

async function keepState(bench: Bench, head: string): Promise<void> {
  const state = {
    version: 1,
    checkedAt: bench.now().toISOString(),
    base: null,
    head,
    hasDrift: false,
  } as const;
  await bench.context.workspace?.writeState(stateFile, new TextEncoder().encode(printState(state)));
}
