import { type AgentRun, readStateText } from "../run/agent-run.ts";
import { type PlannedPage, parsePlan } from "./page-plan.ts";

/** Where pages are kept that a plan named and no run has written yet. */
const openPagesFile = "audit/documentation.planned.json";

/** The pages that earlier runs planned and did not write. None where the file is missing or damaged. */
export async function readOpenPages(
  run: AgentRun,
  { folder, paths }: { readonly folder: string; readonly paths: readonly string[] },
): Promise<readonly PlannedPage[]> {
  return parsePlan((await readStateText(run, openPagesFile)) ?? "[]", folder, paths);
}

/** Keeps the pages that are still to be written; a run that wrote all of them leaves an empty list. */
export async function saveOpenPages(run: AgentRun, pages: readonly PlannedPage[]): Promise<void> {
  const known = await readStateText(run, openPagesFile);
  if (known === null && pages.length === 0) return;
  const text = `${JSON.stringify(pages, null, 1)}\n`;
  await run.context.workspace?.writeState(openPagesFile, new TextEncoder().encode(text));
}
