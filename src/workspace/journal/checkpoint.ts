import { readLock } from "../commit/lock.ts";
import type { Files } from "../files/files.ts";
import type { StateAccess } from "../state/state.ts";
import { listTransactionLogs } from "./transaction-log.ts";

/** An unfinished transaction that recovery could not decide. Empty `paths`: it may be about any file. */
export type Unresolved = { readonly number: number; readonly why: string; readonly paths: readonly string[] };

/** A lock owner leaves this to the next one, so that the next owner need not read the whole journal. */
export type JournalCheckpoint = {
  /** The number of the next entry. */
  readonly next: number;
  /** Hash of the last entry's last record. */
  readonly head: string;
  /** The size of the journal and the saved copies, in bytes. */
  readonly used: number;
  readonly unresolved: readonly Unresolved[];
  /** When the state was last pruned: the number of the next entry then, and the size. Absent: not known. */
  readonly pruned?: { readonly next: number; readonly used: number };
  /** The size of the file that is given up on a full disk. */
  readonly reserve?: number;
  /** The files without attributes that were written last: the identity of each, and when it last changed. */
  readonly plain?: readonly (readonly [identity: string, changed: string])[];
};

/** Ignores a checkpoint from before the last reboot: a power cut may have lost a newer one. */
export function parseCheckpoint(files: Files, note: string | null): JournalCheckpoint | null {
  try {
    const { boot, ...checkpoint } = JSON.parse(note ?? "") as JournalCheckpoint & { boot: string };
    const sound =
      Number.isSafeInteger(checkpoint.next) &&
      Number.isFinite(checkpoint.used) &&
      Array.isArray(checkpoint.unresolved) &&
      (checkpoint.plain === undefined || Array.isArray(checkpoint.plain));
    return sound && typeof checkpoint.head === "string" && boot !== "" && boot === files.self().boot
      ? checkpoint
      : null;
  } catch {
    return null;
  }
}

export function printCheckpoint(files: Files, checkpoint: JournalCheckpoint): string {
  return JSON.stringify({ boot: files.self().boot, ...checkpoint });
}

/** The number of the next entry: from the last lock owner, or while the lock is held, from the directory. */
export async function nextNumber(access: StateAccess): Promise<number> {
  const known = await nextAtRest(access);
  return known ?? ((await listTransactionLogs(access)).at(-1)?.number ?? 0) + 1;
}

/** The number of the next entry, if no process holds the lock and the last owner left it. */
export async function nextAtRest({ files, state }: StateAccess): Promise<number | undefined> {
  const lock = await readLock(files, state.lock);
  return lock.is === "free" ? parseCheckpoint(files, lock.note)?.next : undefined;
}
