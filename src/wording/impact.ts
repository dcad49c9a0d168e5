import type { AgentResult } from "../agents/impact/agent.ts";
import type { ChangeSummary } from "../agents/impact/extract.ts";
import type { Impacted, SearchResult } from "../agents/impact/search.ts";
import { defined } from "../text/model/defined.ts";
import { fixWords } from "./fix.ts";
import { usageLine } from "./usage-line.ts";

/** The change for a person: its files, their hunks, and a few names of each hunk. */
export function extractText({ files }: ChangeSummary): string {
  if (files.length === 0) return impactWords.noChange;
  const lines = files.flatMap(({ path, from, status, hunks }) => [
    `${status.padEnd(8)} ${from === undefined ? path : `${from} → ${path}`}`,
    ...hunks.map(({ header, removed, added, names }) => {
      const some = names.length > 0 ? `  ${names.slice(0, 6).join(" ")}` : "";
      return `  ${header}  -${removed} +${added}${some}`;
    }),
  ]);
  return lines.join("\n");
}

/** What `impact search` prints with `--json`. */
export function searchValue({ articles, impacted, changes, unresolved, notes }: SearchResult) {
  return {
    articles: articles.length,
    impacted: impacted.map(({ article, evidence }) => ({ jrn: article.jrn, path: article.path, evidence })),
    changedFiles: changes.flatMap(({ source, change }) => change.files.map(({ path }) => ({ source, path }))),
    unresolved,
    notes,
  };
}

/** The articles that a change concerns, for a person. */
export function searchText({ impacted, changes }: SearchResult): string {
  if (changes.every(({ change }) => change.files.length === 0)) return impactWords.noChange;
  if (impacted.length === 0) return "No impacted articles found.";
  return impacted
    .flatMap(({ article, evidence }) => [article.path, ...evidence.map(evidenceText)])
    .join("\n");
}

function evidenceText({ changedFile, source, pattern, matchType }: Impacted["evidence"][number]): string {
  return `  ${changedFile} (${source}) matches ${pattern}, ${matchType}`;
}

/** What a search could not look at, and its notes. */
export function searchRemarks({ unresolved, notes }: SearchResult): string[] {
  return [...unresolved.map(({ source, why }) => `The source ${source} was not looked at: ${why}`), ...notes];
}

/** What `impact agent` prints with `--json`. */
export function agentValue({ search, phase1, phase2, depth, cut, records, left, usage, howTo }: AgentResult) {
  return {
    results: [...phase1, ...phase2],
    auditRecordId: records[0]?.id ?? null,
    phase1Results: phase1,
    phase2Results: phase2,
    propagationResult: { depth, cut, records: records.slice(1).map(({ id }) => id) },
    ...searchValue(search),
    left,
    usage,
    ...defined({ howTo }),
  };
}

/** What the agents did, for a person; empty where there was nothing to do. */
export function agentText({ phase1, phase2, left, usage, howTo, cut, records }: AgentResult): string {
  if (howTo !== undefined) return left.length > 0 ? `\n${left.length} articles are left; ${howTo}` : howTo;
  const all = [...phase1, ...phase2];
  if (all.length === 0) return "";
  const count = (status: string): number => all.filter((article) => article.status === status).length;
  const lines = all.map(({ path, status, reasoning, error }) => {
    const said = (error ?? reasoning)?.split("\n", 1)[0];
    return `${status.padEnd(9)} ${path}${said ? `: ${said}` : ""}`;
  });
  const total = `\nUpdated ${count("updated")}, Unchanged ${count("unchanged")}, Skipped ${count("skipped")}, Errors ${count("error")}; ${usageLine(usage)}`;
  const risks = all.flatMap((article) => (article.risks ?? []).map(fixWords.lookAt));
  const undo = records
    .filter(({ articles }) => articles.some(({ entries = [] }) => entries.length > 0))
    .map(({ id }) => fixWords.takeBack(id, {}));
  return [...lines, ...risks, total, ...(cut ? [impactWords.cut] : []), ...undo].join("\n");
}

export const impactWords = {
  noChange: "No changes detected.",
  askSources: (list: string, sources: Readonly<Record<string, string>>): string => {
    const named = Object.entries(sources).map(([name, path]) => `${name} (${path})`);
    return `${list} is part of this repository and lists other repositories: ${named.join(", ")}. Read them, and show a model their changes? [y/N]`;
  },
  cut: "More articles watch those that were updated; raise --max-depth to go on.",
  question: ({ article, evidence }: Impacted): string =>
    `${article.path} (${evidence.map(({ changedFile }) => changedFile).join(", ")}): [u]pdate, [v]iew, [s]kip, [q]uit? [s]`,
  unanswered: (path: string): string =>
    `${path} was skipped: there is no person to ask. Pass --yes to update it.`,
  noEarlierRun: "there is no earlier run to propagate from",
  noEarlierRunHint: "Run `suture impact agent` first.",
};
