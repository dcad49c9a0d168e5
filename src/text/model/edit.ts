import type { Hunk } from "./hunk.ts";
import type { Region } from "./region.ts";

/**
 * How strictly a target was matched, from the strictest on. The caller is told of any fit but `exact`.
 * `white-space`: indentation, blanks at line ends, blank lines at the edges; `layout`: confusable characters too;
 * `context`: up to two outer lines of context differ; `merge`: three-way, from the text the edit was made for.
 */
export type Fit = (typeof fits)[number];

export const fits = ["exact", "line-endings", "white-space", "layout", "context", "merge"] as const;

/** Where in the code the reason for an edit can be seen. */
export type Evidence = {
  readonly path: string;
  readonly revision: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly before?: string;
  readonly after?: string;
};

/**
 * A quotation. `occurrence`: absent demands a single match; n is the n-th from 1, -1 the last, 0 all of them.
 * `within` narrows the search to a region of the snapshot; `fit` says how far a match may differ: `exact` (the default)
 * by line endings only, `white-space` and `layout` as `Fit` says.
 */
export type QuoteTarget = {
  readonly quote: string;
  readonly occurrence?: number;
  readonly within?: Region;
  /** How many matches the caller counts on; another number is refused. */
  readonly expected?: number;
  readonly fit?: "exact" | "white-space" | "layout";
  /** Count matches with CRLF and LF taken as equal even when one place matches exactly. */
  readonly countFolded?: boolean;
};

/** Insertion of whole lines after a line: 0 is the start, -1 the end. */
export type LineTarget = { readonly line: number };

/** All hunks a patch has for one file; their line numbers refer to the text before the first of them. */
export type HunksTarget = {
  readonly hunks: readonly Hunk[];
  /** The other name of a header that names two files without moving one: the file, if only it exists. */
  readonly otherPath?: string;
};

/** A region of the snapshot, located by a caller that knows the syntax of the file. */
export type RegionTarget = { readonly region: Region };

type EditFields = {
  readonly path: string;
  /** Why; empty where the format has no room for a reason. */
  readonly reason: string;
  readonly evidence: readonly Evidence[];
};

/** A request: put this text at this target, for this reason. */
export type Edit = EditFields &
  (
    | { readonly target: QuoteTarget; readonly text: string }
    | { readonly target: LineTarget; readonly text: string }
    | { readonly target: RegionTarget; readonly text: string }
    | { readonly target: HunksTarget }
    | { readonly target: { readonly file: "create" }; readonly text: string; readonly mode?: FileMode }
    | { readonly target: { readonly file: "rewrite" }; readonly text: string }
    | { readonly target: { readonly file: "delete" } }
    | { readonly target: { readonly file: "move" | "copy" }; readonly to: string }
    | { readonly target: { readonly file: "mode" }; readonly mode: FileMode }
  );

/** The only permission difference that git, and so a patch, knows. */
export type FileMode = "regular" | "executable";
