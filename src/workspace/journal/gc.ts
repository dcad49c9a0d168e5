import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { CommitContext } from "../commit/commit-context.ts";
import { inSession, measureState } from "../commit/session.ts";
import type { JournalStores, OpenRoot } from "../open-root.ts";
import { refuseIoErrors } from "../reader.ts";
import { withReserve } from "../state/reserve.ts";
import { type StateAccess, unlinkIfThere } from "../state/state.ts";
import { defaultQuota, type OpenOptions } from "../writer.ts";
import { readGcHorizon, writeGcHorizon } from "./gc-horizon.ts";
import { pruneState } from "./prune.ts";
import { entryOf, listTransactionLogs, readTransactionLog } from "./transaction-log.ts";

/** The size of the state in bytes before and after, and the saved copies that were removed. */
export type GcReport = {
  readonly before: number;
  readonly after: number;
  readonly removed: readonly string[];
};

export type GcOptions = {
  /** Also remove the saved copies of entries older than this one. They can then no longer be undone. */
  readonly forget?: { readonly before: string };
  readonly dryRun?: boolean;
};

export type Gc = {
  /** Removes saved copies that no entry needs. Removes a last copy only if `forget` covers it. */
  gc(options?: GcOptions): Promise<Outcome<GcReport>>;
};

export function createGc(root: OpenRoot, options: OpenOptions): Gc {
  return {
    gc: (how = {}) =>
      refuseIoErrors(async () => {
        const stores = await root.stores();
        if (!stores.ok) return stores;
        if (!stores.value) return accept({ before: 0, after: 0, removed: [] });
        const present = stores.value;
        return withReserve(present.openState, () => runGc(present, how, options));
      }),
  };
}

function runGc(
  stores: JournalStores,
  { forget, dryRun = false }: GcOptions,
  { patience = 10_000, quota = defaultQuota }: OpenOptions,
): Promise<Outcome<GcReport>> {
  return inSession(stores.openState, { patience }, async ({ context, checkpoint }) => {
    const limit = Math.max(await readGcHorizon(context), Number(forget?.before ?? 0) || 0);
    const before = await measureState(context);
    const unused = await collect(context, limit, { dryRun });
    const left = before - unused.reduce((sum, { size }) => sum + size, 0);
    const names = unused.map(({ name }) => name);
    const { next } = checkpoint;
    const now = Date.parse(context.files.now());
    const asked = { next, used: left, quota, now, allCopies: true, dryRun };
    const pruned = await pruneState(context, stores, asked);
    if (dryRun) {
      const removed = [...new Set([...names, ...pruned.copies])];
      return { value: { before, after: pruned.used, removed }, checkpoint };
    }
    const after = await measureState(context);
    return {
      value: { before, after, removed: [...names, ...pruned.copies] },
      checkpoint: { ...checkpoint, used: after, pruned: { next, used: after } },
    };
  });
}

type UnusedCopy = { readonly name: string; readonly size: number };

/** Writes the new gc horizon first, so that an interrupted collection can be continued. */
async function collect(
  context: CommitContext,
  limit: number,
  { dryRun }: { dryRun: boolean },
): Promise<UnusedCopy[]> {
  const { files, state, backups } = context;
  const needed = await neededCopies(context, limit);
  const listed = await files.list(state.blobs);
  const kept = new Set(
    listed.filter(({ name }) => name.endsWith(".keep")).map(({ name }) => name.slice(0, -5)),
  );
  const unused = listed.filter(
    ({ name }) => /^[0-9a-f]{64}$/.test(name) && !needed.has(name) && !kept.has(name),
  );
  const copies: UnusedCopy[] = [];
  for (const { name } of unused)
    copies.push({ name, size: (await files.stat(state.blobs, name))?.size ?? 0 });
  if (dryRun) return copies;
  if (limit > 0) await writeGcHorizon(context, limit);
  for (const { number } of await listTransactionLogs(context))
    if (number < limit) await backups.remove(String(number));
  for (const { name } of copies) await unlinkIfThere(files, state.blobs, name);
  await files.flushDir(state.blobs);
  return copies;
}

/** The copies of files before each entry from the horizon on, and of everything that an aborted entry keeps. */
export async function neededCopies(access: StateAccess, limit: number): Promise<Set<string>> {
  const needed = new Set<string>();
  for (const { number } of await listTransactionLogs(access)) {
    const log = number < limit ? null : await readTransactionLog(access, number);
    const intent = log?.ok ? log.value.intent : null;
    const aborted = log?.ok && entryOf(log.value)?.state !== "committed";
    for (const { before, after } of intent?.files ?? []) {
      if (before) needed.add(before.version);
      if (after && aborted) needed.add(after.version);
    }
  }
  return needed;
}
