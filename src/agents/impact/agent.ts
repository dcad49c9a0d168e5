import { local } from "../../drift/pages/attention.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { surveyRepository } from "../documentation/survey.ts";
import type { Ground } from "../gates/ground.ts";
import { howToChoose } from "../model/model.ts";
import { addUsage, nothingUsed, type Usage } from "../model/prices.ts";
import { type Bench, finishRun, keepAudit } from "../run/agent-run.ts";
import type { AuditArticle, AuditRecord } from "../run/audit.ts";
import { stoppedWords, unlessStopped } from "../run/cancellation.ts";
import { recordOf } from "../run/record.ts";
import type { RepositoryChange } from "../run/repository.ts";
import { planPropagation } from "./propagate.ts";
import { type Impacted, type SearchOptions, type SearchResult, searchImpact } from "./search.ts";
import { runArticleAgent } from "./update-article.ts";

/** What a person decides about one article. */
export type Decision = "update" | "skip" | "quit";

export type AgentOptions = SearchOptions & {
  readonly dryRun?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly propagate?: boolean | undefined;
  readonly maxDepth?: number | undefined;
  readonly maxSteps?: number | undefined;
  readonly decide: (impacted: Impacted) => Promise<Decision>;
};

export type AgentResult = {
  readonly search: SearchResult;
  readonly phase1: readonly AuditArticle[];
  readonly phase2: readonly AuditArticle[];
  readonly depth: number;
  readonly cut: boolean;
  readonly records: readonly AuditRecord[];
  readonly left: readonly { readonly path: string; readonly why: string }[];
  readonly usage: Usage;
  readonly howTo?: string;
};

/** Updates the articles a change concerns, one agent each, and then those that watch the articles updated. */
export async function runImpactAgent(bench: Bench, options: AgentOptions): Promise<Outcome<AgentResult>> {
  const found = await searchImpact(bench, options);
  if (!found.ok) return found;
  const search = found.value;
  const none = {
    search,
    phase1: [],
    phase2: [],
    depth: 0,
    cut: false,
    records: [],
    usage: bench.ledger.total(),
  };
  const impacted = search.impacted.slice(0, options.limit);
  if (impacted.length === 0 || options.dryRun) return accept({ ...none, left: impacted.map(toLeft) });
  if (!bench.crew) return accept({ ...none, left: impacted.map(toLeft), howTo: howToChoose });
  const survey = await surveyRepository(bench.context.reader, { signal: bench.signal });
  if (!survey.ok) return survey;

  const first = await updateAll(bench, options, impacted, survey.value.ground, commitsOf(search));
  const record = keptAs(bench, "git", mergeChanges(search), first.articles);
  await keepAudit(bench, record);
  await rememberLast(bench, record.id);
  bench.signal?.throwIfAborted();
  const goesOn = options.propagate !== false && !first.quit;
  const second = goesOn
    ? await propagate(bench, options, search, survey.value.ground, record)
    : { articles: [], records: [], depth: 0, cut: false };
  const left = leftOver([...first.articles, ...second.articles]);
  await finishRun(bench, left.length === 0);
  return accept({
    search,
    phase1: first.articles,
    phase2: second.articles,
    depth: second.depth,
    cut: second.cut,
    records: [record, ...second.records],
    left,
    usage: bench.ledger.total(),
  });
}

/** Phase two alone, from the last run that a code change set off. */
export async function runPropagation(
  bench: Bench,
  options: AgentOptions,
  last: AuditRecord,
): Promise<Outcome<AgentResult>> {
  const found = await searchImpact(bench, { ...options, source: local });
  if (!found.ok) return found;
  const survey = await surveyRepository(bench.context.reader, { signal: bench.signal });
  if (!survey.ok) return survey;
  const none = {
    search: found.value,
    phase1: [],
    phase2: [],
    depth: 0,
    cut: false,
    records: [],
    usage: bench.ledger.total(),
  };
  if (!bench.crew) return accept({ ...none, left: [], howTo: howToChoose });
  const second = await propagate(bench, options, found.value, survey.value.ground, last);
  const { articles, depth, cut, records } = second;
  return accept({
    ...none,
    phase2: articles,
    depth,
    cut,
    records,
    left: leftOver(articles),
    usage: bench.ledger.total(),
  });
}

type Updated = { readonly articles: readonly AuditArticle[]; readonly quit: boolean };

async function updateAll(
  bench: Bench,
  { decide, maxSteps }: AgentOptions,
  impacted: readonly Impacted[],
  ground: Ground,
  commits: readonly string[],
): Promise<Updated> {
  const articles: AuditArticle[] = [];
  let quit = false;
  for (const each of impacted) {
    const { article, evidence } = each;
    const decision: Decision = quit || bench.signal?.aborted ? "skip" : await decide(each);
    quit ||= decision === "quit";
    if (decision !== "update") {
      articles.push({ jrn: article.jrn, path: article.path, status: "skipped", evidence: [...evidence] });
      continue;
    }
    const done = await unlessStopped(
      bench.signal,
      () => runArticleAgent(bench, bench.crew!, each, { ground, commits, maxSteps }),
      (): AuditArticle => ({
        jrn: article.jrn,
        path: article.path,
        status: "error",
        evidence: [...evidence],
        error: stoppedWords,
      }),
    );
    bench.report({
      kind: done.status === "error" ? "failed" : "done",
      subject: article.path,
      text: `${lineOf(done)}: ${article.path}`,
    });
    articles.push(done);
  }
  return { articles, quit };
}

function lineOf({ status, error }: AuditArticle): string {
  if (status === "updated") return "✓ Updated";
  if (status === "unchanged") return "○ No update needed";
  return status === "skipped" ? "- Skipped" : `✗ Error: ${error}`;
}

type Propagated = {
  readonly articles: readonly AuditArticle[];
  readonly records: readonly AuditRecord[];
  readonly depth: number;
  readonly cut: boolean;
};

/** Breadth first: what was updated at one depth is the change that the next one looks at. */
async function propagate(
  bench: Bench,
  options: AgentOptions,
  { select, articles }: SearchResult,
  ground: Ground,
  from: AuditRecord,
): Promise<Propagated> {
  const walk = planPropagation({
    articles,
    select,
    maxDepth: options.maxDepth ?? 5,
    visited: from.articles.map(({ path }) => path),
  });
  const all: AuditArticle[] = [];
  const records: AuditRecord[] = [];
  let updated: readonly AuditArticle[] = from.articles.filter(({ status }) => status === "updated");
  let depth = 0;
  let quit = false;
  for (let next = walk(updated, depth); next.impacted.length > 0 && !quit; next = walk(updated, depth)) {
    depth++;
    const level = await updateAll(bench, options, next.impacted, ground, from.trigger.commits);
    const id = `${bench.run}-sync${depth}`;
    const change = { base: from.trigger.base, head: from.trigger.head, commits: [], files: next.changed };
    records.push({ ...keptAs(bench, "sync", change, level.articles, from.id), id });
    await keepAudit(bench, records.at(-1)!);
    bench.signal?.throwIfAborted();
    all.push(...level.articles);
    updated = level.articles.filter(({ status }) => status === "updated");
    quit = level.quit;
  }
  return { articles: all, records, depth, cut: !quit && walk.wasCut(updated, depth) };
}

function toLeft({ article, evidence }: Impacted): AgentResult["left"][number] {
  return {
    path: article.path,
    why: evidence.map(({ changedFile, pattern }) => `${changedFile} (${pattern})`).join(", "),
  };
}

function leftOver(articles: readonly AuditArticle[]): AgentResult["left"] {
  return articles.flatMap(({ path, status, error }) =>
    status === "error" ? [{ path, why: error ?? "" }] : [],
  );
}

function commitsOf({ changes }: SearchResult): string[] {
  return changes.flatMap(({ change }) => change.commits);
}

function mergeChanges({ changes }: SearchResult): RepositoryChange {
  const own = changes.find(({ source }) => source === local) ?? changes[0]!;
  const files = changes.flatMap(({ source, change }) =>
    change.files.map((file) => (source === local ? file : { ...file, path: `${source}:${file.path}` })),
  );
  return { ...own.change, commits: changes.flatMap(({ change }) => change.commits), files };
}

/** Each record counts what its own articles used: the second phase is a record of its own. */
function keptAs(
  bench: Bench,
  source: "git" | "sync",
  change: Omit<RepositoryChange, "files"> & { readonly files: readonly { readonly path: string }[] },
  articles: readonly AuditArticle[],
  record?: string,
): AuditRecord {
  const usage = articles.reduce((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), nothingUsed);
  const { base, head, commits, files } = change;
  const changedFiles = files.map(({ path }) => path);
  const trigger = { base, head, commits, changedFiles, ...(record === undefined ? {} : { record }) };
  const tools = ["edit_article", "write_file"];
  return recordOf(bench, { source, command: "impact agent", trigger, tools, usage }, articles);
}

/** Names the record that `--propagate-only` starts from. */
export const lastName = "audit/last.json";

async function rememberLast(bench: Bench, id: string): Promise<void> {
  await bench.context.workspace?.writeState(
    lastName,
    new TextEncoder().encode(`${JSON.stringify({ version: 1, id })}\n`),
  );
}
