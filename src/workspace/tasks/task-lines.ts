import { compareTexts } from "../../text/diff/compare.ts";
import { defined } from "../../text/model/defined.ts";
import { indexLines } from "../../text/model/lines.ts";
import type { Rival } from "../../text/model/outcome.ts";
import type { FileRecord, LineRegion } from "../journal/entries.ts";
import type { History } from "../journal/history.ts";
import type { IndexLine, JournalIndex } from "../journal/journal-index.ts";
import { entryOf, type TransactionLog } from "../journal/transaction-log.ts";
import type { TextVersion } from "../journal/version-path.ts";
import type { FileSide, VersionStore } from "../journal/version-store.ts";
import { decodeAny } from "../journal/versions.ts";
import { lineHunks, moveLines, overlapsAny } from "./tasks.ts";

export type RivalQuery = {
  readonly path: string;
  /** The current version of the file. */
  readonly current: TextVersion;
  readonly lines: readonly LineRegion[];
  /** Only other tasks of the same run are rivals. */
  readonly task: string;
  readonly run?: string | undefined;
  /** The number of the next entry, where it is known. */
  readonly next?: number;
};

/** Lines that an edit of a task targeted, at their current position. `edit` is its index in the entry. */
type TaskLine = {
  readonly number: number;
  readonly run: string | null;
  readonly task: string;
  readonly edit: number;
  readonly lines: LineRegion;
};

/** The task lines of one file, moved along with all entries below `next`. */
type TrackedFile = { next: number; version: string | null; lines: TaskLine[] };

/** One file of an entry. */
export type EntryFile = { readonly log: TransactionLog; readonly index: number; readonly record: FileRecord };

export type TaskLineSources = {
  readonly history: History;
  readonly journalIndex: JournalIndex;
  readonly versions: VersionStore;
};

/** Finds the tasks that have edited certain lines. It reads the journal, so it works across processes. */
export class TaskLines {
  readonly #history: History;
  readonly #journalIndex: JournalIndex;
  readonly #versions: VersionStore;
  readonly #tracked = new Map<string, TrackedFile>();

  constructor({ history, journalIndex, versions }: TaskLineSources) {
    this.#history = history;
    this.#journalIndex = journalIndex;
    this.#versions = versions;
  }

  /** The other tasks of the run that have edited these lines. */
  async findRivals(query: RivalQuery): Promise<Rival[]> {
    const { path, task, run = null } = query;
    const index = await this.#journalIndex.lines(query.next);
    const next = query.next ?? newest(index) + 1;
    const isRival = (line: { task: string | null; run: string | null }): boolean =>
      line.task !== null && line.task !== task && line.run === run;
    let hasRivals = false;
    for (const line of index.values()) {
      hasRivals = isRival(line) && line.number < next && changes(line, path);
      if (hasRivals) break;
    }
    if (!hasRivals) return [];
    const tracked = await this.#advance(path, index, next);
    const undone = await this.#journalIndex.undone(query.next);
    const others = tracked.lines.filter((line) => isRival(line) && !undone.has(String(line.number)));
    const moved = await this.#moveToCurrent(others, tracked.version, query);
    const overlaps = overlapsAny(query.lines);
    const rivals = moved.filter(({ lines }) => overlaps(lines)).map((line) => this.#showRival(line, path));
    return (await Promise.all(rivals)).filter((rival) => rival !== null);
  }

  /** Moves lines from the last recorded version to the current text. */
  async #moveToCurrent(
    lines: readonly TaskLine[],
    version: string | null,
    { path, current }: RivalQuery,
  ): Promise<readonly TaskLine[]> {
    if (lines.length === 0 || version === current.version) return lines;
    const then = version === null ? null : await this.#textOf(path, version);
    return then === null ? [] : moveAll(lines, lineHunks(then, compareTexts(then, current.text)));
  }

  async #advance(path: string, index: ReadonlyMap<number, IndexLine>, next: number): Promise<TrackedFile> {
    const tracked = this.#tracked.get(path) ?? { next: 1, version: null, lines: [] };
    this.#tracked.set(path, tracked);
    for (const number of numbersOf(path, index, { from: tracked.next, next }))
      await this.#applyEntry(tracked, path, number);
    tracked.next = next;
    return tracked;
  }

  /** Moves the lines of a file along with one entry, and adds the lines of that entry. */
  async #applyEntry(tracked: TrackedFile, path: string, number: number): Promise<void> {
    const log = await this.#history.log(number);
    const entry = log && entryOf(log);
    const file = log && fileOf(log, path);
    if (!entry || !file) return;
    const { after, hunks, lines } = file.record;
    await this.#moveToEntry(tracked, path, file);
    tracked.lines = after ? moveAll(tracked.lines, hunks) : [];
    tracked.version = after?.version ?? null;
    const { task, run = null } = entry;
    if (entry.kind === "edit" && task !== undefined)
      for (const [edit, line] of lines.entries())
        tracked.lines.push({ number, run, task, edit, lines: line.after });
  }

  /** Moves lines over outside changes between the last entry and this one. */
  async #moveToEntry(tracked: TrackedFile, path: string, { log, index, record }: EntryFile): Promise<void> {
    const { before } = record;
    if (!before) tracked.lines = [];
    else if (tracked.version !== null && tracked.version !== before.version && tracked.lines.length > 0) {
      const then = await this.#textOf(path, tracked.version);
      const now = await this.#readText({ log, index, side: "before" });
      tracked.lines =
        then === null || now === null ? [] : moveAll(tracked.lines, lineHunks(then, compareTexts(then, now)));
    }
  }

  /** The text of a version that an entry wrote. */
  #textOf(path: string, version: string): Promise<string | null> {
    return this.#versions.textOfVersion({ path, version });
  }

  async #readText(side: FileSide): Promise<string | null> {
    const copy = await this.#versions.readSide(side);
    return copy.ok && copy.value ? (decodeAny(copy.value)?.text ?? null) : null;
  }

  async #showRival({ number, task, edit, lines }: TaskLine, path: string): Promise<Rival | null> {
    const log = await this.#history.log(number);
    const entry = log && entryOf(log);
    const file = log && fileOf(log, path);
    const edited = file?.record.lines[edit];
    if (!entry || !file || !edited) return null;
    const before = await this.#readText({ ...file, side: "before" });
    const after = await this.#readText({ ...file, side: "after" });
    return {
      task,
      entry: entry.id,
      reason: entry.reason,
      ...lines,
      ...defined({
        before: before === null ? undefined : sliceLines(before, edited.before),
        after: after === null ? undefined : sliceLines(after, edited.after),
      }),
    };
  }
}

export function fileOf(log: TransactionLog, path: string): EntryFile | null {
  const index = log.intent?.files.findIndex((file) => file.path === path) ?? -1;
  const record = log.intent?.files[index];
  return record ? { log, index, record } : null;
}

function newest(index: ReadonlyMap<number, IndexLine>): number {
  let highest = 0;
  for (const number of index.keys()) highest = Math.max(highest, number);
  return highest;
}

/** The entries that changed a file, oldest first. */
export function numbersOf(
  path: string,
  index: ReadonlyMap<number, IndexLine>,
  { from, next }: { from: number; next: number },
): number[] {
  const found: number[] = [];
  for (const line of index.values())
    if (line.number >= from && line.number < next && changes(line, path)) found.push(line.number);
  return found.sort((a, b) => a - b);
}

/** An aborted entry has changed no file. */
function changes({ state, files }: IndexLine, path: string): boolean {
  return state === "committed" && files.some((file) => file.path === path);
}

function moveAll(lines: readonly TaskLine[], hunks: Parameters<typeof moveLines>[1]): TaskLine[] {
  return lines.map((line) => ({ ...line, lines: moveLines(line.lines, hunks) }));
}

function sliceLines(text: string, { startLine, endLine }: LineRegion): string {
  const { starts } = indexLines(text);
  if (endLine < startLine) return "";
  return text.slice(starts[startLine - 1] ?? text.length, starts[endLine] ?? text.length);
}
