import { readFrontMatter } from "../../syntax/front-matter.ts";
import { matcher } from "../../text/glob.ts";

/** A document that says which files it is about. */
export type Article = {
  readonly path: string;
  /** The document's own id, where it has one. */
  readonly jrn: string | null;
  readonly rules: readonly AttentionRule[];
};

/** One watched path or pattern, in the repository it is about. */
export type AttentionRule = { readonly pattern: string; readonly source: string };

/** Why an article was chosen. */
export type ArticleEvidence = {
  readonly changedFile: string;
  readonly pattern: string;
  readonly matchType: "exact" | "glob";
  readonly source: string;
};

export type Selected = { readonly article: Article; readonly evidence: readonly ArticleEvidence[] };

/** The repository that the documents themselves are in. */
export const local = "local";

/** The rules in a document's front matter; `null` where there are none. Kinds of rules not known here are passed over. */
export function readArticle(path: string, text: string): Article | null {
  const value = readFrontMatter(text)?.value;
  if (typeof value !== "object" || value === null) return null;
  const { jrn, attention } = value as { jrn?: unknown; attention?: unknown };
  if (!Array.isArray(attention)) return null;
  const rules = attention.flatMap(readRule);
  return rules.length === 0 ? null : { path, jrn: typeof jrn === "string" ? jrn : null, rules };
}

function readRule(rule: unknown): AttentionRule[] {
  if (typeof rule === "string") return readRule({ op: "file", path: rule });
  if (typeof rule !== "object" || rule === null) return [];
  const { op, path, source } = rule as { op?: unknown; path?: unknown; source?: unknown };
  if (op !== "file" || typeof path !== "string" || path === "") return [];
  return [
    {
      pattern: path.replace(/^(?:\.\/)+/, ""),
      source: typeof source === "string" && source !== "" ? source : local,
    },
  ];
}

/** The articles that watch a changed file, under its old or its new name; in order of path. */
export type Select = (
  changed: readonly { readonly path: string; readonly from?: string | undefined }[],
  source: string,
) => Selected[];

/** An index over all rules: exact names are looked up, and only patterns are tried one by one. */
export function indexArticles(articles: readonly Article[]): Select {
  const exact = new Map<string, Article[]>();
  const patterns: { article: Article; rule: AttentionRule; fits: (path: string) => boolean }[] = [];
  for (const article of articles)
    for (const rule of article.rules)
      if (isPattern(rule.pattern)) patterns.push({ article, rule, fits: matcher(rule.pattern) });
      else {
        const key = `${rule.source}\0${rule.pattern}`;
        const watching = exact.get(key);
        if (watching) watching.push(article);
        else exact.set(key, [article]);
      }
  return (changed, source) => {
    const found = new Map<Article, ArticleEvidence[]>();
    const add = (article: Article, evidence: ArticleEvidence): void => {
      // A document that watches itself is not made wrong by its own change.
      if (source === local && evidence.changedFile === article.path) return;
      const known = found.get(article);
      if (known) known.push(evidence);
      else found.set(article, [evidence]);
    };
    for (const name of new Set(
      changed.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])),
    )) {
      for (const article of new Set(exact.get(`${source}\0${name}`) ?? []))
        add(article, { changedFile: name, pattern: name, matchType: "exact", source });
      for (const { article, rule, fits } of patterns)
        if (rule.source === source && fits(name))
          add(article, { changedFile: name, pattern: rule.pattern, matchType: "glob", source });
    }
    return [...found]
      .map(([article, evidence]) => ({ article, evidence }))
      .sort((a, b) => (a.article.path < b.article.path ? -1 : 1));
  };
}

function isPattern(pattern: string): boolean {
  return /[*?]|\{[^}]*,[^}]*\}/.test(pattern);
}
