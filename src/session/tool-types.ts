import type { CheckReport } from "../docs/check/report.ts";
import type { Fit } from "../text/model/edit.ts";
import type { MissCause, Passage, Place, RefusalCode, Rival, Versions } from "../text/model/outcome.ts";
import type { Note } from "../text/model/plan.ts";
import type { FailedEdit, LineRegion, Mode, Profile } from "../tools/tool.ts";
import type { ApplyPatchInput } from "../tools/verbs/apply-patch.ts";
import type { EditArticleInput } from "../tools/verbs/edit-article.ts";
import type { EditFileInput } from "../tools/verbs/edit-file.ts";
import type { EditSymbolInput } from "../tools/verbs/edit-symbol.ts";
import type { HistoryInput } from "../tools/verbs/history.ts";
import type { InsertAtInput } from "../tools/verbs/insert-at.ts";
import type { ListFilesInput } from "../tools/verbs/list-files.ts";
import type { PatchFileInput } from "../tools/verbs/patch-file.ts";
import type { ReadFileInput } from "../tools/verbs/read-file.ts";
import type { RetryEditInput } from "../tools/verbs/retry-edit.ts";
import type { SearchFilesInput } from "../tools/verbs/search-files.ts";
import type { UndoInput } from "../tools/verbs/undo.ts";
import type { WriteFileInput } from "../tools/verbs/write-file.ts";
import type { HistoryItem } from "../workspace/workspace.ts";

/** The input of each tool. A test compares these types with the schemas of the catalog. */
export type ToolInputs = {
  readonly read_file: ReadFileInput;
  readonly list_files: ListFilesInput;
  readonly search_files: SearchFilesInput;
  readonly edit_file: EditFileInput;
  readonly patch_file: PatchFileInput;
  readonly insert_at: InsertAtInput;
  readonly write_file: WriteFileInput;
  readonly edit_symbol: EditSymbolInput;
  readonly apply_patch: ApplyPatchInput;
  readonly edit_article: EditArticleInput;
  readonly retry_edit: RetryEditInput;
  readonly undo: UndoInput;
  readonly redo: UndoInput;
  readonly history: HistoryInput;
  readonly find_drift: {
    readonly base?: string | undefined;
    readonly head?: string | undefined;
    readonly path?: string | undefined;
  };
};

export type ToolName = keyof ToolInputs;

/** The fields of every writer's answer. Without `entry` nothing was written. */
type Written = {
  readonly entry?: string;
  readonly replayed?: true;
  readonly dryRun?: true;
  readonly diff: string;
  readonly notes?: readonly Note[];
  readonly warnings?: readonly string[];
};

type WrittenFile = Written & {
  readonly path: string;
  /** The version of the file now: after a dry run, the version that the preview was made from. */
  readonly version?: string;
  /** The changed lines, counted from 1. */
  readonly region?: LineRegion;
  readonly regions?: readonly LineRegion[];
  readonly fit?: Fit;
  /** Further places that still have the old text. */
  readonly remaining: number;
  readonly replacements: number;
  /** Where the previous bytes can be read. */
  readonly backup?: string;
};

type Reversed = {
  readonly paths: readonly string[];
  readonly entry?: string;
  readonly undoes?: readonly string[];
  readonly versions?: Readonly<Record<string, string>>;
  readonly diff?: string;
  readonly dryRun?: true;
};

/** The fields of each tool's success, besides `output`. */
export type ToolAnswers = {
  readonly read_file: {
    readonly path: string;
    readonly version: string;
    readonly content: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly totalLines: number;
    readonly encoding: string;
    readonly endings: "LF" | "CRLF" | "CR" | "mixed" | "none";
  };
  readonly list_files: { readonly files: readonly string[]; readonly total: number };
  readonly search_files: {
    readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[];
    readonly total: number;
    /** Set where `limit` was reached before the last line. */
    readonly stopped?: true;
  };
  readonly edit_file: WrittenFile;
  readonly patch_file: WrittenFile;
  readonly insert_at: WrittenFile;
  readonly write_file: WrittenFile;
  readonly edit_symbol: WrittenFile;
  readonly apply_patch: Written & {
    readonly format: string;
    readonly paths: readonly string[];
    readonly versions: Readonly<Record<string, string>>;
  };
  readonly edit_article: WrittenFile & {
    readonly appliedEdits: readonly { readonly index: number; readonly reason: string }[];
  };
  readonly retry_edit: Written & {
    readonly paths: readonly string[];
    readonly versions: Readonly<Record<string, string>>;
  };
  readonly undo: Reversed;
  readonly redo: Reversed;
  readonly history: { readonly entries: readonly HistoryItem[] };
  readonly find_drift: CheckReport;
};

/** A tool has done what was asked. `output` is the text for a model. */
export type ToolSuccess<N extends ToolName = ToolName> = {
  readonly success: true;
  readonly tool: N;
  readonly output: string;
} & ToolAnswers[N];

/** A tool has refused, and nothing was written. `error` and `hint` are the text for a model. */
export type ToolRefusal = {
  readonly success: false;
  readonly tool: string;
  readonly output: "";
  readonly code: RefusalCode;
  readonly error: string;
  readonly hint?: string;
  readonly path?: string;
  /** Every edit that failed, where several did. */
  readonly failures?: readonly FailedEdit[];
  /** `ambiguous`: how often the text occurs, and where. */
  readonly count?: number;
  readonly places?: readonly Place[];
  /** `not-found`: the nearest passages, the probable cause, and names that could be meant. */
  readonly nearest?: readonly Passage[];
  readonly cause?: MissCause;
  readonly candidates?: readonly string[];
  /** `conflict`: the edits of other tasks, and both texts. */
  readonly with?: readonly Rival[];
  readonly both?: Versions;
  /** `stale`: the version that the call named, and the version of the file. */
  readonly expected?: string;
  readonly actual?: string;
};

/** The answer of a tool: check `success` first. */
export type ToolResult<N extends ToolName = ToolName> = ToolSuccess<N> | ToolRefusal;

type Reading = "read_file" | "list_files" | "search_files" | "history" | "find_drift";
type FileWriting = "edit_file" | "patch_file" | "insert_at" | "edit_symbol" | "apply_patch" | "undo" | "redo";

type ProfileTools<P extends Profile> = {
  readonly files: { readonly read: Reading; readonly create: "write_file"; readonly change: FileWriting };
  readonly docs: { readonly read: Reading; readonly create: "write_file"; readonly change: "edit_article" };
  readonly slim: {
    readonly read: "read_file" | "search_files" | "find_drift";
    readonly create: never;
    readonly change: "edit_file" | "apply_patch" | "undo";
  };
}[P];

/** The names of the tools that a profile and a mode offer. */
export type ToolsOf<P extends Profile, M extends Mode | undefined> = M extends "generate"
  ? ProfileTools<P>["read" | "create"]
  : M extends "modify"
    ? ProfileTools<P>["read" | "change"]
    : M extends Mode
      ? ProfileTools<P>["read"]
      : ProfileTools<P>["read" | "create" | "change"];
