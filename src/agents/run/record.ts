import type { Usage } from "../model/prices.ts";
import type { Bench } from "./agent-run.ts";
import { type AuditArticle, type AuditRecord, addCounts } from "./audit.ts";

/** What a run's record says beside its pages. */
export type About = {
  readonly source: AuditRecord["source"];
  readonly command: string;
  readonly trigger: {
    readonly base: string | null;
    readonly head: string | null;
    readonly commits: readonly string[];
    readonly changedFiles: readonly string[];
    readonly goal?: string;
    readonly record?: string;
  };
  /** Tools whose use is counted also where it is none. */
  readonly tools: readonly string[];
  /** By default what the whole run has used so far. */
  readonly usage?: Usage;
};

/** The record of a run, from the pages it worked on. */
export function recordOf(bench: Bench, about: About, articles: readonly AuditArticle[]): AuditRecord {
  const { source, command, trigger, tools, usage = bench.ledger.total() } = about;
  const { commits, changedFiles, ...rest } = trigger;
  return {
    version: 1,
    id: bench.run,
    timestamp: bench.now().toISOString(),
    source,
    command,
    trigger: { ...rest, commits: [...commits], changedFiles: [...changedFiles] },
    model: bench.crew?.writer.name ?? null,
    usage: { ...usage },
    toolCalls: addCounts(
      Object.fromEntries(tools.map((name) => [name, 0])),
      ...articles.map(({ toolCalls }) => toolCalls ?? {}),
    ),
    articles: [...articles],
  };
}
