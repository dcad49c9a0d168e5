import type { Region } from "./region.ts";

/** A value, or a refusal that the caller can act on. Only bugs throw. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | Refused;

export type Refused = { readonly ok: false; readonly refusal: Refusal };

/** Where something was found: a line counted from 1, and the nearest heading or symbol above it. */
export type Place = { readonly line: number; readonly near?: string; readonly text?: string };

/** A passage that resembles the quotation, and how it differs. */
export type Passage = {
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** The first line that differs, counted from 1 in the file; absent when only the extent differs. */
  readonly differsAt?: number;
  readonly expected?: string;
  readonly found?: string;
  readonly difference: Difference;
};

export type Difference =
  | "white-space"
  | "indentation"
  | "line-endings"
  | "case"
  | "quotes"
  | "look-alikes"
  | "one-token"
  | "missing-lines"
  | "extra-lines"
  | "several-lines";

/** Why a quotation that is not in the text is probably not there. */
export type MissCause = "already-applied" | "escaped-text" | "line-number-prefixes" | "blank" | "nearby";

/**
 * The engine declines, and says what would help. Plain data: `wording/` alone turns it into words.
 * `edit` is the zero-based position of the edit that was refused, where there is one.
 */
export type Refusal = {
  readonly edit?: number;
  /** Which hunk of the edit, from 0. */
  readonly hunk?: number;
  readonly path?: string;
  /** The refusals of further edits of the same plan, in their order. */
  readonly others?: readonly Refusal[];
  /** What a session has kept of the call. */
  readonly retry?: OfferedRetry;
} & (
  | {
      readonly code: "malformed";
      readonly what: string;
      /** The same reason as a code for programs. */
      readonly why?: "empty-quote";
      readonly line?: number;
      readonly hint?: string;
    }
  | {
      readonly code: "not-found";
      readonly what:
        | "quote"
        | "hunk"
        | "file"
        | "section"
        | "symbol"
        | "anchor"
        | "occurrence"
        | "entry"
        | "handle"
        | "resource"
        | "run"
        | "tool";
      readonly cause?: MissCause;
      readonly nearest?: readonly Passage[];
      /** For an occurrence that does not exist: how many there are. */
      readonly count?: number;
      /** For names: what could have been meant. */
      readonly candidates?: readonly string[];
      readonly detail?: string;
    }
  | { readonly code: "ambiguous"; readonly count: number; readonly places: readonly Place[] }
  | { readonly code: "overlap"; readonly other: number; readonly region: Region }
  | {
      readonly code: "no-change";
      readonly why: "same-text" | "already-applied" | "nothing-asked" | "nothing-to-undo";
    }
  | {
      readonly code: "out-of-range";
      readonly line: number;
      readonly lowest: number;
      readonly highest: number;
    }
  | { readonly code: "exists" }
  | { readonly code: "not-text"; readonly offset: number; readonly why: string }
  | { readonly code: "too-large"; readonly size: number; readonly limit: number; readonly what: string }
  | {
      readonly code: "stale";
      readonly expected: string;
      readonly actual: string;
      readonly detail?: string;
      /** The lines that the edit names, as the caller has seen them, and as they are. */
      readonly changed?: { readonly line: number; readonly before: string; readonly after: string };
    }
  | { readonly code: "locked"; readonly owner: string }
  | { readonly code: "outside"; readonly detail: string }
  | { readonly code: "protected"; readonly detail: string }
  | {
      readonly code: "needs-consent";
      readonly detail: string;
      /** The word of `--consent` by which a person can give it beforehand. */
      readonly word?: string;
    }
  | {
      readonly code: "conflict";
      readonly detail: string;
      readonly with?: readonly Rival[];
      readonly versions?: Versions;
    }
  | { readonly code: "unparsable"; readonly line: number; readonly detail: string }
  | {
      readonly code: "not-allowed";
      readonly detail: string;
      readonly errno?: string;
      /** The property of the file that prevents the write. */
      readonly barrier?: Barrier;
      /** The HTTP status with which a host refused. */
      readonly status?: number;
    }
  | {
      readonly code: "unavailable";
      readonly detail: string;
      /** The error code of the system, such as `ENOSPC`. */
      readonly errno?: string;
      /** The state that was reached, where a failed commit could not be rolled back in full. */
      readonly aftermath?: "open" | "written";
    }
  /** The workspace was closed before the call. */
  | { readonly code: "closed" }
  /** The caller's signal was aborted. Nothing was written. */
  | { readonly code: "aborted" }
  /** The change was shown for approval, and was not approved. */
  | { readonly code: "declined"; readonly detail?: string }
);

/** A refused call that can be made after all: corrected, or without the parts that failed. */
export type OfferedRetry = {
  readonly handle: string;
  /** The corrected parts as a diff of the files; empty where nothing was corrected. */
  readonly diff: string;
  /** How many edits or hunks are made as they were sent, and how many are left out. */
  readonly kept: number;
  readonly leftOut: number;
};

/** Every code that a refusal can have. */
export type RefusalCode = Refusal["code"];

/** Why a file cannot be replaced in the usual way: its disk, its other names, its mode, its kind or its attributes. */
export type Barrier =
  | "other-disk"
  | "hard-links"
  | "special-bits"
  | "not-regular"
  | "capability"
  | "attributes"
  | "other-user";

/** Another task's edit of the same lines. */
export type Rival = {
  readonly task: string;
  readonly entry: string;
  readonly reason: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly before?: string;
  readonly after?: string;
};

/** Both sides of a conflict, so that the caller need not read the files again. */
export type Versions = { readonly ours: string | null; readonly theirs: string | null };

export function accept<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refuse(refusal: Refusal): Refused {
  return { ok: false, refusal };
}

/** A refusal, thrown by functions that do not return an `Outcome`. */
export class RefusalError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal, message?: string) {
    super(message ?? ("detail" in refusal ? `${refusal.code}: ${refusal.detail}` : refusal.code));
    this.name = "RefusalError";
    this.refusal = refusal;
  }
}
