import type { PastCommit } from "./files/co-change.ts";

/** One file of the change. `null` means there is no such file on that side; `from` is its old name if it moved. */
export type ChangedFile = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly from?: string;
};

/** A path with the id of its content, where that is known; equal ids are equal contents. */
export type TrackedPath = { readonly path: string; readonly id: string | null };

/**
 * A page as it stands at the head. For a source file whose doc comments are read as a page, `text` is the file with the
 * code put out by spaces and `whole` the file as it is.
 */
export type DocumentText = {
  readonly path: string;
  readonly text: string;
  readonly whole?: string;
  /** The page describes the present, although its path looks like history: `decisions/`, `rfcs/`. */
  readonly isCurrent?: true;
};

/** Everything the rules may look at. Nothing here touches a disk; whoever builds it does. */
export type DriftInput = {
  readonly base: string;
  readonly head: string;
  /** What the change did to files that are not documents. */
  readonly files: readonly ChangedFile[];
  /** What the change did to documents; it can break what other documents say of them. */
  readonly pages?: readonly ChangedFile[];
  /** Every path, pictures and binaries included, that stands on one side only. */
  readonly paths?: { readonly removed: readonly TrackedPath[]; readonly added: readonly TrackedPath[] };
  /** Names under which code hosts know this repository: `owner/name`. */
  readonly repository?: readonly string[];
  /** Every path that exists at the head. */
  readonly tree: readonly string[];
  /** Every document at the head. */
  readonly documents: readonly DocumentText[];
  /** What could not be read on either side, and why; it comes back as unknown, never as clean. */
  readonly unreadable?: readonly { readonly path: string; readonly why: string }[];
  /** The project's newest commits before the change, asked for only to rank what a person may look at. */
  readonly past?: () => Promise<readonly PastCommit[]>;
  /** The text of any file at the head; null where it is none. Without it, a file that has a name counts as using it. */
  readonly read?: (path: string) => Promise<string | null>;
  /** Called before each rule with how many are done. A caller that no longer wants the answer throws here. */
  readonly pause?: (done: number, total: number) => Promise<void>;
  /** For each name, the paths at the head (documents left out) whose text holds it as a whole word. */
  readonly occurrences: (names: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;
};

/** A repository as it stands, without a change. */
export type WholeInput = Pick<DriftInput, "tree" | "documents" | "occurrences" | "repository"> & {
  readonly read: (path: string) => Promise<string | null>;
  /** Of paths that are not there: when each was removed, and where it went. Paths that never were are left out. */
  readonly removals?: (paths: readonly string[]) => Promise<ReadonlyMap<string, PastPath>>;
  /** Absent where the clone has no history to look at. */
  readonly history?: History;
};

/** What the history of a repository knows about things that its tree no longer holds. */
export type History = {
  /** The commit that took each key out of the tree. Keys that the tree never held are left out. */
  readonly losses: (sought: SoughtKeys) => Promise<ReadonlyMap<string, Loss>>;
  /** The change that a commit made to its first parent. */
  readonly changeOf: (commit: string) => Promise<CommitChange | null>;
  /** The files and folders of a tag or a commit; null where the clone does not have it. */
  readonly pathsAt: (revision: string) => Promise<ReadonlySet<string> | null>;
  /** The documents of a commit, as they were. */
  readonly documentsAt: (commit: string) => Promise<ReadonlyMap<string, string>>;
};

/** Things to look for in past trees: which files may hold them, and which of them a text holds. */
export type SoughtKeys = {
  readonly keys: readonly string[];
  readonly mayHold: (path: string) => boolean;
  readonly keysOf: (path: string, text: string) => Iterable<string> | Promise<Iterable<string>>;
};

export type CommitChange = Pick<DriftInput, "base" | "head" | "files" | "pages" | "paths">;

/** The commit that took a thing out of the tree, and the file that held it last. */
export type Loss = Since & { readonly path: string };

/** A path that was in the repository once. */
export type PastPath = Since & {
  /** Where it is now; null if it is nowhere. */
  readonly movedTo: string | null;
};

/** The commit since which a passage is false. */
export type Since = { readonly commit: string; readonly date: string; readonly subject: string };
