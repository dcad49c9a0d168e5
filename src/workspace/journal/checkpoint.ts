import type { Files } from "../files/files.ts";

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
};

/** Ignores a checkpoint from before the last reboot: a power cut may have lost a newer one. */
export function parseCheckpoint(files: Files, note: string | null): JournalCheckpoint | null {
  try {
    const { boot, ...checkpoint } = JSON.parse(note ?? "") as JournalCheckpoint & { boot: string };
    const sound =
      Number.isSafeInteger(checkpoint.next) &&
      Number.isFinite(checkpoint.used) &&
      Array.isArray(checkpoint.unresolved);
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
