import { markAll } from "../text/diff/carry-marks.ts";
import { defined } from "../text/model/defined.ts";
import { decode, type Encoding } from "../text/model/encoding.ts";
import { accept, type Outcome, RefusalError, type Rival, refuse } from "../text/model/outcome.ts";
import type { Change, Plan } from "../text/model/plan.ts";
import type { Snapshot } from "../text/model/snapshot.ts";
import { lookAt, type ReadContext } from "./commit/commit-context.ts";
import { absent } from "./files/content.ts";
import type { Files } from "./files/files.ts";
import { refusalOfIoError } from "./files/io-error.ts";
import type { Entry, LineRegion } from "./journal/entries.ts";
import type { PastEntry } from "./journal/history.ts";
import type { IndexLine } from "./journal/journal-index.ts";
import { findLineOwners } from "./journal/line-owners.ts";
import { entryOf } from "./journal/transaction-log.ts";
import type { TextVersion } from "./journal/version-path.ts";
import type { VersionStore } from "./journal/version-store.ts";
import type { Closable } from "./lifetime.ts";
import type { JournalStores, OpenRoot } from "./open-root.ts";
import { AskedPolicy } from "./paths/asked-policy.ts";
import { type Listing, type ListOptions, listFiles } from "./paths/listing.ts";
import { type GatedPath, gate, type PathPolicy } from "./paths/paths.ts";
import { followLinks } from "./paths/walk.ts";
import { isForeign } from "./state/open-state.ts";
import { readSmall, stateName } from "./state/state.ts";
import { inStatePlace, type KeptFolder, listState, locateState } from "./state/state-folders.ts";
import {
  type SelectEntries,
  selectRedo,
  selectUndo,
  showChange,
  showPlan,
  type UndoTarget,
} from "./undo/undo.ts";
import { currentVersion, type FileVersion, planWithout } from "./undo/undo-plan.ts";

/** A file as it was read. If there is no file, `text` and `bytes` are null. */
export type FileSnapshot = Snapshot & {
  readonly bytes: Uint8Array | null;
  readonly mode: number | null;
  readonly encoding: Encoding | null;
};

export type ReaderOptions = {
  /** The port to the machine; by default the disk. */
  readonly files?: Files;
  readonly policy?: PathPolicy;
  /** The largest file that is read, in bytes. */
  readonly sizeLimit?: number;
  /** `inside`: links to files inside the root are followed. */
  readonly links?: "inside";
  /** `sibling`: `<file>.bak` beside a file is a backup, not a document. Writers create one until their run succeeds. */
  readonly backup?: "sibling";
};

export type HistoryQuery = {
  /** Entries older than this one. */
  readonly before?: string;
  readonly limit?: number;
  readonly path?: string;
  readonly run?: string;
  readonly task?: string;
};

/** `undone`: a later entry has undone it. */
export type HistoryItem = Entry & { readonly undone: boolean };

/** A text and the entry of each of its lines. */
export type OwnedLines = {
  readonly path: string;
  readonly text: string;
  readonly owners: readonly (Entry | null)[];
};

/** An entry as the index of the journal has it. `targets`: how many edits it has of each kind. */
export type EntrySummary = Pick<IndexLine, "time" | "kind" | "state" | "run" | "undoes" | "targets"> & {
  readonly id: string;
  readonly paths: readonly string[];
  readonly undone: boolean;
};

/**
 * Reads and never writes. Takes no lock. `close` waits for running calls. After it, every method refuses with the code
 * `closed`; `history` throws it as a `RefusalError`.
 */
export type Reader = Closable & {
  readonly root: string;
  /** Whether `close` was called. */
  isClosed(): boolean;
  read(path: string, options?: { strayBytes?: "keep" }): Promise<Outcome<FileSnapshot>>;
  list(options?: ListOptions): Promise<Outcome<Listing>>;
  /** Newest first. */
  history(query?: HistoryQuery): Promise<readonly HistoryItem[]>;
  /** All entries, newest first, without opening each of them. */
  summaries(): Promise<readonly EntrySummary[]>;
  entry(id: string): Promise<Outcome<HistoryItem>>;
  /** The entry that was committed with an idempotency key; `null` where there is none. */
  entryOfKey(key: string): Promise<Outcome<Entry | null>>;
  /** The text of a version of a file that the journal has; `null` where it has none. */
  textOfVersion(path: string, version: string): Promise<Outcome<string | null>>;
  /** The bytes of a file before or after an entry; `null` where there was no file. */
  readImage(id: string, path: string, side: "before" | "after"): Promise<Outcome<Uint8Array | null>>;
  /** The changes of an entry as a plan, for diffs. */
  entryPlan(id: string): Promise<Outcome<Plan>>;
  /** The other tasks of the same run that have edited these lines. */
  findConflicts(
    path: string,
    lines: readonly LineRegion[],
    who: { readonly task: string; readonly run?: string },
  ): Promise<Outcome<readonly Rival[]>>;
  /**
   * The entry that wrote each line of a file, or of another text of it; `null` for a line that nobody recorded. Lines end at LF.
   */
  lineOwners(path: string, at?: TextVersion): Promise<Outcome<OwnedLines>>;
  planUndo(target: UndoTarget): Promise<Outcome<Plan>>;
  planRedo(target: UndoTarget): Promise<Outcome<Plan>>;
  planRestore(path: string, id: string, side?: "before" | "after"): Promise<Outcome<Plan>>;
  /** A file that `docs` or `agents` keeps in the state, such as `lineage.json` or `audit/<name>.json`. */
  readState(name: string): Promise<Outcome<Uint8Array | null>>;
  /** The names of the files in a folder of the state, without `.json`, sorted. */
  listState(folder: KeptFolder): Promise<Outcome<readonly string[]>>;
};

/** The methods of a reader. The caller opens and closes the root. */
export function createReader(
  root: OpenRoot,
  options: ReaderOptions,
): Omit<Reader, keyof Closable | "isClosed"> {
  const reader = new RootReader(root, options);
  return {
    root: root.path,
    read: (path, how) => refuseIoErrors(() => reader.read(path, how)),
    list: (query) => refuseIoErrors(() => reader.list(query)),
    history: (query) => reader.history(query),
    summaries: () => reader.summaries(),
    entry: (id) =>
      refuseIoErrors(() => reader.withEntry(id, async ({ entry, undone }) => accept({ ...entry, undone }))),
    entryOfKey: (key) => refuseIoErrors(() => reader.entryOfKey(key)),
    textOfVersion: (path, version) => refuseIoErrors(() => reader.textOfVersion(path, version)),
    readImage: (id, path, side) => refuseIoErrors(() => reader.readSide(id, path, side)),
    entryPlan: (id) => refuseIoErrors(() => reader.withEntry(id, planOf)),
    findConflicts: (path, lines, who) => refuseIoErrors(() => reader.findConflicts(path, lines, who)),
    lineOwners: (path, at) => refuseIoErrors(() => reader.lineOwners(path, at)),
    planUndo: (target) => refuseIoErrors(() => reader.planReversal(selectUndo, target)),
    planRedo: (target) => refuseIoErrors(() => reader.planReversal(selectRedo, target)),
    planRestore: (path, id, side) => refuseIoErrors(() => reader.planRestore(path, id, side)),
    readState: (name) => refuseIoErrors(() => reader.readState(name)),
    listState: (folder) => refuseIoErrors(() => reader.listState(folder)),
  };
}

class RootReader {
  readonly #root: OpenRoot;
  readonly #options: ReaderOptions;

  constructor(root: OpenRoot, options: ReaderOptions) {
    this.#root = root;
    this.#options = options;
  }

  read(path: string, how: { strayBytes?: "keep" } = {}): Promise<Outcome<FileSnapshot>> {
    return this.#root.withReadContext(async (context): Promise<Outcome<FileSnapshot>> => {
      const policy = new AskedPolicy(this.#options.policy);
      const { links } = this.#options;
      const gated = await passGate(context, path, {
        links,
        check: (name) => policy.gate(name, "read"),
      });
      if (!gated.ok) return gated;
      const looked = await lookAt(context, gated.value.names);
      if (!looked.ok) return looked;
      const { content } = looked.value;
      const name = gated.value.path;
      if (!content)
        return accept({ path: name, text: null, version: absent, bytes: null, mode: null, encoding: null });
      const decoded = decode(content.bytes, how);
      if (!decoded.ok) return refuse({ path: name, ...decoded.refusal });
      const { version, bytes, stat } = content;
      return accept({ path: name, version, bytes, mode: stat.mode, ...decoded.value });
    });
  }

  async list(query: ListOptions = {}): Promise<Outcome<Listing>> {
    const listed = await this.#root.withReadContext((context) =>
      listFiles(context.files, context.root, query),
    );
    return listed.ok && this.#options.backup === "sibling" ? accept(withoutSiblings(listed.value)) : listed;
  }

  async history(query: HistoryQuery = {}): Promise<HistoryItem[]> {
    const stores = await this.#root.stores();
    if (!stores.ok) throw new RefusalError(stores.refusal);
    return stores.value ? findEntries(stores.value, query) : [];
  }

  async summaries(): Promise<EntrySummary[]> {
    const stores = await this.#root.stores();
    if (!stores.ok) throw new RefusalError(stores.refusal);
    if (!stores.value) return [];
    const { journalIndex } = stores.value;
    const lines = [...(await journalIndex.lines()).values()].sort((a, b) => b.number - a.number);
    const undone = await journalIndex.undone();
    return lines.map(({ number, files, time, kind, state, run, undoes, targets }) => ({
      ...{ id: String(number), time, kind, state, run, undoes, targets },
      paths: files.map(({ path }) => path),
      undone: undone.has(String(number)),
    }));
  }

  /** Runs work with an entry, and refuses if there is none of that id. */
  async withEntry<T>(
    id: string,
    work: (past: PastEntry, stores: JournalStores) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const stores = await this.#root.stores();
    if (!stores.ok) return stores;
    const past = await stores.value?.history.find(id);
    return stores.value && past
      ? work(past, stores.value)
      : refuse({ code: "not-found", what: "entry", detail: id });
  }

  async entryOfKey(key: string): Promise<Outcome<Entry | null>> {
    const stores = await this.#root.stores();
    if (!stores.ok) return stores;
    return accept(stores.value && (await findByKey(stores.value, key)));
  }

  async textOfVersion(path: string, version: string): Promise<Outcome<string | null>> {
    const stores = await this.#root.stores();
    if (!stores.ok) return stores;
    if (!stores.value) return accept(null);
    return accept(await stores.value.versions.textOfVersion({ path, version }));
  }

  readSide(id: string, path: string, side: "before" | "after"): Promise<Outcome<Uint8Array | null>> {
    return this.withEntry(id, async ({ entry, log }, { versions }) => {
      const index = entry.files.findIndex((file) => file.path === path);
      if (index < 0) return refuse({ code: "not-found", what: "file", path });
      return versions.readSide({ log, index, side });
    });
  }

  async findConflicts(
    ...[path, lines, who]: Parameters<Reader["findConflicts"]>
  ): Promise<Outcome<readonly Rival[]>> {
    const [snapshot, stores] = [await this.read(path), await this.#root.stores()];
    if (!snapshot.ok) return snapshot;
    if (!stores.ok) return stores;
    const { path: name, version, text } = snapshot.value;
    if (!stores.value || text === null) return accept([]);
    const { task, run } = who;
    const query = { path: name, current: { version, text }, lines, task, run };
    return accept(await stores.value.taskLines.findRivals(query));
  }

  async lineOwners(path: string, at?: TextVersion): Promise<Outcome<OwnedLines>> {
    const read = at === undefined ? await this.read(path, { strayBytes: "keep" }) : accept({ ...at, path });
    const stores = await this.#root.stores();
    if (!read.ok) return read;
    if (!stores.ok) return stores;
    const { path: name, version, text } = read.value;
    if (text === null) return refuse({ code: "not-found", what: "file", path: name });
    if (!stores.value) return accept({ path: name, text, owners: markAll(text, null).marks });
    const isThere = async (other: string): Promise<boolean> => {
      const found = await this.read(other, { strayBytes: "keep" });
      return !found.ok || found.value.text !== null;
    };
    const numbers = await findLineOwners({ ...stores.value, isThere }, name, { version, text });
    const entries = new Map<number, Entry>();
    for await (const { number, entry } of stores.value.history.pick([...new Set(numbers)]))
      entries.set(number, entry);
    return accept({ path: name, text, owners: numbers.map((number) => entries.get(number) ?? null) });
  }

  async planReversal(select: SelectEntries, target: UndoTarget): Promise<Outcome<Plan>> {
    const stores = await this.#root.stores();
    if (!stores.ok) return stores;
    if (!stores.value) return refuse({ code: "not-found", what: "entry" });
    const sources = stores.value;
    const entries = await select(sources, target);
    if (!entries.ok) return entries;
    const plan = await this.#root.withReadContext((context) => planWithout(context, sources, entries.value));
    return plan.ok ? accept(showPlan(plan.value)) : plan;
  }

  planRestore(path: string, id: string, side: "before" | "after" = "before"): Promise<Outcome<Plan>> {
    return this.withEntry(id, async (past, { versions }) => {
      const gated = gate(path, "read", { ...this.#options.policy, consent: true });
      if (!gated.ok) return gated;
      const { path: name, names } = gated.value;
      if (!past.entry.files.some((file) => file.path === name))
        return refuse({ code: "not-found", what: "file", path });
      const now = await this.#root.withReadContext((context) => lookAt(context, names));
      if (!now.ok) return now;
      const after = await recordedVersion(versions, past, { path: name, side });
      if (!after.ok) return after;
      const change = showChange({
        path: name,
        before: currentVersion(now.value.content),
        after: after.value,
      });
      return accept({ edits: [], landings: [], changes: [change] });
    });
  }

  async readState(name: string): Promise<Outcome<Uint8Array | null>> {
    const stores = await this.#root.stores();
    if (!stores.ok) return isForeign(stores.refusal) ? this.#readForeign(name) : stores;
    const at = locateState(name, stores.value?.openState.state ?? null);
    if (!at.ok) return at;
    if (!stores.value) return this.#readCloned(name);
    const { files } = this.#root;
    return accept(
      await inStatePlace(files, at.value, { create: false }, (dir) => readSmall(files, dir, at.value.name)),
    );
  }

  /** A clone contains the committed files of the state before the state itself exists. */
  #readCloned(name: string): Promise<Outcome<Uint8Array | null>> {
    return this.#root.withReadContext(async (context) => {
      if (name.includes("/")) return accept(null);
      const looked = await lookAt(context, [stateName, name]);
      return looked.ok ? accept(looked.value.content?.bytes ?? null) : looked;
    });
  }

  /** A check by another user goes on without what the state's owner keeps private. */
  async #readForeign(name: string): Promise<Outcome<Uint8Array | null>> {
    const read = await this.#readCloned(name);
    return read.ok ? read : accept(null);
  }

  async listState(folder: KeptFolder): Promise<Outcome<readonly string[]>> {
    const stores = await this.#root.stores();
    if (!stores.ok) return stores;
    return accept(await listState(this.#root.files, folder, stores.value?.openState.state ?? null));
  }
}

export type GateOptions = {
  readonly links: ReaderOptions["links"];
  readonly check: (path: string) => Outcome<GatedPath> | Promise<Outcome<GatedPath>>;
};

/** Checks a path against the gate, and follows its links if the options allow it. */
export async function passGate(
  context: ReadContext,
  path: string,
  { links, check }: GateOptions,
): Promise<Outcome<GatedPath>> {
  const gated = await check(path);
  if (!gated.ok || links !== "inside") return gated;
  return followLinks(context, gated.value, check);
}

/** Turns I/O errors into refusals, and rethrows bugs. */
export async function refuseIoErrors<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work();
  } catch (error) {
    return refuse(refusalOfIoError(error));
  }
}

/** The version of a file before or after an entry. */
export async function recordedVersion(
  versions: VersionStore,
  { entry, log }: PastEntry,
  { path, side }: { readonly path: string; readonly side: "before" | "after" },
): Promise<Outcome<FileVersion>> {
  const index = entry.files.findIndex((file) => file.path === path);
  const bytes = await versions.readSide({ log, index, side });
  if (!bytes.ok) return bytes;
  const state = entry.files[index]?.[side];
  return accept({
    bytes: bytes.value,
    version: state?.version ?? absent,
    mode: state?.mode ?? 0,
    splices: null,
  });
}

/** The committed entry that has an idempotency key. The lock owner passes the number of the next entry. */
export async function findByKey(
  { journalIndex, history }: JournalStores,
  key: string,
  next?: number,
): Promise<Entry | null> {
  for (const line of await journalIndex.linesWith(key, next)) {
    const log = line.key === key ? await history.log(line.number) : null;
    const entry = log && entryOf(log);
    if (entry?.state === "committed") return entry;
  }
  return null;
}

async function findEntries(stores: JournalStores, query: HistoryQuery): Promise<HistoryItem[]> {
  const found: HistoryItem[] = [];
  const { limit = Number.POSITIVE_INFINITY } = query;
  if (limit <= 0) return found;
  for await (const { entry, undone } of await candidates(stores, query)) {
    if (matches(entry, query)) found.push({ ...entry, undone });
    if (found.length >= limit) break;
  }
  return found;
}

/** The entries that may match a query, newest first. The index leaves out most others. */
async function candidates(
  { history, journalIndex }: JournalStores,
  { before, path, run, task }: HistoryQuery,
): Promise<AsyncGenerator<PastEntry>> {
  const below = before === undefined ? Number.POSITIVE_INFINITY : Number(before);
  const word = run ?? task ?? path;
  if (word === undefined) return before === undefined ? history.walk() : history.walkBelow(below);
  const lines = await journalIndex.linesWith(word);
  const wanted = lines.filter(
    (line) =>
      line.number < below &&
      (run === undefined || line.run === run) &&
      (task === undefined || line.task === task),
  );
  return history.pick(wanted.map(({ number }) => number));
}

function matches({ files, run, task }: Entry, query: HistoryQuery): boolean {
  return (
    (query.path === undefined || files.some((file) => file.path === query.path)) &&
    (query.run === undefined || run === query.run) &&
    (query.task === undefined || task === query.task)
  );
}

async function planOf(past: PastEntry, { versions }: JournalStores): Promise<Outcome<Plan>> {
  const changes: Change[] = [];
  for (const { path, from } of past.entry.files) {
    const before = await recordedVersion(versions, past, { path, side: "before" });
    if (!before.ok) return refuse({ path, ...before.refusal });
    const after = await recordedVersion(versions, past, { path, side: "after" });
    if (!after.ok) return refuse({ path, ...after.refusal });
    const change = showChange({ path, before: before.value, after: after.value });
    changes.push({ ...change, ...defined({ from }) });
  }
  return accept({ edits: [], landings: [], changes });
}

function withoutSiblings({ paths, unreadable }: Listing): Listing {
  const all = new Set(paths);
  const isSibling = (path: string): boolean => path.endsWith(".bak") && all.has(path.slice(0, -4));
  return { paths: paths.filter((path) => !isSibling(path)), unreadable };
}
