import { isDocumentPath } from "suture/drift";
import { type FixedPage, type FixedPages, mayWritePage, patchOf } from "suture/service";
import { accept, type Change, type Outcome, parseUnified, refuse } from "suture/text";
import { applyEdits, type CheckReport, openContext } from "suture/tools";
import { createMemoryDisk, type Git } from "suture/workspace";

export function patchOfChanges(changes: readonly Change[]): string {
  return changes.map(patchOf).join("");
}

/** Who made the edits of a patch that a model had a part in. */
export type ModelEdits = {
  readonly model: string;
  /** All findings that the patch fixes. */
  readonly fixed: readonly string[];
  /** Those that the model rewrote. Absent in records of earlier versions, where any of them may be the model's. */
  readonly rewritten?: readonly string[];
};

/**
 * Applies a stored patch to the pages of its commit, like every other edit. It may only change existing pages, none that
 * instruct agents or are generated, so a forged patch in the store can do no more than that.
 */
export async function applyPatch(
  git: Git,
  report: CheckReport,
  patch: string,
  { model, fixed: ids, rewritten = ids }: ModelEdits,
): Promise<Outcome<FixedPages>> {
  const fixed = new Set(ids);
  const edits = parseUnified(patch);
  if (!edits.ok) return edits;
  const paths = new Set(edits.value.map(({ path }) => path));
  const files = (await git.tree(report.head)).filter(({ path }) => paths.has(path));
  const blobs = await git.blobs(files.map(({ id }) => id));
  const disk = createMemoryDisk();
  for (const { path, id } of files) disk.put(path, blobs.get(id) ?? new Uint8Array());
  for (const path of paths) {
    const before = disk.read(path);
    if (!before || !mayWritePage(path, before.bytes))
      return refuse({ code: "not-allowed", path, detail: "not a page that may be written" });
  }
  const opened = await openContext({
    root: "/",
    files: disk.process(),
    author: "suture",
    task: "publish",
    policy: { writable: isDocumentPath },
  });
  if (!opened.ok) return opened;
  const applied = await applyEdits(opened.value, edits.value, { reason: "publish" }).finally(() =>
    opened.value.close(),
  );
  if (!applied.ok) return applied;
  const blobIds = new Map(files.map(({ path, id }) => [path, id]));
  const pages = applied.value.plan.changes.map((change): FixedPage => {
    const { path } = change;
    return { path, before: blobIds.get(path)!, content: disk.read(path)!.bytes, change };
  });
  return accept({
    fixed: report.findings.filter(({ id }) => fixed.has(id)),
    left: report.findings.filter(({ id }) => !fixed.has(id)),
    pages,
    byModel: { model, fixed: new Set(rewritten) },
  });
}
