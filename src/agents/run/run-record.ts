import type { Usage } from "../model/prices.ts";
import type { AgentRun } from "./agent-run.ts";
import { type AgentRunRecord, type ArticleRecord, addCounts } from "./audit.ts";

/** The part of a run's record that is not about pages. */
export type RunDetails = {
  readonly source: AgentRunRecord["source"];
  readonly command: string;
  readonly trigger: {
    readonly base: string | null;
    readonly head: string | null;
    readonly commits: readonly string[];
    readonly changedFiles: readonly string[];
    readonly goal?: string;
    readonly record?: string;
  };
  /** Tools to count even where they were not used. */
  readonly tools: readonly string[];
  /** By default, the usage of the whole run so far. */
  readonly usage?: Usage;
};

/** The record of a run, from the pages it worked on. */
export function buildRecord(
  run: AgentRun,
  details: RunDetails,
  articles: readonly ArticleRecord[],
): AgentRunRecord {
  const { source, command, trigger, tools, usage = run.budget.total() } = details;
  const { commits, changedFiles, ...rest } = trigger;
  return {
    version: 1,
    id: run.id,
    timestamp: run.now().toISOString(),
    source,
    command,
    trigger: { ...rest, commits: [...commits], changedFiles: [...changedFiles] },
    model: run.models?.writer.name ?? null,
    usage: { ...usage },
    toolCalls: addCounts(
      Object.fromEntries(tools.map((name) => [name, 0])),
      ...articles.map(({ toolCalls }) => toolCalls ?? {}),
    ),
    articles: [...articles],
  };
}

/** The gates' findings as an article records them: empty lists are left out. */
export function gateFields(verdict: {
  readonly objections: readonly NonNullable<ArticleRecord["objections"]>[number][];
  readonly risks: readonly NonNullable<ArticleRecord["risks"]>[number][];
}): Pick<ArticleRecord, "objections" | "risks"> {
  return {
    ...nonEmpty("objections", verdict.objections),
    ...nonEmpty("risks", verdict.risks),
  };
}

/** `{ [name]: items }`, or nothing where there are no items. */
export function nonEmpty<K extends string, T>(name: K, items: readonly T[]): { [key in K]?: T[] } {
  return items.length === 0 ? {} : ({ [name]: [...items] } as { [key in K]?: T[] });
}
