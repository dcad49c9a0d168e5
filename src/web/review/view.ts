import type { DeclaredThing } from "../../drift/binding/bound-by.ts";
import type { Evidence } from "../../text/model/edit.ts";

/** A run as the page shows it: one summary for each edit, and facts about the whole run. */
/** A page that a run left, with the refused draft where there was one. It was not written. */
export type LeftPage = { readonly path: string; readonly why: string; readonly draft?: string };

export type PageRemark = { readonly path: string; readonly what: string; readonly detail: string };

export type RunView = {
  readonly id: string;
  /** The name of the project's folder. */
  readonly folder: string;
  /** A proposal waits for decisions; a record is of a run that has written. */
  readonly kind: "proposal" | "record";
  readonly source: string;
  readonly model: string | null;
  readonly time: string;
  readonly base: string | null;
  readonly head: string | null;
  readonly items: readonly ItemSummary[];
  /** Files that could not be checked or fixed, and why. */
  readonly unknown: readonly LeftPage[];
  /** Remarks on pages: unsettled objections of a reviewer, risks that code saw, and verdicts that led to no edit. */
  readonly remarks?: readonly PageRemark[];
  /** The folders of the pages and of the code, for links to an editor; absent in an exported page. */
  readonly roots?: { readonly pages: string; readonly code: string };
  /** Progress of a run that is not finished. */
  readonly progress: Progress | null;
};

export type Progress = { readonly doing: string; readonly done?: number; readonly total?: number };

/** `open` and `reworded` are undecided; `undone` was written and undone. */
export type ItemState = "open" | "reworded" | "accepted" | "rejected" | "undone";

export type ItemSummary = {
  readonly key: number;
  readonly path: string;
  readonly line: number;
  /** `null` if the record of the run does not say. */
  readonly tier: "certain" | "likely" | "possible" | null;
  /** The rule, or the model's name. */
  readonly kind: string;
  /** The same for findings with one cause. */
  readonly cause: string;
  readonly by: string | null;
  readonly message: string;
  /** What a model decided about it, as a sentence. */
  readonly verdict?: string;
  readonly state: ItemState;
  /** The entry of the journal that wrote or dismissed it. */
  readonly entry: string | null;
  /** Whether there is an edit, not only a location. */
  readonly edits: boolean;
};

/** One edit with everything that a person needs to decide about it. */
export type ItemView = ItemSummary & {
  readonly id: string;
  /** What the page claims; absent where the record of the run does not say. */
  readonly says?: string;
  /** What that is about, with the line that declared it; absent where it is not known. */
  readonly thing?: DeclaredThing;
  readonly evidence: readonly Evidence[];
  /** The heading above the edit. */
  readonly section: string | null;
  readonly excerpt: Excerpt | null;
  /** The new text of the changed lines, which a person can reword. */
  readonly passage: string | null;
  /** The proposed text, if a person has reworded it. */
  readonly original: string | null;
  /** Other edits of the same lines. Only one of them can be made. */
  readonly conflicts: readonly { readonly key: number; readonly line: number; readonly message: string }[];
  /** The hash that an approval of exactly this edit must send; `null` if it cannot be approved. */
  readonly hash: string | null;
  /** Why it cannot be approved, as a sentence. */
  readonly obstacle: string | null;
  /** Warnings: the page instructs agents, the file was moved. */
  readonly cautions: readonly string[];
};

/** Lines of a page before and after, from a line counted from 1. */
export type Excerpt = {
  readonly startLine: number;
  readonly before: string;
  readonly after: string;
  /** The page may be shown as Markdown. */
  readonly markdown: boolean;
  /** The lines that the finding points at, counted from 1, where nothing is changed. */
  readonly marked?: { readonly startLine: number; readonly endLine: number };
  /** The number of lines left out because the excerpt is long. */
  readonly cut: number;
};

/** Several edits that would be written together. */
export type BatchPreview = {
  readonly keys: readonly number[];
  readonly hash: string;
  readonly changes: readonly {
    readonly key: number;
    readonly path: string;
    readonly line: number;
    readonly before: string;
    readonly after: string;
  }[];
  /** Edits that cannot be part of the batch, each with the reason. */
  readonly left: readonly { readonly key: number; readonly why: string }[];
};

/** One entry of the journal, for the timeline. */
export type EntryView = {
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
  readonly history: readonly EntryView[];
  readonly time: string;
};

/** The result of a decision: the changed summaries, and a message. */
export type DecisionResult = {
  readonly lines: readonly ItemSummary[];
  readonly said: string;
  readonly entry: string | null;
};
