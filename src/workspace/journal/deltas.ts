import type { CommitContext } from "../commit/commit-context.ts";
import type { JournalStores } from "../open-root.ts";
import { unlinkIfThere } from "../state/state.ts";
import type { Entry, FileRecord } from "./entries.ts";
import { entryOf } from "./transaction-log.ts";

/** The copy of a file before an entry. */
export type SavedBefore = {
  readonly number: number;
  readonly path: string;
  readonly version: string;
  readonly size: number;
  /** The entry that wrote these bytes; `null`: another program did. */
  readonly writer: number | null;
};

/** Larger copies go as soon as the journal can give their bytes back. */
const largeCopy = 64 << 10;
const lookBack = 32;

/**
 * Removes the copies that the entry before this one needed, where they are large and can be rebuilt. Returns how many
 * bytes that freed.
 */
export async function dropReplacedCopies(
  context: CommitContext,
  stores: JournalStores,
  { number, entry }: { readonly number: number; readonly entry: Entry },
): Promise<number> {
  let freed = 0;
  for (const { path, before } of entry.files) {
    if (!before || before.size <= largeCopy) continue;
    const last = await findChange(stores, path, { below: number, version: before.version });
    const old = last?.record.before;
    if (!last || !old || old.size <= largeCopy) continue;
    const writer = await findChange(stores, path, { below: last.number, version: old.version });
    const saved = { number: last.number, path, version: old.version, size: old.size };
    freed += await dropCopy(context, stores, { ...saved, writer: writer?.number ?? null });
  }
  return freed;
}

/** The newest of the last entries below a number that changed a file, if it wrote this version. */
async function findChange(
  { history }: JournalStores,
  path: string,
  { below, version }: { readonly below: number; readonly version: string },
): Promise<{ readonly number: number; readonly record: FileRecord } | null> {
  for (let number = below - 1; number > 0 && number >= below - lookBack; number--) {
    const log = await history.log(number);
    const entry = log && entryOf(log);
    const record = entry?.state === "committed" ? entry.files.find((file) => file.path === path) : null;
    if (record) return record.after?.version === version ? { number, record } : null;
  }
  return null;
}

/**
 * Removes a saved copy and its backup file if the bytes can be rebuilt from the copy of a later version. The user's own
 * bytes stay, and one copy in many, so that rebuilding stays quick. Returns how many bytes that freed.
 */
export async function dropCopy(
  context: CommitContext,
  { versions }: JournalStores,
  saved: SavedBefore,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<number> {
  const { files, state, backups } = context;
  const { number, path, version, size, writer } = saved;
  if (writer === null || isLandmark(number, writer, size)) return 0;
  const copy = await files.stat(state.blobs, version);
  // Other backup files show the same copy.
  if (!copy || copy.links > 2 || (await files.stat(state.blobs, `${version}.keep`))) return 0;
  if (!(await versions.rebuild({ path, version, from: number }, { without: version }))) return 0;
  if (dryRun) return copy.size;
  await context.checkLock();
  await backups.removeFile(String(number), path);
  await unlinkIfThere(files, state.blobs, version);
  return copy.size;
}

/** The first change of a file in each group of entries keeps its copy. Large files have larger groups. */
function isLandmark(number: number, writer: number, size: number): boolean {
  const group = Math.min(1024, Math.max(64, 2 ** Math.ceil(Math.log2(size / 4096))));
  return Math.floor(number / group) !== Math.floor(writer / group);
}
