import { printDiff } from "../text/diff/diff.ts";
import type { Evidence } from "../text/model/edit.ts";
import type { Outcome } from "../text/model/outcome.ts";
import type { Change } from "../text/model/plan.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** What one run did, for people to review and programs to count. One JSON file each, in `.suture/audit/`. */
export type AuditRecord = {
  readonly version: 1;
  readonly id: string;
  readonly timestamp: string;
  /** Which command ran. */
  readonly source: string;
  readonly trigger: {
    readonly base: string | null;
    readonly head: string | null;
    readonly commits: readonly string[];
    readonly changedFiles: readonly string[];
  };
  readonly model: string | null;
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly costUsd: number | null;
  };
  readonly toolCalls: Readonly<Record<string, number>>;
  readonly articles: readonly AuditArticle[];
};

export type AuditArticle = {
  readonly jrn: string | null;
  readonly path: string;
  readonly status: "updated" | "unchanged" | "skipped" | "error";
  readonly evidence: readonly (Evidence | Readonly<Record<string, unknown>>)[];
  /** A diff of the page that `git apply` takes. */
  readonly patch?: string;
  /** One reason for each applied edit. */
  readonly editReasons?: readonly string[];
  readonly edits?: readonly {
    readonly finding: string;
    readonly old_string: string;
    readonly new_string: string;
    readonly reason: string;
    /** The model that made the edit; absent where a rule did. */
    readonly by?: string;
    /** What was proposed, where a person worded it anew. */
    readonly original?: string;
  }[];
  /** The journal's names for the transactions that wrote the page. */
  readonly entries?: readonly string[];
  readonly reasoning?: string;
  readonly error?: string;
};

export function writeAudit(workspace: Workspace, record: AuditRecord): Promise<Outcome<true>> {
  return workspace.writeState(
    `audit/${record.id}.json`,
    new TextEncoder().encode(`${JSON.stringify(record, null, 2)}\n`),
  );
}

/** The patch of one change, as the audit keeps it. */
export function patchOf(change: Change): string {
  return printDiff({ ...change, before: change.before.text });
}

/** A name for a run that sorts by time and collides with none. */
export function newRunId(now: string, random: string): string {
  return `run-${now.replace(/[-:]/g, "").replace(/\..*$/, "")}-${random.slice(0, 8)}`;
}
