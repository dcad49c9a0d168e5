import type { DeclaredThing } from "../../drift/binding/bound-by.ts";
import type { Since } from "../../drift/change/change.ts";
import type { Asked } from "../../drift/claims/tally.ts";
import type { Unknown } from "../../drift/find-drift.ts";
import type { Tier } from "../../drift/findings.ts";
import type { Evidence } from "../../text/model/edit.ts";
import type { Judgement } from "../record/verdicts.ts";
import type { Against } from "./range.ts";

export type ReportedEdit = {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  /** Which match of `old_string` in the page is meant, from 1. Absent: it has one match. */
  readonly occurrence?: number;
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
  /** The words of the page that are not true. */
  readonly says?: string;
  /** What they are about, where it is known. */
  readonly thing?: DeclaredThing;
  readonly message: string;
  readonly evidence: readonly Evidence[];
  readonly edits: readonly ReportedEdit[];
  /** A program writes these lines: its name, empty where the page does not say it. */
  readonly generator?: string;
  /** The commit since which it is false, where the history says. */
  readonly since?: Since;
  /** `model`: only a model noticed it. Absent: a rule did. */
  readonly by?: string;
  /** The decision of a model about it, if one was asked. */
  readonly judgement?: Judgement;
};

/** A document that could not be judged. A check that has any is not a clean one. */
export type { Unknown };

/** The clone that has the pages of a report, and the state of it that was read. */
export type DocumentsPlace = { readonly root: string; readonly head: string };

/** What a check looked at. It tells a clean answer from one about nothing. */
export type Scope = {
  /** What the head was compared with. Absent: all documents were checked, without a change. */
  readonly against?: Against;
  /** Commits and files of the change. */
  readonly commits: number;
  readonly files: number;
  /** Pages that were read. */
  readonly pages: number;
  /** Claims that were asked: those that the change can have made false, or all of them. */
  readonly claims: number;
  /** Those of them that are true; absent where only drift was asked for. */
  readonly true?: number;
  /** Those of them that are false, or became false. */
  readonly false: number;
  /** Claims that could not be decided, by reason. */
  readonly undecidable: Asked["undecidable"];
  /** Pages that claim nothing about today: generated, of an older version, history. */
  readonly leftOut: readonly Unknown[];
  /** Pages that could not be read. Those that are also in `unknown` make the check fail. */
  readonly unread: readonly Unknown[];
};

export type CheckReport = {
  readonly base: string;
  readonly head: string;
  readonly findings: readonly ReportedFinding[];
  readonly unknown: readonly Unknown[];
  /** Absent: the findings are those of another program. */
  readonly scope?: Scope;
  /**
   * The other clone that has the pages: where it is, from the top of the code's repository, and the state that was read.
   * Absent: the pages are in the code's repository.
   */
  readonly docs?: DocumentsPlace;
  /** Deprecated settings that the configuration still uses. */
  readonly warnings?: readonly string[];
};
