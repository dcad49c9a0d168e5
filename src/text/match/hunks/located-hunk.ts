import type { Fit } from "../../model/edit.ts";
import type { Hunk } from "../../model/hunk.ts";

/** A hunk with the lines it must find, as they are compared. */
export type Wanted = {
  readonly hunk: Hunk;
  readonly keys: readonly string[];
  /** Whether the last old line, and the last new one, has no newline. */
  readonly open: { readonly old: boolean; readonly new: boolean };
};

/** A located hunk: its line from 0, and the lines of its context that were left out above it. */
export type PlacedHunk = {
  readonly line: number;
  readonly hunk: Hunk;
  readonly fit: Fit;
  readonly dropped: number;
};

/** The place of each hunk, or the first hunk that has no place, and why. */
export type LocatedHunks =
  | { readonly ok: true; readonly placed: readonly PlacedHunk[] }
  | ({ readonly ok: false; readonly hunk: number } & HunkMiss);
export type HunkMiss =
  | { readonly why: "nowhere" | "no-place" | "applied" | "stale" }
  | { readonly why: "anchor"; readonly anchor: string }
  | {
      readonly why: "several";
      readonly count: number;
      readonly places: readonly number[];
      /** Only a part of the hunk matches there, or only with other white space. */
      readonly isRelaxed?: true;
    }
  | { readonly why: "order"; readonly line: number; readonly other: number };

export type SeveralMiss = Extract<HunkMiss, { why: "several" }>;
