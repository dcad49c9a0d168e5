import { readFrontMatter } from "../../syntax/formats/front-matter.ts";
import { matcher } from "../../text/match/glob.ts";
import { isRecord } from "../../text/model/json.ts";
import type { DocumentText } from "../change/change.ts";

/** A file that the change touched: its path, and its old path if it moved. */
export type TouchedFile = { readonly path: string; readonly from?: string | undefined };

/** A document that names the files it is about, or whose sources are recorded. */
export type Article = {
  readonly path: string;
  /** The document's own id, where it has one. */
  readonly jrn: string | null;
  readonly rules: readonly AttentionRule[];
};

/** One watched path or pattern, and the repository it is in. */
export type AttentionRule = {
  readonly pattern: string;
  readonly source: string;
  readonly by: "attention" | "lineage";
};

/** Why a change concerns an article. */
export type AttentionEvidence = {
  readonly changedFile: string;
  readonly pattern: string;
  readonly matchType: "exact" | "glob";
  readonly source: string;
  readonly by: "attention" | "lineage";
};

/** An article that a change concerns, and why. */
export type Attention = { readonly article: Article; readonly evidence: readonly AttentionEvidence[] };

/** Which sources each page was written from, as the committed lineage file lists them. */
export type RecordedSources = Readonly<Record<string, readonly string[]>>;

/** The repository of the documents themselves, which a rule without a `source` means. */
export const local = "local";

/**
 * Pages whose `attention` rules or lineage name a touched file of `source`, this repository unless another is named.
 * Pages whose rules cannot be read come back in `unknown`, never as unconcerned.
 */
export function findAttention(
  pages: readonly DocumentText[],
  touched: readonly TouchedFile[],
  options: { readonly lineage?: RecordedSources | undefined; readonly source?: string } = {},
): { selected: Attention[]; unknown: { path: string; why: string }[] } {
  const { lineage = {}, source = local } = options;
  const unknown: { path: string; why: string }[] = [];
  const articles = pages.flatMap((page) => {
    const read = readArticle(page.path, page.text);
    if (read.trouble !== undefined) unknown.push({ path: page.path, why: read.trouble });
    const rules = [...(Object.hasOwn(lineage, page.path) ? lineage[page.path]!.map(fromLineage) : [])];
    const article = read.article ?? { path: page.path, jrn: null, rules: [] };
    rules.push(...article.rules);
    return rules.length === 0 ? [] : [{ ...article, rules }];
  });
  return { selected: indexArticles(articles)(touched, source), unknown };
}

function fromLineage(pattern: string): AttentionRule {
  return { pattern, source: local, by: "lineage" };
}

/**
 * The rules in a document's front matter; no article if it has none. Unknown kinds of rules are ignored. Front matter
 * that mentions attention and cannot be parsed is `trouble`.
 */
export function readArticle(path: string, text: string): { article?: Article; trouble?: string } {
  const matter = text.includes("attention") ? readFrontMatter(text) : undefined;
  if (!matter) return {};
  const { region, trouble, value } = matter;
  if (trouble)
    return text.slice(region.start, region.end).includes("attention")
      ? { trouble: `its front matter cannot be read (line ${trouble.line}: ${trouble.why})` }
      : {};
  if (!isRecord(value) || !Array.isArray(value.attention)) return {};
  const rules = value.attention.flatMap(readRule);
  if (rules.length === 0) return {};
  return { article: { path, jrn: typeof value.jrn === "string" ? value.jrn : null, rules } };
}

function readRule(rule: unknown): AttentionRule[] {
  if (typeof rule === "string") return readRule({ path: rule });
  if (!isRecord(rule)) return [];
  const { op = "file", path, source } = rule;
  if (op !== "file" || typeof path !== "string" || path === "") return [];
  return [
    {
      pattern: path.replace(/^(?:\.?\/)+/, ""),
      source: typeof source === "string" && source !== "" ? source : local,
      by: "attention",
    },
  ];
}

/** The articles that watch a touched file of a source, under its old or its new name; in order of path. */
export type Select = (touched: readonly TouchedFile[], source: string) => Attention[];

// The first few files are enough to explain why an article was chosen.
const mostEvidence = 50;

/** An index over all rules: exact names are looked up, and a pattern that several rules share is tried once. */
export function indexArticles(articles: readonly Article[]): Select {
  type Watch = { readonly article: Article; readonly rule: AttentionRule };
  const exact = new Map<string, Watch[]>();
  const patterns = new Map<string, Watch[]>();
  for (const article of articles)
    for (const rule of article.rules) {
      const shelf = isPattern(rule.pattern) ? patterns : exact;
      const key = `${rule.source}\0${rule.pattern}`;
      const watching = shelf.get(key);
      if (watching) watching.push({ article, rule });
      else shelf.set(key, [{ article, rule }]);
    }
  return (touched, source) => {
    const found = new Map<Article, Map<string, AttentionEvidence>>();
    const add = ({ article, rule }: Watch, changedFile: string, matchType: "exact" | "glob"): void => {
      // A change of the document itself does not make it wrong.
      if (source === local && changedFile === article.path) return;
      const { pattern, by } = rule;
      const known = found.get(article) ?? new Map<string, AttentionEvidence>();
      const key = `${changedFile}\0${pattern}`;
      if (!known.has(key) && known.size < mostEvidence)
        known.set(key, { changedFile, pattern, matchType, source, by });
      found.set(article, known);
    };
    const names = new Set(touched.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
    for (const name of names)
      for (const watch of exact.get(`${source}\0${name}`) ?? []) add(watch, name, "exact");
    for (const watching of patterns.values()) {
      const { rule } = watching[0]!;
      if (rule.source !== source) continue;
      const fits = matcher(rule.pattern);
      // One more than is shown, because the article itself may be among them.
      const fitting = firstOf(names, fits, mostEvidence + 1);
      for (const watch of watching) for (const name of fitting) add(watch, name, "glob");
    }
    return [...found]
      .map(([article, evidence]) => ({ article, evidence: [...evidence.values()] }))
      .sort((a, b) => (a.article.path < b.article.path ? -1 : 1));
  };
}

function firstOf(names: Iterable<string>, fits: (name: string) => boolean, most: number): string[] {
  const found: string[] = [];
  for (const name of names) {
    if (!fits(name)) continue;
    found.push(name);
    if (found.length === most) break;
  }
  return found;
}

function isPattern(pattern: string): boolean {
  return /[*?]|\{[^{},]*,[^{}]*\}/.test(pattern);
}
