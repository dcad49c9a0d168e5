import type { CommitContext } from "../commit/commit-context.ts";
import { LockLost } from "../commit/lock.ts";
import { ignoreIoError } from "../files/files.ts";
import type { JournalStores } from "../open-root.ts";
import { keepReserve } from "../state/reserve.ts";
import type { JournalCheckpoint } from "./checkpoint.ts";
import { dropReplacedCopies } from "./deltas.ts";
import type { Entry } from "./entries.ts";
import { pruneState, shouldPrune } from "./prune.ts";

type Tidying = { readonly checkpoint: JournalCheckpoint; readonly quota: number };

type CommittedEntry = Tidying & { readonly number: number; readonly entry: Entry };

/**
 * Keeps the state small after a commit. The commit is done, so an I/O error here is no failure: the copies stay, and
 * a later commit tries again.
 */
export async function afterCommit(
  context: CommitContext,
  stores: JournalStores,
  { checkpoint, quota, number, entry }: CommittedEntry,
): Promise<JournalCheckpoint> {
  try {
    const freed = await dropReplacedCopies(context, stores, { number, entry });
    const after = { ...checkpoint, used: Math.max(0, checkpoint.used - freed) };
    const reserved = entry.kind === "edit" ? await withReserveKept(context, entry, after) : after;
    return shouldPrune(reserved, quota)
      ? await tidyState(context, stores, { checkpoint: reserved, quota })
      : reserved;
  } catch (error) {
    if (!(error instanceof LockLost)) ignoreIoError(error);
    return checkpoint;
  }
}

/** Removes copies that can be rebuilt, and old entries where the state is too large. */
export async function tidyState(
  context: CommitContext,
  stores: JournalStores,
  { checkpoint, quota }: Tidying,
): Promise<JournalCheckpoint> {
  const { next, used } = checkpoint;
  const now = Date.parse(context.files.now());
  const report = await pruneState(context, stores, { next, used, quota, now });
  return { ...checkpoint, used: report.used, pruned: { next, used: report.used } };
}

async function withReserveKept(
  context: CommitContext,
  { files }: Entry,
  checkpoint: JournalCheckpoint,
): Promise<JournalCheckpoint> {
  const largest = files.reduce(
    (size, { before, after }) => Math.max(size, before?.size ?? 0, after?.size ?? 0),
    0,
  );
  return { ...checkpoint, reserve: await keepReserve(context, largest, checkpoint.reserve) };
}
