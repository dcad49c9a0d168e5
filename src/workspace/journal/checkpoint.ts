import type { Files } from "../files/files.ts";

/** An unfinished transaction that recovery would not decide. `paths` empty: it may be about any file. */
export type Unresolved = { readonly number: number; readonly why: string; readonly paths: readonly string[] };

/** What one owner of the lock hands to the next, so that nobody has to look at the whole journal. */
export type Balance = {
  /** The number of the next entry. */
  readonly next: number;
  /** Hash of the last entry's last record. */
  readonly head: string;
  /** Bytes that the journal and the images take. */
  readonly used: number;
  readonly unresolved: readonly Unresolved[];
};

/** A note from before the machine last started says nothing: a power cut may have taken newer ones. */
export function parseBalance(files: Files, note: string | null): Balance | null {
  try {
    const { boot, ...balance } = JSON.parse(note ?? "") as Balance & { boot: string };
    const sound =
      Number.isSafeInteger(balance.next) &&
      Number.isFinite(balance.used) &&
      Array.isArray(balance.unresolved);
    return sound && typeof balance.head === "string" && boot !== "" && boot === files.self().boot
      ? balance
      : null;
  } catch {
    return null;
  }
}

export function printBalance(files: Files, balance: Balance): string {
  return JSON.stringify({ boot: files.self().boot, ...balance });
}
