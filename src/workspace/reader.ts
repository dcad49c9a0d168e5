import { decode, type Encoding } from "../text/model/encoding.ts";
import { accept, type Outcome, type Rival, refuse } from "../text/model/outcome.ts";
import type { Change, Plan } from "../text/model/plan.ts";
import type { Snapshot } from "../text/model/snapshot.ts";
import { lookAt } from "./commit/commit-context.ts";
import { absent } from "./files/content.ts";
import type { Files } from "./files/files.ts";
import { refusalOfTrouble } from "./files/io-error.ts";
import type { Entry, LineRegion } from "./journal/entries.ts";
import type { Past } from "./journal/history.ts";
import { readSide } from "./journal/versions.ts";
import type { Closable } from "./lifetime.ts";
import type { Books, LookingSite, OpenRoot } from "./open-root.ts";
import { type Listing, type ListOptions, listFiles } from "./paths/listing.ts";
import { type GatedPath, gate, type PathPolicy } from "./paths/paths.ts";
import { followLinks } from "./paths/walk.ts";
import { readSmall, stateName } from "./state/state.ts";
import { inStatePlace, type KeptFolder, listState, locateState } from "./state/state-folders.ts";
import { selectRedo, selectUndo, showChange, showPlan, type UndoTarget } from "./undo/undo.ts";
import { type Draft, planWithout } from "./undo/undo-plan.ts";

/** A file as it was read; `text: null` means there is none, and then there are no bytes. */
export type FileSnapshot = Snapshot & {
  readonly bytes: Uint8Array | null;
  readonly mode: number | null;
  readonly encoding: Encoding | null;
};

export type ReaderOptions = {
  /** The machine; the disk unless a test says otherwise. */
  readonly files?: Files;
  readonly policy?: PathPolicy;
  /** The largest file that is read, in bytes. */
  readonly sizeLimit?: number;
  /** `inside`: a link to a file inside the root stands for that file. */
  readonly links?: "inside";
  /** `sibling`: `<file>.bak` beside a file is a backup, not a document; writers leave one until their run has succeeded. */
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

/** `undone`: another entry has taken its effect back. */
export type HistoryItem = Entry & { readonly undone: boolean };

/**
 * Looks and never writes. Takes no lock. After `close`, which waits for the calls under way, every method refuses with
 * the code `closed`; `history` throws it as a `RefusalError`.
 */
export type Reader = Closable & {
  readonly root: string;
  /** Whether `close` was called. */
  isClosed(): boolean;
  read(path: string, options?: { strayBytes?: "keep" }): Promise<Outcome<FileSnapshot>>;
  list(options?: ListOptions): Promise<Outcome<Listing>>;
  /** Newest first. */
  history(query?: HistoryQuery): Promise<readonly HistoryItem[]>;
  entry(id: string): Promise<Outcome<HistoryItem>>;
  /** The bytes of a file before or after an entry; `null` where there was no file. */
  readImage(id: string, path: string, side: "before" | "after"): Promise<Outcome<Uint8Array | null>>;
  /** What an entry did, as a plan holds it: for diffs. */
  entryPlan(id: string): Promise<Outcome<Plan>>;
  /** Who else of the same run has edited these lines. */
  findConflicts(
    path: string,
    lines: readonly LineRegion[],
    who: { readonly task: string; readonly run?: string },
  ): Promise<Outcome<readonly Rival[]>>;
  planUndo(target: UndoTarget): Promise<Outcome<Plan>>;
  planRedo(target: UndoTarget): Promise<Outcome<Plan>>;
  planRestore(path: string, id: string, side?: "before" | "after"): Promise<Outcome<Plan>>;
  /** A file of the state that others keep there: `lineage.json`, `audit/<name>.json`, `proposals/<name>.json`. */
  readState(name: string): Promise<Outcome<Uint8Array | null>>;
  /** The files that others keep in a folder of the state, by name without `.json`, in the order of their names. */
  listState(folder: KeptFolder): Promise<Outcome<readonly string[]>>;
};

/** The methods of a reader, over a root that somebody else keeps open and closes. */
export function createReader(
  root: OpenRoot,
  options: ReaderOptions,
): Omit<Reader, keyof Closable | "isClosed"> {
  const { policy = {} } = options;

  const read: Reader["read"] = (path, how = {}) =>
    unlessItFails(() =>
      root.look(async (site): Promise<Outcome<FileSnapshot>> => {
        const gated = await passGate(site, path, "read", options);
        if (!gated.ok) return gated;
        const looked = await lookAt(site, gated.value.names);
        if (!looked.ok) return looked;
        const { content } = looked.value;
        const name = gated.value.path;
        if (!content)
          return accept({ path: name, text: null, version: absent, bytes: null, mode: null, encoding: null });
        const decoded = decode(content.bytes, how);
        if (!decoded.ok) return refuse({ path: name, ...decoded.refusal });
        const { version, bytes, stat } = content;
        return accept({ path: name, version, bytes, mode: stat.mode, ...decoded.value });
      }),
    );

  /** A clone brings what is meant to be committed before there is a state around it; records of runs are nobody's. */
  const readCloned = (name: string): Promise<Outcome<Uint8Array | null>> =>
    root.look(async (site) => {
      if (name.includes("/")) return accept(null);
      const looked = await lookAt(site, [stateName, name]);
      return looked.ok ? accept(looked.value.content?.bytes ?? null) : looked;
    });

  const withEntry = <T>(
    id: string,
    work: (past: Past, books: Books) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> =>
    unlessItFails(async () => {
      const books = await root.books();
      if (!books.ok) return books;
      const past = await books.value?.history.find(id);
      return past ? work(past, books.value!) : refuse({ code: "not-found", what: "entry", detail: id });
    });

  const planBack = (select: typeof selectUndo, target: UndoTarget): Promise<Outcome<Plan>> =>
    unlessItFails(async () => {
      const books = await root.books();
      if (!books.ok) return books;
      if (!books.value) return refuse({ code: "not-found", what: "entry" });
      const { ground, history } = books.value;
      const entries = await select(history, target);
      if (!entries.ok) return entries;
      const plan = await root.look((site) =>
        planWithout({ ...site, state: ground.state }, history, entries.value),
      );
      return plan.ok ? accept(showPlan(plan.value)) : plan;
    });

  return {
    root: root.path,
    read,
    list: (query = {}) =>
      unlessItFails(async () => {
        const listed = await root.look((site) => listFiles(site.files, site.root, query));
        return listed.ok && options.backup === "sibling" ? accept(withoutSiblings(listed.value)) : listed;
      }),
    history: async (query = {}) => {
      const books = await root.books();
      return books.ok && books.value ? findEntries(books.value, query) : [];
    },
    entry: (id) => withEntry(id, async ({ entry, undone }) => accept({ ...entry, undone })),
    readImage: (id, path, side) =>
      withEntry(id, async ({ entry, volume }, { ground }) => {
        const index = entry.files.findIndex((file) => file.path === path);
        if (index < 0) return refuse({ code: "not-found", what: "file", path });
        return readSide(ground.files, ground.state, volume, index, side);
      }),
    entryPlan: (id) => withEntry(id, async (past, books) => planOf(past, books)),
    findConflicts: (path, lines, who) =>
      unlessItFails(async () => {
        const [snapshot, books] = [await read(path), await root.books()];
        if (!snapshot.ok) return snapshot;
        if (!books.ok) return books;
        if (!books.value || snapshot.value.text === null) return accept([]);
        const current = { version: snapshot.value.version, text: snapshot.value.text };
        return accept(await books.value.marks.findRivals(snapshot.value.path, current, lines, who, null));
      }),
    planUndo: (target) => planBack(selectUndo, target),
    planRedo: (target) => planBack(selectRedo, target),
    planRestore: (path, id, side = "before") =>
      withEntry(id, async (past, { ground }) => {
        const gated = gate(path, "read", { ...policy, consent: true });
        if (!gated.ok) return gated;
        const index = past.entry.files.findIndex((file) => file.path === gated.value.path);
        if (index < 0) return refuse({ code: "not-found", what: "file", path });
        const now = await root.look((site) => lookAt(site, gated.value.names));
        if (!now.ok) return now;
        const then = await readSide(ground.files, ground.state, past.volume, index, side);
        if (!then.ok) return then;
        const [before, after] = [draftOf(now.value.content), draftThen(past, index, side, then.value)];
        return accept({ edits: [], landings: [], changes: [showChange(gated.value.path, before, after)] });
      }),
    readState: (name) =>
      unlessItFails(async () => {
        const books = await root.books();
        if (!books.ok) return books;
        const at = locateState(name, books.value?.ground.state ?? null);
        if (!at.ok) return at;
        if (!books.value) return readCloned(name);
        return accept(
          await inStatePlace(root.files, at.value, { create: false }, (dir) =>
            readSmall(root.files, dir, at.value.name),
          ),
        );
      }),
    listState: (folder) =>
      unlessItFails(async () => {
        const books = await root.books();
        return books.ok
          ? accept(await listState(root.files, folder, books.value?.ground.state ?? null))
          : books;
      }),
  };
}

/** The gate, and behind it the links that the policy lets be followed. */
export async function passGate(
  site: LookingSite,
  path: string,
  access: "read" | "write",
  { policy = {}, links }: ReaderOptions,
): Promise<Outcome<GatedPath>> {
  const gated = gate(path, access, policy);
  if (!gated.ok || links !== "inside") return gated;
  return followLinks(site.files, site.walker, gated.value, (target) => gate(target, access, policy));
}

/** The machine's trouble as a refusal; our own bugs are thrown on. */
export async function unlessItFails<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work();
  } catch (error) {
    return refuse(refusalOfTrouble(error));
  }
}

/** A file as a draft: as it is now. */
export function draftOf(
  content: { bytes: Uint8Array; version: string; stat: { mode: number } } | null,
): Draft {
  if (!content) return { bytes: null, version: absent, mode: 0, splices: [] };
  return { bytes: content.bytes, version: content.version, mode: content.stat.mode, splices: [] };
}

/** A file as a draft: as it was before or after an entry. */
export function draftThen(
  { entry }: Past,
  index: number,
  side: "before" | "after",
  bytes: Uint8Array | null,
): Draft {
  const state = entry.files[index]![side];
  return { bytes, version: state?.version ?? absent, mode: state?.mode ?? 0, splices: null };
}

async function findEntries({ history }: Books, query: HistoryQuery): Promise<HistoryItem[]> {
  const found: HistoryItem[] = [];
  const { before, limit = Number.POSITIVE_INFINITY, path, run, task } = query;
  for await (const { number, entry, undone } of history.walk()) {
    if (found.length >= limit) break;
    const isMeant =
      (before === undefined || number < Number(before)) &&
      (path === undefined || entry.files.some((file) => file.path === path)) &&
      (run === undefined || entry.run === run) &&
      (task === undefined || entry.task === task);
    if (isMeant) found.push({ ...entry, undone });
  }
  return found;
}

async function planOf(past: Past, { ground }: Books): Promise<Outcome<Plan>> {
  const changes: Change[] = [];
  for (const [index, { path, from }] of past.entry.files.entries()) {
    const sides: Draft[] = [];
    for (const side of ["before", "after"] as const) {
      const image = await readSide(ground.files, ground.state, past.volume, index, side);
      if (!image.ok) return refuse({ path, ...image.refusal });
      sides.push(draftThen(past, index, side, image.value));
    }
    changes.push({ ...showChange(path, sides[0]!, sides[1]!), ...(from === undefined ? {} : { from }) });
  }
  return accept({ edits: [], landings: [], changes });
}

function withoutSiblings({ paths, unreadable }: Listing): Listing {
  const all = new Set(paths);
  const isSibling = (path: string): boolean => path.endsWith(".bak") && all.has(path.slice(0, -4));
  return { paths: paths.filter((path) => !isSibling(path)), unreadable };
}
