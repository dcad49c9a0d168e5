import { refused } from "../../wording/report.ts";
import { applyEdits } from "../apply-edits.ts";
import { reportEdits } from "../edited.ts";
import { readSnapshots } from "../read-snapshots.ts";
import type { Context, Result } from "../tool.ts";

export type RetryEditInput = { readonly handle: string };

/** Makes what the session has kept of a refused call, if its files are still the same. A handle works once. */
export async function retryEdit(context: Context, { handle }: RetryEditInput): Promise<Result> {
  const asked = { tool: "retry_edit", wording: "files" } as const;
  const retries = context.memory?.retries;
  const kept = retries?.find(handle);
  if (!retries || !kept)
    return refused(
      { code: "not-found", what: "handle", detail: handle, candidates: retries?.handles() ?? [] },
      asked,
    );
  const read = await readSnapshots(context, [...kept.versions.keys()]);
  if (!read.ok) return refused(read.refusal, asked);
  for (const [path, expected] of kept.versions) {
    const actual = read.value.get(path)!.version;
    if (actual === expected) continue;
    retries.drop(handle);
    return refused({ code: "stale", path, expected, actual }, asked);
  }
  const applied = await applyEdits(context, kept.edits, kept.options);
  if (!applied.ok) return refused(applied.refusal, { ...asked, tool: kept.tool });
  retries.drop(handle);
  return reportEdits("retry_edit", applied.value);
}
