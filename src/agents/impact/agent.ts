import { parseAudit } from "../../docs/record/audit-schema.ts";
import { local } from "../../drift/pages/attention.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { impactText } from "../../wording/agents.ts";
import { indexRepository } from "../context/repository-index.ts";
import type { KnownFacts } from "../gates/known-facts.ts";
import { howToChoose } from "../model/model.ts";
import { addUsage, nothingUsed, type Usage } from "../model/prices.ts";
import {
  type AgentRun,
  finishRun,
  hasModels,
  type ModelRun,
  readStateText,
  saveRecord,
} from "../run/agent-run.ts";
import type { AgentRunRecord, ArticleRecord } from "../run/audit.ts";
import { cancelledText, unlessCancelled } from "../run/cancellation.ts";
import type { RepositoryChange } from "../run/repository.ts";
import { buildRecord } from "../run/run-record.ts";
import { Propagation } from "./propagate.ts";
import { type Impacted, type SearchOptions, type SearchResult, searchImpact } from "./search.ts";
import { runArticleAgent } from "./update-article.ts";

/** A person's decision about one article. */
export type ArticleDecision = "update" | "skip" | "quit";

export type AgentOptions = SearchOptions & {
  readonly dryRun?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly propagate?: boolean | undefined;
  readonly maxDepth?: number | undefined;
  readonly maxSteps?: number | undefined;
  readonly decide: (impacted: Impacted) => Promise<ArticleDecision>;
};

export type AgentResult = {
  readonly search: SearchResult;
  readonly phase1: readonly ArticleRecord[];
  readonly phase2: readonly ArticleRecord[];
  readonly depth: number;
  readonly cut: boolean;
  readonly records: readonly AgentRunRecord[];
  readonly left: readonly { readonly path: string; readonly why: string }[];
  readonly usage: Usage;
  readonly howTo?: string;
};

/** Updates the articles that a change concerns, one agent each, and then the articles that watch those. */
export async function runImpactAgent(run: AgentRun, options: AgentOptions): Promise<Outcome<AgentResult>> {
  const found = await searchImpact(run, options);
  if (!found.ok) return found;
  const search = found.value;
  const impacted = search.impacted.slice(0, options.limit);
  const none = emptyResult(run, search);
  if (impacted.length === 0 || options.dryRun) return accept({ ...none, left: impacted.map(toLeft) });
  if (!hasModels(run)) return accept({ ...none, left: impacted.map(toLeft), howTo: howToChoose });
  const index = await indexRepository(run, { base: baseOf(search) });
  if (!index.ok) return index;

  const session = { run, options, facts: index.value.facts };
  const commits = search.changes.flatMap(({ change }) => change.commits);
  const first = await updateAll(session, impacted, commits);
  const record = recordFor(run, { source: "git", change: mergeChanges(search), articles: first.articles });
  await saveRecord(run, record);
  await saveLastRun(run, record.id);
  run.signal?.throwIfAborted();
  const goesOn = options.propagate !== false && !first.quit;
  const second = goesOn ? await propagate(session, search, record) : noPropagation;
  const left = leftOver([...first.articles, ...second.articles]);
  await finishRun(run, left.length === 0);
  return accept({
    search,
    phase1: first.articles,
    phase2: second.articles,
    depth: second.depth,
    cut: second.cut,
    records: [record, ...second.records],
    left,
    usage: run.budget.total(),
  });
}

/** Phase two alone, from the last run that a code change started. */
export async function runPropagation(
  run: AgentRun,
  options: AgentOptions,
  last: AgentRunRecord,
): Promise<Outcome<AgentResult>> {
  const found = await searchImpact(run, { ...options, source: local });
  if (!found.ok) return found;
  const index = await indexRepository(run, { base: baseOf(found.value) });
  if (!index.ok) return index;
  const none = emptyResult(run, found.value);
  if (!hasModels(run)) return accept({ ...none, left: [], howTo: howToChoose });
  const session = { run, options, facts: index.value.facts };
  const { articles, depth, cut, records } = await propagate(session, found.value, last);
  const usage = run.budget.total();
  return accept({ ...none, phase2: articles, depth, cut, records, left: leftOver(articles), usage });
}

/** The revision that the change of this repository is compared with. */
function baseOf({ changes }: SearchResult): string | null {
  return changes.find(({ source }) => source === local)?.change.base ?? null;
}

function emptyResult(run: AgentRun, search: SearchResult) {
  const usage = run.budget.total();
  return { search, phase1: [], phase2: [], depth: 0, cut: false, records: [], usage } as const;
}

/** What the agents of one command share. */
type ImpactSession = {
  readonly run: ModelRun;
  readonly options: AgentOptions;
  readonly facts: KnownFacts;
};

type UpdateResult = { readonly articles: readonly ArticleRecord[]; readonly quit: boolean };

async function updateAll(
  session: ImpactSession,
  impacted: readonly Impacted[],
  commits: readonly string[],
): Promise<UpdateResult> {
  const { run, options } = session;
  const articles: ArticleRecord[] = [];
  let quit = false;
  for (const each of impacted) {
    const decision: ArticleDecision = quit || run.signal?.aborted ? "skip" : await options.decide(each);
    quit ||= decision === "quit";
    articles.push(
      decision === "update"
        ? await updateOne(session, each, commits)
        : { ...foundArticle(each), status: "skipped" },
    );
  }
  return { articles, quit };
}

async function updateOne(
  { run, options, facts }: ImpactSession,
  impacted: Impacted,
  commits: readonly string[],
): Promise<ArticleRecord> {
  const { path } = impacted.article;
  const done = await unlessCancelled(
    run.signal,
    () => runArticleAgent(run, impacted, { facts, commits, maxSteps: options.maxSteps }),
    (): ArticleRecord => ({ ...foundArticle(impacted), status: "error", error: cancelledText }),
  );
  const kind = done.status === "error" ? "failed" : "done";
  run.report({ kind, subject: path, text: `${impactText.status(done)}: ${path}` });
  return done;
}

function foundArticle({ article, evidence }: Impacted): Pick<ArticleRecord, "jrn" | "path" | "evidence"> {
  return { jrn: article.jrn, path: article.path, evidence: [...evidence] };
}

type PropagationResult = {
  readonly articles: readonly ArticleRecord[];
  readonly records: readonly AgentRunRecord[];
  readonly depth: number;
  readonly cut: boolean;
};

const noPropagation: PropagationResult = { articles: [], records: [], depth: 0, cut: false };
const defaultDepth = 5;

/** Breadth first: the articles that one level updates are the change for the next level. */
async function propagate(
  session: ImpactSession,
  { select }: SearchResult,
  from: AgentRunRecord,
): Promise<PropagationResult> {
  const { run, options } = session;
  const { maxDepth = defaultDepth } = options;
  const visited = from.articles.map(({ path }) => path);
  const propagation = new Propagation({ select, maxDepth, visited });
  const { base, head, commits } = from.trigger;
  const all: ArticleRecord[] = [];
  const records: AgentRunRecord[] = [];
  let updated = from.articles.filter(isUpdated);
  let quit = false;
  let depth = 0;
  for (;;) {
    const next = propagation.next(updated, depth);
    if (next.impacted.length === 0 || quit) break;
    depth++;
    const level = await updateAll(session, next.impacted, commits);
    const change = { base, head, commits: [], files: next.changed };
    const built = recordFor(run, { source: "sync", change, articles: level.articles, record: from.id });
    const record = { ...built, id: `${run.id}-sync${depth}` };
    records.push(record);
    await saveRecord(run, record);
    run.signal?.throwIfAborted();
    all.push(...level.articles);
    updated = level.articles.filter(isUpdated);
    quit = level.quit;
  }
  return { articles: all, records, depth, cut: !quit && propagation.wasCut(updated, depth) };
}

function isUpdated({ status }: ArticleRecord): boolean {
  return status === "updated";
}

function toLeft({ article, evidence }: Impacted): AgentResult["left"][number] {
  return {
    path: article.path,
    why: evidence.map(({ changedFile, pattern }) => `${changedFile} (${pattern})`).join(", "),
  };
}

function leftOver(articles: readonly ArticleRecord[]): AgentResult["left"] {
  return articles.flatMap(({ path, error }) => (error === undefined ? [] : [{ path, why: error }]));
}

type RecordedChange = Omit<RepositoryChange, "files"> & {
  readonly files: readonly { readonly path: string }[];
};

/** The changes of all sources as one. Base and head are those of this repository, if its change was read. */
function mergeChanges({ changes }: SearchResult): RecordedChange {
  const own = changes.find(({ source }) => source === local) ?? changes[0];
  const files = changes.flatMap(({ source, change }) =>
    change.files.map(({ path }) => ({ path: source === local ? path : `${source}:${path}` })),
  );
  return {
    base: own?.change.base ?? null,
    head: own?.change.head ?? null,
    commits: changes.flatMap(({ change }) => change.commits),
    files,
  };
}

/** A record with the usage of its own articles: the second phase has records of its own. */
function recordFor(
  run: AgentRun,
  given: {
    readonly source: "git" | "sync";
    readonly change: RecordedChange;
    readonly articles: readonly ArticleRecord[];
    /** The record that started the propagation. */
    readonly record?: string;
  },
): AgentRunRecord {
  const { source, change, articles, record } = given;
  const usage = articles.reduce((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), nothingUsed);
  const { base, head, commits, files } = change;
  const changed = { base, head, commits, changedFiles: files.map(({ path }) => path) };
  const trigger = record === undefined ? changed : { ...changed, record };
  const tools = ["edit_article", "write_file"];
  return buildRecord(run, { source, command: "impact agent", trigger, tools, usage }, articles);
}

/** Names the record that `--propagate-only` starts from. */
export const lastRunFile = "audit/last.json";

/** The record of the last run that a code change started. */
export async function readLastRun(run: AgentRun): Promise<AgentRunRecord | null> {
  const id = /"id":"([\w.-]+)"/.exec((await readStateText(run, lastRunFile)) ?? "")?.[1];
  return id === undefined ? null : parseAudit((await readStateText(run, `audit/${id}.json`)) ?? "");
}

async function saveLastRun(run: AgentRun, id: string): Promise<void> {
  const text = `${JSON.stringify({ version: 1, id })}\n`;
  await run.context.workspace?.writeState(lastRunFile, new TextEncoder().encode(text));
}
