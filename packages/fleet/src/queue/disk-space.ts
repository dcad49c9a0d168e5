import { GitError } from "../clones/git-process.ts";
import { freeBytes, hasRoom } from "../home.ts";

/** A worker needs at least so many free bytes for clones and patches. */
const leastFree = 64 << 20;
const checkInterval = 10_000;
const restAfterFailure = 60_000;

/** Watches the free space of the disk that holds the clones. */
export class DiskSpace {
  readonly #folder: string;
  #isFull = false;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #fullUntil = Number.NEGATIVE_INFINITY;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A job found the disk full, whatever the figures say: quotas do not show in them. */
  markFull(): void {
    this.#fullUntil = performance.now() + restAfterFailure;
  }

  async isFull(): Promise<boolean> {
    const now = performance.now();
    if (now < this.#fullUntil) return true;
    if (now - this.#checkedAt < checkInterval) return this.#isFull;
    this.#checkedAt = now;
    this.#isFull = (await freeBytes(this.#folder)) < leastFree;
    return this.#isFull;
  }
}

const fullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/**
 * Whether a job failed because the disk of this worker is full, by the codes of the error and its causes. Where only git's
 * words say so, they may be the remote's, so the disk is tried.
 */
export async function isDiskFull(error: unknown, folder: string): Promise<boolean> {
  if (typeof error !== "object" || error === null) return false;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  if (fullCodes.has(code)) return true;
  if (error instanceof GitError && error.is("disk-full")) return !(await hasRoom(folder, leastFree));
  return isDiskFull(cause, folder);
}
