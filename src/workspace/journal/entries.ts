import type { Evidence } from "../../text/model/edit.ts";
import type { Region } from "../../text/model/region.ts";

/** Lines counted from 1, both inclusive. `endLine < startLine`: the seam before `startLine`, no line at all. */
export type LineRegion = { readonly startLine: number; readonly endLine: number };

/** A change in lines: these lines of the text before became `after` lines. */
export type LineHunk = LineRegion & { readonly after: number };

/** One version of a file. */
export type FileState = { readonly version: string; readonly mode: number; readonly size: number };

/** The change of one file by an entry. A `null` state means that there is no file. */
export type FileRecord = {
  readonly path: string;
  readonly before: FileState | null;
  readonly after: FileState | null;
  /** The path the content came from: a move or a copy. */
  readonly from?: string;
  /** Replaced regions of the text before, and the length of each replacement. The texts are stored separately. */
  readonly splices: readonly (Region & { readonly length: number })[];
  /** The same change in lines. */
  readonly hunks: readonly LineHunk[];
  /** The lines that the edits target, before and after. */
  readonly lines: readonly { readonly before: LineRegion; readonly after: LineRegion }[];
  /** The backup file with the previous bytes, for people. */
  readonly backup?: string;
  /** A `.bak` file beside its original, not a document. */
  readonly sibling?: true;
};

/** A requested edit, as the journal records it. */
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

/** What made an edit, as far as the door of its call knows. */
export type Origin = {
  /** The program: `claude`, `codex`, or the name that an MCP client gives itself. */
  readonly client?: string;
  /** The conversation, in the client's own words. */
  readonly session?: string;
  readonly model?: string;
  readonly tool?: string;
};

/**
 * One transaction in the journal. Numbers increase in commit order; times are for people. `aborted`: an outside change
 * interfered, so the transaction was rolled back, and the entry keeps the outside bytes.
 */
export type Entry = {
  readonly id: string;
  readonly time: string;
  readonly kind: "edit" | "undo" | "redo" | "restore" | "tidy";
  readonly state: "committed" | "aborted";
  readonly author: string;
  readonly task?: string;
  readonly run?: string;
  readonly origin?: Origin;
  readonly reason: string;
  readonly edits: readonly RecordedEdit[];
  readonly files: readonly FileRecord[];
  /** The entries that this one reverses: edits for an undo, undos for a redo. */
  readonly undoes?: readonly string[];
  readonly idempotencyKey?: string;
  readonly durability: Durability;
};

/** How well an entry survives a power cut: the requested level, and the limits of the disk. */
export type Durability = {
  readonly level: "full" | "fast";
  /** Why the disk gives less than the level promises. */
  readonly limits: readonly ("directory-flush" | "hard-links" | "network")[];
};
