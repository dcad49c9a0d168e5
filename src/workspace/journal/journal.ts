import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { readAll, writeAll } from "../files/content.ts";
import { codeOf, type Dir, type Files, type OpenFile } from "../files/files.ts";
import type { Entry } from "./entries.ts";
import { type JournalRecord, type Parsed, parseRecords, printRecord, type RecordType } from "./records.ts";

/**
 * What a transaction is going to do, written and flushed before it does anything that a crash could leave behind.
 * Names of staged files are names only: where they lie follows from `beside`.
 */
export type Intent = Omit<Entry, "state"> & {
  readonly format: 1;
  /** Hash of the last record of the entry before: the chain. */
  readonly previous: string;
  readonly steps: readonly Step[];
  /** Directories that have to be made, parents first. */
  readonly makes: readonly string[];
  /** Directories to remove afterwards if they are empty then, children first. */
  readonly removes: readonly string[];
};

/** How one file of the entry is written; steps and files have the same order. */
export type Step = {
  /** Where the new bytes wait; absent when the file goes. */
  readonly staged?: string;
  /** Where the old file waits, when it is moved away instead of replaced. */
  readonly aside?: string;
  /** Both wait in the target's own directory, because that is another file system. */
  readonly beside?: true;
  /** Written through the file itself. */
  readonly inPlace?: true;
  /** Without hard links a new file's name is reserved by an empty one first. */
  readonly reserve?: true;
  /** The old file's device and inode. */
  readonly identity?: string;
  /** An image of the old bytes was in the store already. */
  readonly held?: true;
};

/** The texts of an entry, by file in order: what each splice put in, and what it took out. */
export type Texts = readonly { readonly inserted: readonly string[]; readonly removed: readonly string[] }[];

/** What stopped a transaction after its commit: paths at which something else stood. */
export type Aborted = { readonly strangers: readonly { readonly path: string; readonly version: string }[] };

/** One transaction's file, as read. */
export type Volume = {
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

/** A transaction's file while it is being written. */
export type OpenVolume = {
  append(...records: readonly (readonly [type: RecordType, body: unknown])[]): Promise<void>;
  flush(): Promise<void>;
  /** Hash of the last record. */
  head(): string;
  size(): number;
  close(): Promise<void>;
};

const pendingName = (number: number): string => `${String(number).padStart(6, "0")}.pending`;
const finishedName = (number: number): string => `${String(number).padStart(6, "0")}.journal`;

export function volumeName(number: number, { pending }: { pending: boolean }): string {
  return pending ? pendingName(number) : finishedName(number);
}

/** The numbers of all transactions with a file, rising. */
export async function listVolumes(files: Files, dir: Dir): Promise<{ number: number; pending: boolean }[]> {
  const found: { number: number; pending: boolean }[] = [];
  for (const { name } of await files.list(dir)) {
    const match = /^([0-9]{6,15})\.(pending|journal)$/.exec(name);
    if (match) found.push({ number: Number(match[1]), pending: match[2] === "pending" });
  }
  return found.sort((a, b) => a.number - b.number);
}

/** A new file with its first two records, not flushed yet. */
export async function createVolume(
  files: Files,
  dir: Dir,
  number: number,
  epoch: number,
  intent: Intent,
  texts: Texts,
): Promise<OpenVolume> {
  const file = await files.create(dir, pendingName(number), 0o600);
  const volume = openVolume(files, file, epoch, 0, "");
  try {
    await volume.append(["begin", intent], ["texts", texts]);
    return volume;
  } catch (error) {
    await volume.close();
    throw error;
  }
}

/** Goes on writing a transaction's file after its last whole record. */
export async function reopenVolume(
  files: Files,
  dir: Dir,
  volume: Volume,
  epoch: number,
): Promise<OpenVolume> {
  const file = await files.openWrite(dir, volumeName(volume.number, volume));
  if (volume.parsed.ending === "torn") await files.truncate(file, volume.parsed.length);
  return openVolume(files, file, epoch, volume.parsed.length, volume.head);
}

function openVolume(files: Files, file: OpenFile, epoch: number, length: number, hash: string): OpenVolume {
  let size = length;
  let head = hash;
  return {
    append: async (...records) => {
      let text = "";
      let hash = head;
      for (const [type, body] of records) {
        const record = printRecord(type, epoch, body, hash);
        text += record.text;
        hash = record.hash;
      }
      const bytes = new TextEncoder().encode(text);
      await writeAll(files, file, bytes, size);
      size += bytes.length;
      head = hash;
    },
    flush: () => files.flush(file),
    head: () => head,
    size: () => size,
    close: () => files.close(file),
  };
}

/** Reads one transaction's file; `not-found` where there is none. */
export async function readVolume(files: Files, dir: Dir, number: number): Promise<Outcome<Volume>> {
  for (const pending of [false, true]) {
    const bytes = await readNamed(files, dir, volumeName(number, { pending }));
    if (bytes) return accept(parseVolume(number, pending, bytes));
  }
  return refuse({ code: "not-found", what: "entry", detail: String(number) });
}

async function readNamed(files: Files, dir: Dir, name: string): Promise<Uint8Array | null> {
  try {
    const file = await files.openRead(dir, name);
    try {
      return await readAll(files, file, (await files.statOpen(file)).size);
    } finally {
      await files.close(file);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function parseVolume(number: number, pending: boolean, bytes: Uint8Array): Volume {
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

/** The entry a finished transaction left in the history; `null` while it is not decided. */
export function entryOf({ intent, done, aborted }: Volume): Entry | null {
  if (!intent || !(done || aborted)) return null;
  const {
    format: _format,
    previous: _previous,
    steps: _steps,
    makes: _makes,
    removes: _removes,
    ...entry
  } = intent;
  return { ...entry, state: aborted ? "aborted" : "committed" };
}
