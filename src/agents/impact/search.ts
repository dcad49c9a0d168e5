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
import type { Bench } from "../run/agent-run.ts";
import type { RepositoryChange } from "../run/repository.ts";
import { type ChangeQuestion, readChanges, readSources } from "./sources.ts";

export type SearchOptions = ChangeQuestion & {
  /** Where articles are looked for. */
  readonly docs: string;
  /** Only rules about this source. */
  readonly source?: string | undefined;
  /** A source that cannot be read is an error rather than a remark. */
  readonly strict?: boolean | undefined;
};

/** An article to look at, with the patches of the files it watches. */
export type Impacted = Attention & { readonly patches: RepositoryChange["files"] };

export type SearchResult = {
  readonly articles: readonly Article[];
  readonly impacted: readonly Impacted[];
  /** The change of each source that could be read. */
  readonly changes: readonly { readonly source: string; readonly change: RepositoryChange }[];
  /** Sources that could not, and why. */
  readonly unresolved: readonly { readonly source: string; readonly why: string }[];
  readonly notes: readonly string[];
  readonly select: Select;
};

/** Which articles a change concerns, by their own rules. No model is asked. */
export async function searchImpact(bench: Bench, options: SearchOptions): Promise<Outcome<SearchResult>> {
  const shelf = await readArticles(bench, options.docs);
  if (!shelf.ok) return shelf;
  const { articles, notes } = shelf.value;
  const sources = await readSources(bench);
  if (!sources.ok) return sources;
  const watched = [...new Set(articles.flatMap(({ rules }) => rules.map(({ source }) => source)))].sort();
  const names = options.source === undefined ? [...new Set([local, ...watched])] : [options.source];
  const read = await readChanges(bench, names, {
    sources: sources.value,
    named: options.source,
    question: options,
  });
  const unresolved = read.flatMap((each) => ("why" in each ? [each] : []));
  const changes = read.flatMap((each) => ("change" in each ? [each] : []));
  const [missing] = unresolved;
  if (missing && (options.strict || changes.length === 0))
    return refuse({
      code: "unavailable",
      detail: `the source ${missing.source} could not be read: ${missing.why}`,
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

type Shelf = { readonly articles: readonly Article[]; readonly notes: readonly string[] };

async function readArticles(bench: Bench, docs: string): Promise<Outcome<Shelf>> {
  const listed = await bench.context.reader.list({ under: docs });
  if (!listed.ok) return listed;
  const articles: Article[] = [];
  const notes: string[] = [];
  for (const path of listed.value.paths) {
    if (!isMarkdownPath(path)) continue;
    const read = await bench.context.reader.read(path);
    if (!read.ok || read.value.text === null) continue;
    const { article, trouble } = readArticle(path, read.value.text);
    if (article) articles.push(article);
    // A rule that nobody can read would otherwise never select anything, without a word.
    if (trouble !== undefined) notes.push(`${path}: ${trouble}`);
  }
  const dead = await findDeadRules(bench, articles);
  return accept({ articles, notes: [...notes, ...findDoubles(articles), ...dead] });
}

// Rules that fit nothing are tried on every path; beyond this many the list of them is no help either.
const mostTried = 500;

/** Rules about this repository that no file of it fits: they will never select anything again. */
async function findDeadRules(bench: Bench, articles: readonly Article[]): Promise<string[]> {
  const listed = await bench.context.reader.list();
  if (!listed.ok) return [];
  const { paths } = listed.value;
  const known = new Set(paths);
  const rules = articles.flatMap(({ path, rules }) =>
    rules.flatMap(({ pattern, source }) =>
      source === local && !known.has(pattern) ? [{ path, pattern }] : [],
    ),
  );
  return rules
    .slice(0, mostTried)
    .filter(({ pattern }) => !paths.some(matcher(pattern)))
    .map(({ path, pattern }) => `${path}: no file fits its rule ${JSON.stringify(pattern)}`);
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

function findDoubles(articles: readonly Article[]): string[] {
  const byId = Map.groupBy(
    articles.filter(({ jrn }) => jrn !== null),
    ({ jrn }) => jrn!,
  );
  return [...byId].flatMap(([jrn, same]) =>
    same.length > 1
      ? [`${same.map(({ path }) => path).join(" and ")} have the same id ${JSON.stringify(jrn)}`]
      : [],
  );
}
