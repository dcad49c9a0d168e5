import type { StateAccess } from "../state/state.ts";
import { nextNumber } from "./checkpoint.ts";
import type { Entry } from "./entries.ts";
import type { JournalIndex } from "./journal-index.ts";
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
  readonly #index: JournalIndex;
  /** Finished logs never change, so they are read once. */
  readonly #finished = new Map<number, TransactionLog>();

  constructor(access: StateAccess, index: JournalIndex) {
    this.#access = access;
    this.#index = index;
  }

  /** All entries, newest first. Reads logs lazily. The lock owner passes the number of the next entry. */
  async *walk(next?: number): AsyncGenerator<PastEntry> {
    const undone = new Set<string>();
    for await (const log of this.#logs(next ?? (await nextNumber(this.#access)))) {
      const entry = entryOf(log);
      if (!entry) continue;
      const past = { number: log.number, entry, log, undone: undone.has(entry.id) };
      if (!past.undone && entry.state === "committed") for (const id of entry.undoes ?? []) undone.add(id);
      yield past;
    }
  }

  /** The entries below a number, newest first. The index shows which of them newer entries have undone. */
  async *walkBelow(below: number): AsyncGenerator<PastEntry> {
    const undone = await this.#index.undone();
    const next = await nextNumber(this.#access);
    for await (const log of this.#logs(Math.min(below, next))) {
      const past = pastOf(log, undone);
      if (past) yield past;
    }
  }

  /** Entries by their numbers, in the same order. */
  async *pick(numbers: readonly number[], next?: number): AsyncGenerator<PastEntry> {
    const undone = numbers.length > 0 ? await this.#index.undone(next) : new Set<string>();
    for (const number of numbers) {
      const log = await this.log(number);
      const past = log && pastOf(log, undone);
      if (past) yield past;
    }
  }

  async find(id: string, next?: number): Promise<PastEntry | null> {
    const number = Number(id);
    if (!Number.isSafeInteger(number) || number < 1) return null;
    for await (const past of this.pick([number], next)) if (past.entry.id === id) return past;
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

function pastOf(log: TransactionLog, undone: ReadonlySet<string>): PastEntry | null {
  const entry = entryOf(log);
  return entry && { number: log.number, entry, log, undone: undone.has(entry.id) };
}
