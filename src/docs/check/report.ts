import type { Since } from "../../drift/change/change.ts";
import type { Unknown } from "../../drift/find-drift.ts";
import type { Tier } from "../../drift/findings.ts";
import type { Evidence } from "../../text/model/edit.ts";
import type { Judgement } from "../record/verdicts.ts";

export type ReportedEdit = {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly reason: string;
  /** The proposed text, where a person wrote another one. */
  readonly original?: string;
};

/** A finding as every door shows it. */
export type ReportedFinding = {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly tier: Tier;
  /** The rule that found it. */
  readonly kind: string;
  /** The rule of an earlier version that reported such passages. */
  readonly rule?: string;
  /** Ids that earlier versions gave it. */
  readonly formerIds?: readonly string[];
  /** How likely the finding is to be right, from 0 to 1, where the rules can say. */
  readonly confidence?: number;
  /** Equal for all findings of one cause. */
  readonly cause?: string;
  readonly message: string;
  readonly evidence: readonly Evidence[];
  readonly edits: readonly ReportedEdit[];
  /** The commit since which it is false, where the history says. */
  readonly since?: Since;
  /** The decision of a model about it, if one was asked. */
  readonly judgement?: Judgement;
};

/** A document that could not be judged. A check that has any is not a clean one. */
export type { Unknown };

/** The clone that has the pages of a report, and the state of it that was read. */
export type DocumentsPlace = { readonly root: string; readonly head: string };

export type CheckReport = {
  readonly base: string;
  readonly head: string;
  readonly findings: readonly ReportedFinding[];
  readonly unknown: readonly Unknown[];
  /**
   * The other clone that has the pages: where it is, from the top of the code's repository, and the state that was read.
   * Absent: the pages are in the code's repository.
   */
  readonly docs?: DocumentsPlace;
  /** Deprecated settings that the configuration still uses. */
  readonly warnings?: readonly string[];
};
