import type { Evidence } from "../../text/model/edit.ts";
import type { Region } from "../../text/model/region.ts";

/** Lines counted from 1, both inclusive. `endLine < startLine`: the seam before `startLine`, no line at all. */
export type LineRegion = { readonly startLine: number; readonly endLine: number };

/** A change in lines: these lines of the text before became `after` lines. */
export type LineHunk = LineRegion & { readonly after: number };

/** A file as a version of it stood there. */
export type FileState = { readonly version: string; readonly mode: number; readonly size: number };

/** What an entry did to one file; `null` states mean that there is no file. */
export type FileRecord = {
  readonly path: string;
  readonly before: FileState | null;
  readonly after: FileState | null;
  /** The path the content came from: a move or a copy. */
  readonly from?: string;
  /** Regions of the text before, and how long the text is that took their place; the texts are kept apart. */
  readonly splices: readonly (Region & { readonly length: number })[];
  /** The same in lines: which of them became how many. */
  readonly hunks: readonly LineHunk[];
  /** Lines of the file before and after that the edits marked. */
  readonly lines: readonly { readonly before: LineRegion; readonly after: LineRegion }[];
  /** Where the previous bytes lie, for reading by hand. */
  readonly backup?: string;
  /** A `.bak` file beside its original, not a document. */
  readonly sibling?: true;
};

/** What somebody asked for, as the journal keeps it. */
export type RecordedEdit = {
  readonly path: string;
  readonly target:
    | "quote"
    | "line"
    | "hunks"
    | "region"
    | "create"
    | "rewrite"
    | "delete"
    | "move"
    | "copy"
    | "mode";
  readonly reason: string;
  readonly evidence: readonly Evidence[];
};

/**
 * One transaction in the journal. Numbers rise in the order of commits and decide it; times are for people.
 * `aborted`: an outside change came in between, nothing of it stands in the files, and what was found is kept.
 */
export type Entry = {
  readonly id: string;
  readonly time: string;
  readonly kind: "edit" | "undo" | "redo" | "restore" | "tidy";
  readonly state: "committed" | "aborted";
  readonly author: string;
  readonly task?: string;
  readonly run?: string;
  readonly reason: string;
  readonly edits: readonly RecordedEdit[];
  readonly files: readonly FileRecord[];
  /** Entries whose effect this one takes back: edits for an undo, undos for a redo. */
  readonly undoes?: readonly string[];
  readonly idempotencyKey?: string;
  readonly durability: Durability;
};

/** What a power cut could still take, in the words of the level that was asked for and what the disk allowed. */
export type Durability = {
  readonly level: "full" | "fast";
  /** Why it is less than the level promises: no directory flush, no hard links, a network file system. */
  readonly limits: readonly ("directory-flush" | "hard-links" | "network")[];
};
