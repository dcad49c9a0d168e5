import { versionOf, writeAll } from "../files/content.ts";
import { codeOf, type Files, ignoreIoError, type OpenFile } from "../files/files.ts";
import { replaceFile, type StateAccess } from "../state/state.ts";
import { nextAtRest } from "./checkpoint.ts";
import type { Entry } from "./entries.ts";
import { entryOf, listTransactionLogs, readTransactionLog } from "./transaction-log.ts";

/** One line for each entry, so that most questions about the history need not open transaction logs. */
export type IndexLine = Pick<Entry, "time" | "kind" | "state"> & {
  readonly number: number;
  readonly run: string | null;
  readonly task: string | null;
  readonly key: string | null;
  readonly undoes: readonly string[];
  /** How many edits the entry has of each kind of target. */
  readonly targets: Readonly<Record<string, number>>;
  readonly files: readonly IndexedFile[];
};

/** A file of an entry. Versions are cut to their first digits; `null`: there is no file. */
export type IndexedFile = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
};

const fileName = "entries";
/** Earlier versions of Suture kept another index under this name. It only shows which entries existed. */
const earlierName = "index";
const digits = 16;

/** A version as the index has it. */
export function shortVersion(version: string): string {
  return version.slice(0, digits);
}

/**
 * An index of the journal in one file. The file is never flushed: recovery compares it with the journal and writes it
 * again where a line is missing. Lines of entries that undo others start with `u`, so that they are found without
 * parsing the rest.
 */
export class JournalIndex {
  readonly #access: StateAccess;
  #file: { readonly identity: string; size: number } | null = null;
  /** The content of the file so far, in pieces of whole lines. */
  #pieces: Buffer[] = [];
  /** Entries that the file does not have. */
  readonly #unlisted = new Map<number, IndexLine>();
  readonly #parsed = new Map<number, IndexLine>();
  #parsedPieces = 0;
  /** The number of the last line of the pieces. */
  #lastNumber = 0;
  #end: IndexEnd | null = null;

  constructor(access: StateAccess) {
    this.#access = access;
  }

  /**
   * The lines of all entries below `next`, by number; newer ones may be included. The lock owner knows the number of the
   * next entry. Other callers omit it.
   */
  async lines(next?: number): Promise<ReadonlyMap<number, IndexLine>> {
    await this.#refresh(next);
    for (const piece of this.#pieces.slice(this.#parsedPieces))
      for (const line of parseLines(piece)) this.#parsed.set(line.number, line);
    this.#parsedPieces = this.#pieces.length;
    for (const [number, line] of this.#unlisted) this.#parsed.set(number, line);
    return this.#parsed;
  }

  /** The lines that contain a string as a value, newest first. */
  async linesWith(word: string, next?: number): Promise<IndexLine[]> {
    await this.#refresh(next);
    const needle = JSON.stringify(word);
    const unlisted = [...this.#unlisted.values()].filter((line) => printLine(line).includes(needle));
    return newestFirst([...this.#pieces.flatMap((piece) => linesAround(piece, needle)), ...unlisted]);
  }

  /** The committed entries that undo others, newest first. */
  async undoing(next?: number): Promise<IndexLine[]> {
    await this.#refresh(next);
    const listed = this.#pieces.flatMap(undoLines);
    const all = [...listed, ...this.#unlisted.values()];
    return newestFirst(all.filter(({ state, undoes }) => undoes.length > 0 && state === "committed"));
  }

  /** The ids of the entries that a later entry has undone. */
  async undone(next?: number): Promise<ReadonlySet<string>> {
    const undone = new Set<string>();
    for (const { number, undoes } of await this.undoing(next))
      if (!undone.has(String(number))) for (const id of undoes) undone.add(id);
    return undone;
  }

  /** Adds an entry that was just committed. A failure is harmless, because recovery repeats it. */
  async append(number: number, entry: Entry): Promise<void> {
    try {
      await this.#append(lineOf(number, entry));
    } catch (error) {
      ignoreIoError(error);
      this.#end = null;
    }
  }

  async #append(line: IndexLine): Promise<void> {
    const { files } = this.#access;
    const file = await openOrCreate(this.#access);
    try {
      const { size, identity } = await files.statOpen(file);
      const known = this.#end?.identity === identity && this.#end.size === size;
      const end = known && this.#end ? this.#end : await readEnd(files, file, { size, identity });
      if (end.last === line.number - 1) {
        const bytes = new TextEncoder().encode(`${end.whole ? "" : "\n"}${printLine(line)}`);
        await writeAll(files, file, bytes, size);
        this.#end = { identity, size: size + bytes.length, last: line.number, whole: true };
        if (end.whole && this.#file?.identity === identity && this.#file.size === size)
          this.#add(Buffer.from(bytes), this.#file, line);
        return;
      }
    } finally {
      await files.close(file);
    }
    await rewriteIndex(this.#access, { below: line.number, more: [line] });
  }

  async #refresh(next?: number): Promise<void> {
    await this.#read();
    await this.#readUnlisted(this.#lastNumber, next ?? (await nextAtRest(this.#access)));
  }

  /** Reads the part of the file that was added since, or all of it if the file was replaced. */
  async #read(): Promise<void> {
    const { files, state } = this.#access;
    const found = this.#file && (await files.stat(state.journal, fileName));
    if (found && found.identity === this.#file?.identity && found.size === this.#file.size) return;
    try {
      const file = await files.openRead(state.journal, fileName);
      try {
        const { size, identity } = await files.statOpen(file);
        if (this.#file?.identity !== identity || size < this.#file.size) this.#forget();
        this.#file ??= { identity, size: 0 };
        const tail = await files.read(file, this.#file.size, size - this.#file.size);
        const bytes = Buffer.from(tail.subarray(0, tail.lastIndexOf(10) + 1));
        if (bytes.length > 0) this.#add(bytes, this.#file, lastLine(bytes));
      } finally {
        await files.close(file);
      }
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      this.#forget();
    }
  }

  /** Adds whole lines to the known content of the file. */
  #add(bytes: Buffer, file: { size: number }, last: IndexLine | null): void {
    file.size += bytes.length;
    this.#pieces.push(bytes);
    this.#lastNumber = last?.number ?? 0;
    if (this.#pieces.length <= mostPieces || this.#parsedPieces > 0) return;
    this.#pieces = [Buffer.concat(this.#pieces)];
  }

  #forget(): void {
    this.#file = null;
    this.#pieces = [];
    this.#parsedPieces = 0;
    this.#lastNumber = 0;
    this.#parsed.clear();
    this.#unlisted.clear();
  }

  /** Reads the entries after the last one of the file. A file without lines may be one that is still to be written. */
  async #readUnlisted(last: number, next = Number.POSITIVE_INFINITY): Promise<void> {
    for (const number of this.#unlisted.keys()) if (number <= last) this.#unlisted.delete(number);
    if (last === 0) {
      for (const { number } of await listTransactionLogs(this.#access))
        if (number < next) await this.#readLog(number);
      return;
    }
    for (let number = last + 1, missing = 0; number < next && missing < mostMissing; number++)
      missing = (await this.#readLog(number)) ? 0 : missing + 1;
  }

  async #readLog(number: number): Promise<boolean> {
    const line = this.#unlisted.get(number) ?? (await readLine(this.#access, number));
    if (line) this.#unlisted.set(number, line);
    return line !== null;
  }
}

const mostPieces = 64;
/** So many numbers without an entry end the search for newer ones. */
const mostMissing = 4;

/** The end of the index file: its last entry, and whether the last line is complete. */
type IndexEnd = {
  readonly identity: string;
  readonly size: number;
  readonly last: number;
  readonly whole: boolean;
};

async function readEnd(
  files: Files,
  file: OpenFile,
  { size, identity }: { readonly size: number; readonly identity: string },
): Promise<IndexEnd> {
  for (let length = 4096; ; length *= 8) {
    const start = Math.max(0, size - length);
    const bytes = Buffer.from(await files.read(file, start, size - start));
    const found = lastLine(bytes);
    if (found || start === 0)
      return { identity, size, last: found?.number ?? 0, whole: size === 0 || bytes.at(-1) === 10 };
  }
}

/** The last line of some bytes, if it is complete and has its checksum. */
function lastLine(bytes: Buffer): IndexLine | null {
  const end = bytes.lastIndexOf(10);
  if (end < 0) return null;
  const start = end === 0 ? 0 : bytes.lastIndexOf(10, end - 1) + 1;
  return parseLine(bytes.toString("utf8", start, end));
}

/** The numbers that the index has or had, whether or not the journal has them. */
export async function indexedNumbers(access: StateAccess): Promise<Set<number>> {
  const numbers = new Set(parseLines(await readWhole(access, fileName)).map(({ number }) => number));
  const earlier = (await readWhole(access, earlierName)).toString("utf8").split("\n");
  for (const text of earlier) {
    const json = text.slice(9);
    if (json === "" || text.slice(0, 8) !== checksum(json)) continue;
    numbers.add(Number(json.slice(1, json.indexOf(","))));
  }
  return numbers;
}

/** Writes the index again if it lacks an entry of the journal or has a damaged line. */
export async function repairIndex(access: StateAccess, numbers: readonly number[]): Promise<void> {
  try {
    const bytes = await readWhole(access, fileName);
    const lines = parseLines(bytes);
    const known = new Set(lines.map(({ number }) => number));
    const isOrdered = lines.every(({ number }, i) => i === 0 || (lines[i - 1]?.number ?? 0) < number);
    const isWhole = lines.length === countLines(bytes) && (bytes.length === 0 || bytes.at(-1) === 10);
    if (isOrdered && isWhole && numbers.every((number) => known.has(number))) return;
    await rewriteIndex(access, { below: Number.MAX_SAFE_INTEGER });
  } catch (error) {
    ignoreIoError(error);
  }
}

export type IndexRewrite = {
  /** Lines of this number and above are dropped. */
  readonly below: number;
  readonly more?: readonly IndexLine[];
  /** Entries that the journal no longer has. */
  readonly without?: ReadonlySet<number>;
};

/** Writes the whole index: the sound lines of the file, lines for entries that it lacks, and `more`. */
export async function rewriteIndex(
  access: StateAccess,
  { below, more = [], without = new Set() }: IndexRewrite,
): Promise<void> {
  const lines = new Map(parseLines(await readWhole(access, fileName)).map((line) => [line.number, line]));
  for (const { number } of await listTransactionLogs(access)) {
    const line = lines.has(number) || number >= below ? null : await readLine(access, number);
    if (line) lines.set(number, line);
  }
  const kept = [...lines.values()].filter(({ number }) => number < below && !without.has(number));
  const all = [...kept, ...more].sort((a, b) => a.number - b.number);
  const bytes = new TextEncoder().encode(all.map(printLine).join(""));
  await replaceFile(access.files, { dir: access.state.journal, name: fileName, bytes, flush: "none" });
}

async function readLine(access: StateAccess, number: number): Promise<IndexLine | null> {
  const log = await readTransactionLog(access, number);
  const entry = log.ok ? entryOf(log.value) : null;
  return entry && lineOf(number, entry);
}

async function readWhole({ files, state }: StateAccess, name: string): Promise<Buffer> {
  try {
    const file = await files.openRead(state.journal, name);
    try {
      return Buffer.from(await files.read(file, 0, (await files.statOpen(file)).size));
    } finally {
      await files.close(file);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

function newestFirst(lines: readonly IndexLine[]): IndexLine[] {
  return lines.toSorted((a, b) => b.number - a.number);
}

function lineOf(number: number, entry: Entry): IndexLine {
  const { time, kind, state, run = null, task = null, idempotencyKey = null, undoes = [] } = entry;
  const targets: Record<string, number> = {};
  for (const { target } of entry.edits) targets[target] = (targets[target] ?? 0) + 1;
  const files = entry.files.map(({ path, before, after }) => ({
    path,
    before: before && shortVersion(before.version),
    after: after && shortVersion(after.version),
  }));
  return { number, time, kind, state, run, task, key: idempotencyKey, undoes, targets, files };
}

function printLine(line: IndexLine): string {
  const { number, time, kind, state, run, task, key, undoes, targets, files } = line;
  const flat = files.map(({ path, before, after }) => [path, before, after]);
  const json = JSON.stringify([number, time, kind, state, run, task, key, undoes, targets, ...flat]);
  return `${undoes.length > 0 ? "u" : "e"} ${checksum(json)} ${json}\n`;
}

function parseLines(bytes: Buffer): IndexLine[] {
  const lines: IndexLine[] = [];
  for (const text of bytes.toString("utf8").split("\n")) {
    const line = parseLine(text);
    if (line) lines.push(line);
  }
  return lines;
}

const head = /^[eu] [0-9a-f]{8} \[/;

function parseLine(text: string): IndexLine | null {
  const json = text.slice(11);
  if (!head.test(text) || text.slice(2, 10) !== checksum(json)) return null;
  const [number, time, kind, state, run, task, key, undoes, targets, ...flat] = JSON.parse(json);
  const files = flat.map(([path, before, after]: [string, string | null, string | null]) => ({
    path,
    before,
    after,
  }));
  return { number, time, kind, state, run, task, key, undoes, targets, files };
}

/** The lines that contain a text. */
function linesAround(bytes: Buffer, needle: string): IndexLine[] {
  const lines: IndexLine[] = [];
  for (let at = bytes.indexOf(needle); at >= 0; ) {
    const line = lineAround(bytes, at);
    if (line) lines.push(line);
    const end = bytes.indexOf(10, at);
    at = end < 0 ? -1 : bytes.indexOf(needle, end + 1);
  }
  return lines;
}

function undoLines(bytes: Buffer): IndexLine[] {
  const starts = bytes.toString("latin1", 0, 2) === "u " ? [0] : [];
  for (let at = bytes.indexOf("\nu "); at >= 0; at = bytes.indexOf("\nu ", at + 1)) starts.push(at + 1);
  return starts.flatMap((at) => lineAround(bytes, at) ?? []);
}

function lineAround(bytes: Buffer, at: number): IndexLine | null {
  const start = at === 0 ? 0 : bytes.lastIndexOf(10, at - 1) + 1;
  return parseLine(bytes.toString("utf8", start, bytes.indexOf(10, at)));
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

function checksum(json: string): string {
  return versionOf(new TextEncoder().encode(json)).slice(0, 8);
}

async function openOrCreate({ files, state }: StateAccess): Promise<OpenFile> {
  try {
    return await files.openWrite(state.journal, fileName);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return files.create(state.journal, fileName, 0o600);
  }
}
