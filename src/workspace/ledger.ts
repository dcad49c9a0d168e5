import type { Files } from "./files.ts";

/** An unfinished transaction that recovery would not decide. `paths` empty: it may be about any file. */
export type Unresolved = { readonly number: number; readonly why: string; readonly paths: readonly string[] };

/** What one owner of the lock hands to the next, so that nobody has to look at the whole journal. */
export type Ledger = {
  /** The number of the next entry. */
  readonly next: number;
  /** Hash of the last entry's last record. */
  readonly head: string;
  /** Bytes that the journal and the images take. */
  readonly used: number;
  readonly unresolved: readonly Unresolved[];
};

/** A note from before the machine last started says nothing: a power cut may have taken newer ones. */
export function parseLedger(files: Files, note: string | null): Ledger | null {
  try {
    const { boot, ...ledger } = JSON.parse(note ?? "") as Ledger & { boot: string };
    const sound =
      Number.isSafeInteger(ledger.next) && Number.isFinite(ledger.used) && Array.isArray(ledger.unresolved);
    return sound && typeof ledger.head === "string" && boot !== "" && boot === files.self().boot
      ? ledger
      : null;
  } catch {
    return null;
  }
}

export function printLedger(files: Files, ledger: Ledger): string {
  return JSON.stringify({ boot: files.self().boot, ...ledger });
}
