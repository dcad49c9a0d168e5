import { versionOf, writeAll } from "../files/content.ts";
import { codeOf, ignoreIoError, type OpenFile } from "../files/files.ts";
import type { StateAccess } from "../state/state.ts";
import type { Entry } from "./entries.ts";
import { entryOf, listTransactionLogs, readTransactionLog } from "./transaction-log.ts";

/** One line for each entry, so that queries by task and key need not open every transaction log. */
export type IndexLine = {
  readonly number: number;
  readonly run: string | null;
  readonly task: string | null;
  readonly key: string | null;
  readonly undoes: readonly string[];
  readonly paths: readonly string[];
};

const fileName = "index";

/**
 * An index of the journal in one file. The file is never flushed. Lines with a wrong checksum are ignored, and missing
 * lines are rebuilt from the transaction logs.
 */
export class JournalIndex {
  readonly #access: StateAccess;
  readonly #known = new Map<number, IndexLine>();
  /** Every entry below this number is known. */
  #complete = 0;
  /** How far the file has been read. */
  #position = 0;

  constructor(access: StateAccess) {
    this.#access = access;
  }

  /**
   * The lines of all entries below `next`, by number; newer ones may be included. The lock owner knows the number of the
   * next entry. Other callers omit it.
   */
  async lines(next?: number): Promise<ReadonlyMap<number, IndexLine>> {
    const end = next ?? (await this.#nextFinished());
    if (this.#complete < end) await this.#load(end);
    return this.#known;
  }

  /** Adds an entry that was just committed. A failure is harmless, because the line can be rebuilt. */
  async append(number: number, entry: Entry): Promise<void> {
    try {
      await appendText(this.#access, printLine(lineOf(number, entry)));
    } catch (error) {
      ignoreIoError(error);
    }
  }

  async #load(next: number): Promise<void> {
    const tail = await readTail(this.#access, this.#position);
    this.#position += tail.length;
    for (const line of parseLines(tail)) this.#known.set(line.number, line);
    const numbers = await this.#numbersTo(next);
    for (const number of numbers) {
      const log = this.#known.has(number) ? null : await readTransactionLog(this.#access, number);
      const entry = log?.ok ? entryOf(log.value) : null;
      if (entry) this.#known.set(number, lineOf(number, entry));
    }
    // A caller without a limit does not know the last entry, so later entries must still be looked for.
    this.#complete =
      next < Number.MAX_SAFE_INTEGER
        ? next
        : numbers.reduce((end, number) => Math.max(end, number + 1), this.#complete);
  }

  async #numbersTo(next: number): Promise<number[]> {
    const first = this.#complete;
    if (first > 0 && next < Number.MAX_SAFE_INTEGER)
      return Array.from({ length: next - first }, (_, i) => first + i);
    return (await listTransactionLogs(this.#access))
      .map(({ number }) => number)
      .filter((number) => number >= first && number < next);
  }

  /** Callers without the lock leave out transactions that are still undecided. */
  async #nextFinished(): Promise<number> {
    const finished = (await listTransactionLogs(this.#access)).filter(({ pending }) => !pending);
    return (finished.at(-1)?.number ?? 0) + 1;
  }
}

/** The numbers that the index file contains, whether or not the journal has them. */
export async function indexedNumbers(access: StateAccess): Promise<Set<number>> {
  return new Set(parseLines(await readTail(access, 0)).map(({ number }) => number));
}

async function readTail({ files, state }: StateAccess, position: number): Promise<Uint8Array> {
  try {
    const file = await files.openRead(state.journal, fileName);
    try {
      const { size } = await files.statOpen(file);
      const tail = await files.read(file, position, Math.max(0, size - position));
      return tail.subarray(0, tail.lastIndexOf(10) + 1);
    } finally {
      await files.close(file);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return new Uint8Array();
    throw error;
  }
}

function lineOf(number: number, { state, run, task, idempotencyKey, undoes, files }: Entry): IndexLine {
  // An aborted entry has changed no file.
  const paths = state === "committed" ? files.map(({ path }) => path) : [];
  return {
    number,
    run: run ?? null,
    task: task ?? null,
    key: idempotencyKey ?? null,
    undoes: undoes ?? [],
    paths,
  };
}

function printLine({ number, run, task, key, undoes, paths }: IndexLine): string {
  const json = JSON.stringify([number, run, task, key, undoes, ...paths]);
  return `${checksum(json)} ${json}\n`;
}

function parseLines(bytes: Uint8Array): IndexLine[] {
  const lines: IndexLine[] = [];
  for (const text of new TextDecoder().decode(bytes).split("\n")) {
    const [sum, json] = [text.slice(0, 8), text.slice(9)];
    if (json === "" || sum !== checksum(json)) continue;
    const [number, run, task, key, undoes, ...paths] = JSON.parse(json);
    lines.push({ number, run, task, key, undoes, paths });
  }
  return lines;
}

function checksum(json: string): string {
  return versionOf(new TextEncoder().encode(json)).slice(0, 8);
}

async function appendText(access: StateAccess, text: string): Promise<void> {
  const { files } = access;
  const file = await openOrCreate(access);
  try {
    await writeAll(files, file, new TextEncoder().encode(text), (await files.statOpen(file)).size);
  } finally {
    await files.close(file);
  }
}

async function openOrCreate({ files, state }: StateAccess): Promise<OpenFile> {
  try {
    return await files.openWrite(state.journal, fileName);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return files.create(state.journal, fileName, 0o600);
  }
}
