import {
  type Article,
  type Attention,
  indexArticles,
  local,
  readArticle,
  type Select,
} from "../../drift/pages/attention.ts";
import { isMarkdownPath } from "../../syntax/formats/registry.ts";
import { matcher } from "../../text/match/glob.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { impactText } from "../../wording/agents.ts";
import type { AgentRun } from "../run/agent-run.ts";
import type { RepositoryChange } from "../run/repository.ts";
import { type AskSources, type ChangeQuestion, readChanges, readSources, trustSources } from "./sources.ts";

export type SearchOptions = ChangeQuestion & {
  /** The folder of the articles. */
  readonly docs: string;
  /** Only rules about this source. */
  readonly source?: string | undefined;
  /** Fail if a source cannot be read. By default it is only noted. */
  readonly strict?: boolean | undefined;
  /** Asks a person about sources that the repository itself lists. Without it, only a named source is read. */
  readonly askSources?: AskSources | undefined;
};

/** An article that a change concerns, with the patches of the files it watches. */
export type Impacted = Attention & { readonly patches: RepositoryChange["files"] };

export type SearchResult = {
  readonly articles: readonly Article[];
  readonly impacted: readonly Impacted[];
  /** The change of each readable source. */
  readonly changes: readonly { readonly source: string; readonly change: RepositoryChange }[];
  /** The sources that could not be read, and why. */
  readonly unresolved: readonly { readonly source: string; readonly why: string }[];
  readonly notes: readonly string[];
  readonly select: Select;
};

/** Finds the articles that a change concerns, by their own rules. No model is asked. */
export async function searchImpact(run: AgentRun, options: SearchOptions): Promise<Outcome<SearchResult>> {
  const listed = await readArticles(run, options.docs);
  if (!listed.ok) return listed;
  const { articles, notes } = listed.value;
  const sources = await readSources(run);
  if (!sources.ok) return sources;
  const watched = [...new Set(articles.flatMap(({ rules }) => rules.map(({ source }) => source)))].sort();
  const names = options.source === undefined ? [...new Set([local, ...watched])] : [options.source];
  const asked = names.filter((name) => name !== options.source);
  const isTrusted = await trustSources(run, sources.value, { watched: asked, ask: options.askSources });
  const read = await readChanges(run, names, {
    sources: sources.value.sources,
    untrusted: isTrusted ? null : sources.value.inTree,
    named: options.source,
    question: options,
  });
  const unresolved = read.flatMap((each) => ("why" in each ? [each] : []));
  const changes = read.flatMap((each) => ("change" in each ? [each] : []));
  const [missing] = unresolved;
  if (missing && (options.strict || changes.length === 0))
    return refuse({
      code: "unavailable",
      detail: impactText.unreadableSource(missing.source, missing.why),
    });
  const select = indexArticles(articles);
  return accept({
    articles,
    impacted: joinSources(
      changes.map(({ source, change }) => ({ change, selected: select(change.files, source) })),
    ),
    changes,
    unresolved,
    notes,
    select,
  });
}

type ArticleList = { readonly articles: readonly Article[]; readonly notes: readonly string[] };

async function readArticles(run: AgentRun, docs: string): Promise<Outcome<ArticleList>> {
  const listed = await run.context.reader.list({ under: docs });
  if (!listed.ok) return listed;
  const articles: Article[] = [];
  const notes: string[] = [];
  for (const path of listed.value.paths) {
    if (!isMarkdownPath(path)) continue;
    const read = await run.context.reader.read(path);
    if (!read.ok || read.value.text === null) continue;
    const { article, trouble } = readArticle(path, read.value.text);
    if (article) articles.push(article);
    // An unreadable rule selects nothing, so the note says that it exists.
    if (trouble !== undefined) notes.push(`${path}: ${trouble}`);
  }
  const dead = await findDeadRules(run, articles);
  return accept({ articles, notes: [...notes, ...findDuplicateIds(articles), ...dead] });
}

// A rule without a match is tried on every path, and a longer list would not help.
const maxRules = 500;

/** Rules about this repository that match none of its files. They will never select anything. */
async function findDeadRules(run: AgentRun, articles: readonly Article[]): Promise<string[]> {
  const listed = await run.context.reader.list();
  if (!listed.ok) return [];
  const { paths } = listed.value;
  const known = new Set(paths);
  const rules = articles.flatMap(({ path, rules }) =>
    rules.flatMap(({ pattern, source }) =>
      source === local && !known.has(pattern) ? [{ path, pattern }] : [],
    ),
  );
  return rules
    .slice(0, maxRules)
    .filter(({ pattern }) => !paths.some(matcher(pattern)))
    .map(({ path, pattern }) => impactText.deadRule(path, pattern));
}

function joinSources(
  found: readonly { change: RepositoryChange; selected: readonly Attention[] }[],
): Impacted[] {
  const joined = new Map<string, Impacted>();
  for (const { change, selected } of found)
    for (const { article, evidence } of selected) {
      const names = new Set(evidence.map(({ changedFile }) => changedFile));
      const patches = change.files.filter(
        ({ path, from }) => names.has(path) || (from !== undefined && names.has(from)),
      );
      const before = joined.get(article.path);
      joined.set(article.path, {
        article,
        evidence: [...(before?.evidence ?? []), ...evidence],
        patches: [...(before?.patches ?? []), ...patches],
      });
    }
  return [...joined.values()].sort((a, b) => (a.article.path < b.article.path ? -1 : 1));
}

function findDuplicateIds(articles: readonly Article[]): string[] {
  const byId = Map.groupBy(articles, ({ jrn }) => jrn);
  return [...byId].flatMap(([jrn, same]) => {
    if (jrn === null || same.length === 1) return [];
    const paths = same.map(({ path }) => path);
    return [impactText.sameId(paths, jrn)];
  });
}
