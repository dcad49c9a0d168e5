import type { Encoding } from "../text/encoding.ts";
import type { Outcome, Rival } from "../text/outcome.ts";
import type { Plan } from "../text/plan.ts";
import type { Snapshot } from "../text/snapshot.ts";
import type { Entry, LineRegion } from "./entries.ts";
import type { Files } from "./files.ts";
import type { PathPolicy } from "./paths.ts";

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
};

export type WorkspaceOptions = ReaderOptions & {
  /** `fast` flushes nothing: every promise but the one about power cuts. */
  readonly durability?: "full" | "fast";
  /** Also leave `<file>.bak` beside each file until its run has succeeded. */
  readonly backup?: "sibling";
  /** Files with several names, or whose directory cannot take a new one, are written in place. */
  readonly inPlace?: boolean;
  /** Move the old file away before the new one takes its name: no window for others, but an instant without the file. */
  readonly strict?: boolean;
  /** How much room the state may take, in bytes. */
  readonly quota?: number;
  /** How long to wait for another process, in milliseconds. */
  readonly patience?: number;
};

/** Who writes, why, and on what understanding of the files. */
export type CommitOptions = {
  readonly author: string;
  /** Edits of one task never conflict with each other. A commit without a task is not tracked. */
  readonly task?: string;
  /** The execution the task belongs to; tasks of different runs do not conflict. */
  readonly run?: string;
  readonly reason?: string;
  /** Versions the author last saw, by path, where they are older than the plan's. */
  readonly base?: Readonly<Record<string, string>>;
  /** A second commit with the same key answers with the first one's entry. */
  readonly idempotencyKey?: string;
  /** Write over other tasks' lines, and over an older base. Never over bytes that were not read. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
};

/** Something true about a commit that its author should hear. */
export type Notice =
  | { readonly notice: "replayed" }
  | { readonly notice: "rebased"; readonly path: string; readonly over: readonly string[] }
  | { readonly notice: "quota"; readonly used: number; readonly limit: number }
  | { readonly notice: "outside-change"; readonly path: string; readonly kept: string }
  | { readonly notice: "durability"; readonly limit: "directory-flush" | "hard-links" | "network" };

export type Committed = Entry & { readonly notices: readonly Notice[] };

/** An entry, all live entries of a run, or by default the last one that stands. */
export type UndoTarget = { readonly entry: string } | { readonly run: string } | { readonly last: true };

export type HistoryQuery = {
  /** Entries older than this one. */
  readonly before?: string;
  readonly limit?: number;
  readonly path?: string;
  readonly run?: string;
  readonly task?: string;
};

/** Newest first. `undone`: another entry has taken its effect back. */
export type HistoryItem = Entry & { readonly undone: boolean };

export type Listing = {
  /** Canonical paths, sorted by code unit. */
  readonly paths: readonly string[];
  /** Files that cannot be addressed, shown escaped. */
  readonly unreadable: readonly string[];
};

export type ListOptions = {
  /** A directory inside the root. */
  readonly under?: string;
  /** Also what `.gitignore` files leave out. */
  readonly ignored?: boolean;
};

/** Looks and never writes. Takes no lock. */
export type Reader = {
  readonly root: string;
  read(path: string, options?: { strayBytes?: "keep" }): Promise<Outcome<FileSnapshot>>;
  list(options?: ListOptions): Promise<Outcome<Listing>>;
  history(query?: HistoryQuery): Promise<readonly HistoryItem[]>;
  entry(id: string): Promise<Outcome<HistoryItem>>;
  /** The bytes of a file before or after an entry; `null` where there was no file. */
  readImage(id: string, path: string, side: "before" | "after"): Promise<Outcome<Uint8Array | null>>;
  /** The texts an entry put in, as a plan would hold them: for diffs. */
  entryPlan(id: string): Promise<Outcome<Plan>>;
  /** Who else of the same run has edited these lines. */
  findConflicts(
    path: string,
    lines: readonly LineRegion[],
    who: { task: string; run?: string },
  ): Promise<Outcome<readonly Rival[]>>;
  planUndo(target: UndoTarget): Promise<Outcome<Plan>>;
  planRedo(target: UndoTarget): Promise<Outcome<Plan>>;
  planRestore(path: string, id: string, side?: "before" | "after"): Promise<Outcome<Plan>>;
  /** A file of the state that others keep there: `lineage.json`, `audit/<name>.json`. */
  readState(name: string): Promise<Outcome<Uint8Array | null>>;
  close(): Promise<void>;
};

export type GcReport = {
  readonly before: number;
  readonly after: number;
  readonly removed: readonly string[];
};

export type Finding = {
  readonly what: "lock" | "pending" | "doubtful" | "image" | "chain" | "stray" | "access" | "format";
  readonly subject: string;
  readonly detail: string;
  readonly repaired: boolean;
};

export type Workspace = Reader & {
  /** One crash-safe transaction for the whole plan, or a refusal and nothing changed. */
  commit(plan: Plan, options: CommitOptions): Promise<Outcome<Committed>>;
  undo(
    target: UndoTarget,
    options: Pick<CommitOptions, "author" | "reason" | "task" | "run">,
  ): Promise<Outcome<Committed>>;
  redo(
    target: UndoTarget,
    options: Pick<CommitOptions, "author" | "reason" | "task" | "run">,
  ): Promise<Outcome<Committed>>;
  restore(
    path: string,
    id: string,
    options: CommitOptions & { side?: "before" | "after" },
  ): Promise<Outcome<Committed>>;
  /** Ends a run: after success its `.bak` files beside the originals go, after a failure they stay. */
  finishRun(run: string, outcome: { succeeded: boolean }): Promise<Outcome<readonly string[]>>;
  /** Replaces a file of the state atomically. */
  writeState(name: string, bytes: Uint8Array): Promise<Outcome<true>>;
  /** Drops what is kept twice or can be derived; with `forget`, also the images of entries older than that one. */
  gc(options?: { forget?: { before: string }; dryRun?: boolean }): Promise<Outcome<GcReport>>;
  doctor(options?: { repair?: boolean; breakLock?: boolean }): Promise<readonly Finding[]>;
};
