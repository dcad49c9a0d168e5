import { readLock } from "../commit/lock.ts";
import type { StateAccess } from "../state/state.ts";
import { parseCheckpoint } from "./checkpoint.ts";
import type { Entry } from "./entries.ts";
import { entryOf, listTransactionLogs, readTransactionLog, type TransactionLog } from "./transaction-log.ts";

/** A decided entry with its transaction log. `undone`: a later entry has undone it. */
export type PastEntry = {
  readonly number: number;
  readonly entry: Entry;
  readonly log: TransactionLog;
  readonly undone: boolean;
};

const maxCached = 512;
const maxGap = 16;

/** Reads the journal. Needs no lock, so it also works while another process writes. */
export class History {
  readonly #access: StateAccess;
  /** Finished logs never change, so they are read once. */
  readonly #finished = new Map<number, TransactionLog>();

  constructor(access: StateAccess) {
    this.#access = access;
  }

  /** The entries below a number, newest first; by default all. Reads logs lazily. */
  async *walk(below?: number): AsyncGenerator<PastEntry> {
    const undone = new Set<string>();
    for await (const log of this.#logs(below ?? (await this.#nextNumber()))) {
      const entry = entryOf(log);
      if (!entry) continue;
      const past = { number: log.number, entry, log, undone: undone.has(entry.id) };
      if (!past.undone && entry.state === "committed") for (const id of entry.undoes ?? []) undone.add(id);
      yield past;
    }
  }

  async find(id: string): Promise<PastEntry | null> {
    for await (const past of this.walk()) if (past.entry.id === id) return past;
    return null;
  }

  /** One transaction log, finished or not. */
  async log(number: number): Promise<TransactionLog | null> {
    const known = this.#finished.get(number);
    if (known) return known;
    const read = await readTransactionLog(this.#access, number);
    if (!read.ok) return null;
    if (!read.value.pending) this.#cache(read.value);
    return read.value;
  }

  #cache(log: TransactionLog): void {
    this.#finished.set(log.number, log);
    const [oldest] = this.#finished.keys();
    if (this.#finished.size > maxCached && oldest !== undefined) this.#finished.delete(oldest);
  }

  /** The last lock owner left the next number in its checkpoint; while the lock is held, the directory shows it. */
  async #nextNumber(): Promise<number> {
    const { files, state } = this.#access;
    const lock = await readLock(files, state.lock);
    const checkpoint = lock.is === "free" ? parseCheckpoint(files, lock.note) : null;
    return checkpoint?.next ?? ((await listTransactionLogs(this.#access)).at(-1)?.number ?? 0) + 1;
  }

  /** Reads logs by number, so that a long journal need not be listed; after a gap it lists the directory. */
  async *#logs(below: number): AsyncGenerator<TransactionLog> {
    let missing = 0;
    for (let number = below - 1; number > 0; number--) {
      const found = await this.log(number);
      missing = found ? 0 : missing + 1;
      if (found) yield found;
      if (missing >= maxGap) return yield* this.#listedLogs(number);
    }
  }

  async *#listedLogs(below: number): AsyncGenerator<TransactionLog> {
    const rest = (await listTransactionLogs(this.#access)).filter(({ number }) => number < below);
    for (const { number } of rest.reverse()) {
      const found = await this.log(number);
      if (found) yield found;
    }
  }
}
