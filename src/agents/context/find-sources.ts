import { agentText } from "../../wording/agents.ts";
import type { CostBudget } from "../model/budget.ts";
import { type AgentRun, refusalText } from "../run/agent-run.ts";
import { orderByNearness } from "./nearest.ts";
import type { SourcePassage } from "./ranking.ts";
import type { RepositoryIndex } from "./repository-index.ts";

const candidates = 40;

export type SourceSearch = {
  readonly index: RepositoryIndex;
  readonly query: string;
  readonly limit: number;
  readonly budget: CostBudget;
};

/** Likely sources of a page that is not linked to any, best first: by keyword and, with an embedding model, by meaning. */
export async function findSources(run: AgentRun, search: SourceSearch): Promise<readonly string[]> {
  const { index, query, limit } = search;
  const passages = await orderByMeaning(run, search, index.findPassages(query, candidates));
  return [...new Set(passages.map(({ path }) => path))].slice(0, limit);
}

async function orderByMeaning(
  run: AgentRun,
  { query, budget }: SourceSearch,
  passages: readonly SourcePassage[],
): Promise<readonly SourcePassage[]> {
  if (!run.embed || passages.length <= 1) return passages;
  const texts = [query, ...passages.map(({ path, text }) => `${path}\n${text}`)];
  const embedded = await run.embed(texts, { budget, signal: run.signal });
  if (!embedded.ok) {
    const text = agentText.keywordsOnly(refusalText(run, embedded.refusal));
    run.report({ kind: "note", subject: "embedding", text });
    return passages;
  }
  const [queryPoint = [], ...points] = embedded.value;
  return orderByNearness(passages, queryPoint, points);
}
