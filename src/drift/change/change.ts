import type { StateSource } from "../state/state.ts";
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
 * A page at the head. For a source file whose doc comments are read as a page, `text` is the file with its code replaced
 * by spaces, and `whole` is the file itself.
 */
export type DocumentText = {
  readonly path: string;
  readonly text: string;
  readonly whole?: string;
  /** The page describes the present, although its path looks like history: `decisions/`, `rfcs/`. */
  readonly isCurrent?: true;
  /** A program writes the page from a template that lies beside it. */
  readonly isWritten?: true;
  /** The hashes of the words of `text`, where the caller keeps them. */
  readonly words?: () => Uint32Array;
};

/** The input of all rules. The rules do no I/O; the caller reads the files. */
export type DriftInput = {
  readonly base: string;
  readonly head: string;
  /** Changed files that are not documents. */
  readonly files: readonly ChangedFile[];
  /** Changed documents; a changed document can break a link of another one. */
  readonly pages?: readonly ChangedFile[];
  /** Every path that exists on one side only, pictures and binaries included. */
  readonly paths?: { readonly removed: readonly TrackedPath[]; readonly added: readonly TrackedPath[] };
  /** Names under which code hosts know this repository: `owner/name`. */
  readonly repository?: readonly string[];
  /** Every path that exists at the head. */
  readonly tree: readonly string[];
  /** Paths at the head that are links of the file system or other repositories; they are not in the tree. */
  readonly detours?: () => Promise<readonly string[]>;
  /** Every document at the head. */
  readonly documents: readonly DocumentText[];
  /** Files that could not be read on either side, and why. They are reported as unknown, never as clean. */
  readonly unreadable?: readonly { readonly path: string; readonly why: string }[];
  /** Doc comments: those of changed public declarations (`"changed"`, the default), all of them, or none. */
  readonly comments?: "changed" | boolean;
  /** The newest commits before the change. They only rank possible findings. */
  readonly past?: () => Promise<readonly PastCommit[]>;
  /** The text of a file at the head; null for a missing file. Without it, each file that contains a name counts as a use. */
  readonly read?: (path: string) => Promise<string | null>;
  /** Called before each rule with the number of finished rules. A caller cancels by throwing. */
  readonly pause?: (done: number, total: number) => Promise<void>;
  /** For each name, the paths at the head (without documents) whose text contains it as a whole word. */
  readonly occurrences: (names: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;
};

/** A present repository, without a change. */
export type WholeInput = Pick<DriftInput, "tree" | "detours" | "documents" | "occurrences" | "repository"> & {
  /** Called between two kinds of claims. */
  readonly pause?: (done: number, total: number) => Promise<void>;
  readonly read: (path: string) => Promise<string | null>;
  /** For missing paths: when each was removed, and where it went. Paths that never existed are left out. */
  readonly removals?: (paths: readonly string[]) => Promise<ReadonlyMap<string, PastPath>>;
  /** Absent if the clone has no history. */
  readonly history?: History;
};

/** Looks up things in past trees that the present tree no longer has. */
export type History = {
  /** The files and folders of a tag or a commit; null where the clone does not have it. */
  readonly pathsAt: (revision: string) => Promise<ReadonlySet<string> | null>;
  /** For each line of a page, the commit that gave it its present words; null where that is not known. */
  readonly blame: (path: string) => Promise<readonly string[] | null>;
  /** The project at a commit; null where the clone does not have it. */
  readonly stateAt: (commit: string) => Promise<StateSource | null>;
  /** The commits after `past` that touched these paths, newest first, along first parents. */
  readonly touching: (paths: readonly string[], past: string) => Promise<readonly string[]>;
  readonly summary: (commit: string) => Promise<Since | null>;
};

/** A path that was in the repository once. */
export type PastPath = Since & {
  /** Its present path; null if it has none. */
  readonly movedTo: string | null;
};

/** The commit since which a passage is false. */
export type Since = { readonly commit: string; readonly date: string; readonly subject: string };
