import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { writeAll } from "../files/content.ts";
import { codeOf, type Files, type OpenFile } from "../files/files.ts";
import { readSmall, replaceFile, type StateAccess } from "../state/state.ts";
import type { Entry } from "./entries.ts";
import { type JournalRecord, type Parsed, parseRecords, printRecord, type RecordType } from "./records.ts";

/**
 * The intent of a transaction. It is written and flushed before the transaction does anything that a crash could
 * leave behind. The names of staged files are bare names; `beside` decides their directory.
 */
export type Intent = Omit<Entry, "state"> & {
  readonly format: 1;
  /** Hash of the last record of the previous entry: entries form a hash chain. */
  readonly previous: string;
  readonly steps: readonly Step[];
  /** Directories to create, parents first. */
  readonly makes: readonly string[];
  /** Directories to remove afterwards if they are empty, children first. */
  readonly removes: readonly string[];
};

/** How one file of the entry is written; steps and files have the same order. */
export type Step = {
  /** The name of the staged new file; absent when the file is deleted. */
  readonly staged?: string;
  /** The name of the old file when it is moved away instead of replaced. */
  readonly aside?: string;
  /** Both names are in the target's own directory, because that is another file system or has an access control list. */
  readonly beside?: true;
  /** The file is overwritten in place. */
  readonly inPlace?: true;
  /** Without hard links, an empty file reserves the name of a new file first. */
  readonly reserve?: true;
  /** The old file's device and inode. */
  readonly identity?: string;
  /** The store already had a copy of the old bytes. */
  readonly held?: true;
};

/** The texts of an entry, by file in order: what each splice inserted and removed. */
export type Texts = readonly { readonly inserted: readonly string[]; readonly removed: readonly string[] }[];

/**
 * Why a transaction was rolled back after its commit record: the paths with unexpected content. The name `strangers` is
 * part of the format on disk.
 */
export type Aborted = { readonly strangers: readonly { readonly path: string; readonly version: string }[] };

/** The log file of one transaction, as read. */
export type TransactionLog = {
  readonly number: number;
  readonly pending: boolean;
  readonly size: number;
  readonly parsed: Parsed;
  readonly intent: Intent | null;
  readonly texts: Texts | null;
  readonly committed: boolean;
  readonly done: boolean;
  readonly aborted: Aborted | null;
  /** Hash of the last record. */
  readonly head: string;
};

/** The name of a transaction's log file: it changes when the transaction is finished. */
export function logName(number: number, { pending }: { pending: boolean }): string {
  return `${String(number).padStart(6, "0")}.${pending ? "pending" : "journal"}`;
}

/** The numbers of all transactions that have a log file, ascending. */
export async function listTransactionLogs({
  files,
  state,
}: StateAccess): Promise<{ number: number; pending: boolean }[]> {
  const found: { number: number; pending: boolean }[] = [];
  for (const { name } of await files.list(state.journal)) {
    const match = /^([0-9]{6,15})\.(pending|journal)$/.exec(name);
    if (match) found.push({ number: Number(match[1]), pending: match[2] === "pending" });
  }
  return found.sort((a, b) => a.number - b.number);
}

/** Appends records to the log file of a transaction. */
export class TransactionLogWriter {
  readonly #files: Files;
  readonly #file: OpenFile;
  readonly #epoch: number;
  #size: number;
  #head: string;

  constructor(files: Files, file: OpenFile, at: { epoch: number; size: number; head: string }) {
    this.#files = files;
    this.#file = file;
    this.#epoch = at.epoch;
    this.#size = at.size;
    this.#head = at.head;
  }

  /** Hash of the last record. */
  get head(): string {
    return this.#head;
  }

  get size(): number {
    return this.#size;
  }

  async append(...records: readonly (readonly [type: RecordType, body: unknown])[]): Promise<void> {
    let text = "";
    let head = this.#head;
    for (const [type, body] of records) {
      const record = printRecord({ type, epoch: this.#epoch, body, previous: head });
      text += record.text;
      head = record.hash;
    }
    const bytes = new TextEncoder().encode(text);
    await writeAll(this.#files, this.#file, bytes, this.#size);
    this.#size += bytes.length;
    this.#head = head;
  }

  flush(): Promise<void> {
    return this.#files.flush(this.#file);
  }

  close(): Promise<void> {
    return this.#files.close(this.#file);
  }
}

export type NewTransactionLog = {
  readonly number: number;
  readonly epoch: number;
  readonly intent: Intent;
  readonly texts: Texts;
};

/** Creates a log file with its first two records, and does not flush it yet. */
export async function createTransactionLog(
  { files, state }: StateAccess,
  { number, epoch, intent, texts }: NewTransactionLog,
): Promise<TransactionLogWriter> {
  const file = await files.create(state.journal, logName(number, { pending: true }), 0o600);
  const log = new TransactionLogWriter(files, file, { epoch, size: 0, head: "" });
  try {
    await log.append(["begin", intent], ["texts", texts]);
    return log;
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** Opens a log file to append after its last whole record. */
export async function reopenTransactionLog(
  { files, state }: StateAccess,
  log: TransactionLog,
  epoch: number,
): Promise<TransactionLogWriter> {
  const file = await files.openWrite(state.journal, logName(log.number, log));
  if (log.parsed.ending === "torn") await files.truncate(file, log.parsed.length);
  return new TransactionLogWriter(files, file, { epoch, size: log.parsed.length, head: log.head });
}

/**
 * Gives the log of an unfinished transaction to this process: writes it again under its name. A process that lost the lock
 * and still has the old file open can no longer write into the history.
 */
export async function takeOverLog({ files, state }: StateAccess, number: number): Promise<void> {
  const name = logName(number, { pending: true });
  const bytes = await readSmall(files, state.journal, name);
  if (!bytes) return;
  try {
    await replaceFile(files, { dir: state.journal, name, bytes, flush: "both" });
  } catch (error) {
    // On a full disk recovery goes on with the file as it is.
    if (!noSpace.has(codeOf(error))) throw error;
  }
}

const noSpace = new Set(["ENOSPC", "EDQUOT"]);

/** Reads the log file of one transaction; `not-found` where there is none. */
export async function readTransactionLog(
  { files, state }: StateAccess,
  number: number,
): Promise<Outcome<TransactionLog>> {
  for (const pending of [false, true]) {
    const bytes = await readSmall(files, state.journal, logName(number, { pending }));
    if (bytes) return accept(parseTransactionLog(number, pending, bytes));
  }
  return refuse({ code: "not-found", what: "entry", detail: String(number) });
}

function parseTransactionLog(number: number, pending: boolean, bytes: Uint8Array): TransactionLog {
  const parsed = parseRecords(bytes);
  const find = (type: RecordType): JournalRecord | undefined =>
    parsed.records.find((record) => record.type === type);
  const begin = parsed.records[0]?.type === "begin" ? (parsed.records[0].body as Intent) : null;
  return {
    number,
    pending,
    size: bytes.length,
    parsed,
    intent: begin,
    texts: (find("texts")?.body as Texts | undefined) ?? null,
    committed: find("commit") !== undefined,
    done: find("done") !== undefined,
    aborted: (find("aborted")?.body as Aborted | undefined) ?? null,
    head: parsed.records.at(-1)?.hash ?? "",
  };
}

/** The entry of a finished transaction; `null` while the transaction is undecided. */
export function entryOf({ intent, done, aborted }: TransactionLog): Entry | null {
  if (!intent || !(done || aborted)) return null;
  return entryFrom(intent, aborted ? "aborted" : "committed");
}

/** The part of an intent that the history shows. */
export function entryFrom(intent: Intent, state: Entry["state"]): Entry {
  const {
    format: _format,
    previous: _previous,
    steps: _steps,
    makes: _makes,
    removes: _removes,
    ...entry
  } = intent;
  return { ...entry, state };
}
