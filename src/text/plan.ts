import type { Edit, FileMode, Fit } from "./edit.ts";
import type { Region } from "./region.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Splice } from "./splice.ts";

/** One file, before and after. Splices refer to `before.text`; `after: null` means the file is gone. */
export type Change = {
  readonly path: string;
  readonly before: Snapshot;
  readonly splices: readonly Splice[];
  readonly after: string | null;
  /** Set when the content came from another path (a move or a copy). */
  readonly from?: string;
  /** Set when permission is part of the change. */
  readonly mode?: FileMode;
};

/** Where one edit landed: regions of its file before and after the whole plan. */
export type Landing = {
  readonly edit: number;
  readonly path: string;
  readonly fit: Fit;
  readonly before: readonly Region[];
  readonly after: readonly Region[];
  /** Further places the quotation still stands at, outside those edited. */
  readonly remaining: number;
  readonly notes: readonly Note[];
};

/** Something true about how an edit was applied that the caller should hear. */
export type Note =
  | { readonly note: "offset"; readonly hunk: number; readonly stated: number; readonly actual: number }
  | { readonly note: "miscounted"; readonly hunk: number; readonly statedOld: number; readonly statedNew: number }
  | { readonly note: "already-applied"; readonly hunk: number }
  | { readonly note: "re-indented"; readonly by: string }
  | { readonly note: "line-endings"; readonly ending: "LF" | "CRLF" | "CR" };

/** Every change of one call, still in memory: the value between "asked" and "written". */
export type Plan = {
  readonly edits: readonly Edit[];
  readonly changes: readonly Change[];
  readonly landings: readonly Landing[];
};
