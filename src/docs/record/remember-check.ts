import type { Reader } from "../../workspace/workspace.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import type { CheckReport } from "../check/report.ts";
import { type DocumentationState, printState, stateFile } from "./documentation-state.ts";
import { lineageFile } from "./lineage.ts";

/**
 * Saves the result of a check for `documentation`, which then asks no model about pages that are still true. It saves
 * only checks of a commit, and only in projects whose pages have a lineage. A failure to save is ignored.
 */
export async function rememberCheck(
  { reader, root }: { readonly reader: Reader | null; readonly root: string },
  { base, head, findings, unknown }: CheckReport,
): Promise<void> {
  if (!/^[0-9a-f]{40,64}$/.test(head)) return;
  const lineage = await reader?.readState(lineageFile);
  if (!lineage?.ok || lineage.value === null) return;
  const workspace = await openWorkspace(root, { patience: 1000 });
  if (!workspace.ok) return;
  const hasDrift = findings.length > 0 || unknown.length > 0;
  const checkedAt = new Date().toISOString();
  const state: DocumentationState = { version: 1, checkedAt, base, head, hasDrift };
  await workspace.value.writeState(stateFile, new TextEncoder().encode(printState(state)));
  await workspace.value.close();
}
