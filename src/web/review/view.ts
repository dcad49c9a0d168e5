import type { Evidence } from "../../text/model/edit.ts";

/** A run as the page shows it: one line for each edit, and what is true of all of them. */
export type RunView = {
  readonly id: string;
  /** The name of the folder whose pages these are. */
  readonly folder: string;
  /** A proposal waits for decisions; a record is of a run that has written. */
  readonly kind: "proposal" | "record";
  readonly source: string;
  readonly model: string | null;
  readonly time: string;
  readonly base: string | null;
  readonly head: string | null;
  readonly items: readonly ItemLine[];
  /** What could not be looked at, and why. */
  readonly unknown: readonly { readonly path: string; readonly why: string }[];
  /** What is going on, while something is. */
  readonly progress: Progress | null;
};

export type Progress = { readonly doing: string; readonly done?: number; readonly total?: number };

/** `open` and `reworded` wait; `undone` was written and taken back. */
export type ItemState = "open" | "reworded" | "accepted" | "rejected" | "undone";

export type ItemLine = {
  readonly key: number;
  readonly path: string;
  readonly line: number;
  /** `null` where the record of a run does not say. */
  readonly tier: "certain" | "likely" | "possible" | null;
  /** The rule, or the model's name. */
  readonly kind: string;
  readonly by: string | null;
  readonly message: string;
  readonly state: ItemState;
  /** The journal's entry that wrote it, or dismissed it. */
  readonly entry: string | null;
  /** There is an edit, not only a place to look at. */
  readonly edits: boolean;
};

/** One edit with everything that a person needs to decide about it. */
export type ItemView = ItemLine & {
  readonly id: string;
  readonly evidence: readonly Evidence[];
  /** The heading that the edit stands under. */
  readonly section: string | null;
  readonly excerpt: Excerpt | null;
  /** The lines that the edit changes, as they would be: what a person may word anew. */
  readonly passage: string | null;
  /** What was proposed, where a person has worded it anew. */
  readonly original: string | null;
  /** Edits of the same lines, of which only one can be made. */
  readonly conflicts: readonly { readonly key: number; readonly line: number; readonly message: string }[];
  /** What an approval of exactly this carries; `null` where it cannot be approved as it stands. */
  readonly hash: string | null;
  /** Why it cannot be approved, in words. */
  readonly obstacle: string | null;
  /** Things to know before deciding: the page instructs agents, line endings change. */
  readonly cautions: readonly string[];
};

/** Lines of a page before and after, from a line counted from 1. */
export type Excerpt = {
  readonly startLine: number;
  readonly before: string;
  readonly after: string;
  /** The page may be shown as Markdown. */
  readonly markdown: boolean;
  /** Lines left out because there are too many to send unasked. */
  readonly cut: number;
};

/** Several edits that would be written together. */
export type Together = {
  readonly keys: readonly number[];
  readonly hash: string;
  readonly changes: readonly {
    readonly key: number;
    readonly path: string;
    readonly line: number;
    readonly before: string;
    readonly after: string;
  }[];
  /** Edits that cannot be in it, each with why. */
  readonly left: readonly { readonly key: number; readonly why: string }[];
};

/** One entry of the journal, for the timeline. */
export type Moment = {
  readonly entry: string;
  readonly time: string;
  readonly kind: string;
  readonly author: string;
  readonly task: string | null;
  readonly run: string | null;
  readonly reason: string;
  readonly undone: boolean;
  readonly aborted: boolean;
  readonly undoes: readonly string[];
  readonly files: readonly string[];
  readonly edits: readonly {
    readonly path: string;
    readonly reason: string;
    readonly evidence: readonly Evidence[];
  }[];
};

/** Everything a page without a server needs. */
export type Exported = {
  readonly run: RunView;
  readonly views: readonly ItemView[];
  readonly history: readonly Moment[];
  readonly time: string;
};

/** What a decision led to: the lines that look different now, and what to say about it. */
export type Decided = {
  readonly lines: readonly ItemLine[];
  readonly said: string;
  readonly entry: string | null;
};
