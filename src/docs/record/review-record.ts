import { defined } from "../../text/model/defined.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Decisions, decidedFinding, type Proposal, person } from "../fix/proposal.ts";
import { type AuditArticle, type AuditRecord, patchOf, writeAudit } from "./audit.ts";

/** Keeps the audit record of a review in step with its decisions and its journal entries. */
export type RecordKeeper = {
  decided(decisions: Decisions): void;
  /** Writes the record; `entry` is a transaction that was just made. */
  wrote(entry: string | null): Promise<void>;
};

export async function createRecordKeeper(
  workspace: Workspace,
  proposal: Proposal,
  first: Decisions,
): Promise<RecordKeeper> {
  let decisions = first;
  /** Patches by entry and path. */
  const patches = new Map<string, ReadonlyMap<string, string>>();
  const learn = async (entry: string): Promise<void> => {
    const plan = patches.has(entry) ? null : await workspace.entryPlan(entry);
    if (plan?.ok)
      patches.set(entry, new Map(plan.value.changes.map((change) => [change.path, patchOf(change)])));
  };
  for (const entry of entriesOf(decisions)) await learn(entry);
  return {
    decided: (next) => {
      decisions = next;
    },
    wrote: async (entry) => {
      if (entry !== null) await learn(entry);
      await writeAudit(workspace, recordOf(proposal, decisions, patches));
    },
  };
}

function entriesOf(decisions: Decisions): Set<string> {
  return new Set(
    Object.values(decisions).flatMap((decision) => (decision.verdict === "accepted" ? decision.entry : [])),
  );
}

function recordOf(
  proposal: Proposal,
  decisions: Decisions,
  patches: ReadonlyMap<string, ReadonlyMap<string, string>>,
): AuditRecord {
  const byPath = Map.groupBy(proposal.findings.keys(), (key) => proposal.findings[key]!.path);
  // Pages without a decision still belong to the proposal.
  const articles = [...byPath]
    .filter(([, keys]) => keys.some((key) => decisions[key] !== undefined))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const accepted = Object.values(decisions).filter(({ verdict }) => verdict === "accepted").length;
  return {
    version: 1,
    id: proposal.id,
    timestamp: proposal.time,
    source: "fix",
    trigger: {
      base: proposal.base,
      head: proposal.head,
      commits: [],
      changedFiles: [
        ...new Set(proposal.findings.flatMap(({ evidence }) => evidence.map(({ path }) => path))),
      ].sort(),
      ...defined({ documents: proposal.docs?.head }),
    },
    model: proposal.model,
    usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    toolCalls: { edit_article: accepted, write_file: 0 },
    articles: articles.map(([path, keys]) => articleOf(path, keys)),
  };

  function articleOf(path: string, keys: readonly number[]): AuditArticle {
    const evidence = keys.flatMap((key) => proposal.findings[key]!.evidence);
    const made = keys.filter((key) => decisions[key]?.verdict === "accepted");
    const left = keys.filter((key) => decisions[key]?.verdict !== "accepted");
    const reasoning = left.length === 0 ? {} : { reasoning: left.map(leftWords).join(" ") };
    const entries = [...new Set(made.map((key) => (decisions[key] as { readonly entry: string }).entry))];
    const patch = entries.map((entry) => patches.get(entry)?.get(path) ?? "").join("");
    if (made.length === 0) return { jrn: null, path, status: "unchanged", evidence, ...reasoning };
    const edits = made.flatMap(editsOf);
    return {
      jrn: null,
      path,
      status: "updated",
      evidence,
      patch,
      editReasons: edits.map(({ reason }) => reason),
      edits,
      entries,
      ...reasoning,
    };
  }

  function editsOf(key: number) {
    const { id, edits, by } = decidedFinding(proposal, decisions, key);
    const original =
      by === person
        ? { original: proposal.findings[key]!.edits.map(({ new_string }) => new_string).join("\n") }
        : {};
    return edits.map(({ old_string, new_string, reason }) => ({
      finding: id,
      old_string,
      new_string,
      reason,
      ...defined({ by }),
      ...original,
    }));
  }

  function leftWords(key: number): string {
    const decision = decisions[key];
    const { message } = proposal.findings[key]!;
    if (decision?.verdict !== "rejected") return `Left for a person: ${message}`;
    return `Rejected${decision.reason ? ` (${decision.reason})` : ""}: ${message}`;
  }
}
