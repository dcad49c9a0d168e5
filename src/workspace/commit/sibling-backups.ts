import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { absent } from "../files/content.ts";
import type { History } from "../journal/history.ts";
import { entryOf } from "../journal/transaction-log.ts";
import type { JournalStores } from "../open-root.ts";
import { parsePath } from "../paths/paths.ts";
import { type CommitContext, lookAt } from "./commit-context.ts";
import { describeWhole } from "./describe.ts";
import type { FileChange } from "./targets.ts";

/**
 * Changes that create `<file>.bak` beside each file, to stay until the run has succeeded. The first backup of a run
 * stays, because it has the content from before the run. A file of that name from another program is not overwritten.
 */
export async function prepareSiblings(
  context: CommitContext,
  changes: readonly FileChange[],
  { history, run }: { history: History; run: string },
): Promise<Outcome<FileChange[]>> {
  const siblings: FileChange[] = [];
  for (const { gated, after } of changes) {
    const [original, parsed] = [await lookAt(context, gated.names), parsePath(`${gated.path}.bak`)];
    if (!original.ok) return original;
    if (!parsed.ok) return parsed;
    if (!original.value.content || after === null) continue;
    const existing = await lookAt(context, parsed.value.names);
    if (!existing.ok) return existing;
    const { bytes, stat } = original.value.content;
    const { path } = parsed.value;
    const version = existing.value.content?.version;
    if (version === undefined) siblings.push(copyOf(parsed.value, bytes, stat.mode));
    else if (!(await isOurs(history, { run, path, version }))) return refuse({ code: "exists", path });
  }
  return accept(siblings);
}

function copyOf(gated: FileChange["gated"], bytes: Uint8Array, mode: number): FileChange {
  const { details, texts } = describeWhole("");
  return {
    gated,
    expected: absent,
    after: { bytes, mode: mode & 0o777 },
    details: { ...details, sibling: true },
    texts,
  };
}

async function isOurs(
  history: History,
  { run, path, version }: { run: string; path: string; version: string },
): Promise<boolean> {
  for await (const { entry } of history.walk())
    if (
      entry.run === run &&
      entry.files.some((file) => file.sibling && file.path === path && file.after?.version === version)
    )
      return true;
  return false;
}

/** Changes that remove the sibling backups of a run, except those that have changed since. */
export async function findSiblings(
  context: CommitContext,
  { history, journalIndex }: JournalStores,
  run: string,
): Promise<Outcome<FileChange[]>> {
  const found = new Map<string, FileChange>();
  for (const line of (await journalIndex.linesWith(run)).toReversed()) {
    const log = line.run === run ? await history.log(line.number) : null;
    for (const { path, sibling, after } of (log && entryOf(log))?.files ?? []) {
      const parsed = parsePath(path);
      if (!sibling || !after || !parsed.ok) continue;
      const existing = await lookAt(context, parsed.value.names);
      if (!existing.ok) return existing;
      if (existing.value.content?.version !== after.version) continue;
      const { details, texts } = describeWhole("");
      const change = { gated: parsed.value, expected: after.version, after: null, texts };
      found.set(path, { ...change, details: { ...details, sibling: true } });
    }
  }
  return accept([...found.values()]);
}
