import { printDiff } from "../../text/diff/diff.ts";
import type { Outcome } from "../../text/model/outcome.ts";
import type { Change } from "../../text/model/plan.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { AuditArticle, AuditRecord } from "./audit-schema.ts";

export type { AuditArticle, AuditRecord };

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

/** Whether a name is that of a run. The folder of the records also holds what runs remember. */
export function isRunId(name: string): boolean {
  return name.startsWith("run-");
}
