import { applyJudgement } from "../check/judgement.ts";
import type { CheckReport, ReportedEdit, ReportedFinding } from "../check/report.ts";
import { patchOf } from "../record/audit.ts";
import type { Judgement } from "../record/verdicts.ts";
import type { Fixed } from "./fix.ts";

/** The results of a model for the findings that the rules left. */
export type Rewritten = {
  readonly model: string;
  readonly passages: readonly {
    readonly finding: string;
    /** The first line of the finding. Ids repeat where lines do; an id and a line do not. */
    readonly startLine: number;
    readonly summary: string;
    readonly edits: readonly ReportedEdit[];
    readonly verdict?: { readonly word: Judgement["verdict"]; readonly reason: string };
    /** The edits of another finding fixed this one too. */
    readonly settled?: true;
    /** The edits are those that the rule proposed. */
    readonly byRule?: true;
    readonly error?: string;
  }[];
  /** From the page as the run found it to the page as it is, edits by rule included. */
  readonly patches: ReadonlyMap<string, string>;
  /** What a person should look at in the edits of the model. */
  readonly risks?: readonly { readonly path: string; readonly what: string; readonly detail: string }[];
};

/** A fixed finding, and the model that fixed it; `rule` where a rule did, `person` where a person wrote the text. */
export type DoneFinding = ReportedFinding & { readonly by: string };

type RewrittenPassage = Rewritten["passages"][number];

/** A finding that is left, and why its edit was not made, or what the model said about it. */
export type LeftFinding = ReportedFinding & { readonly why?: string };

/** A run of `fix` as it ended. */
export type Conclusion = {
  readonly done: readonly DoneFinding[];
  readonly left: readonly LeftFinding[];
  /** One diff for each page, from what the run found to what it leaves. */
  readonly patches: readonly string[];
  /** A passage that a model was asked about could not be written. */
  readonly hasFailed: boolean;
};

/** Joins what rules and a model did. A passage whose last wording was refused is left. */
export function conclude(report: CheckReport, byRule: Fixed, rewritten: Rewritten | null): Conclusion {
  const results = new Map(
    rewritten?.passages.map((passage) => [`${passage.finding} ${passage.startLine}`, passage]),
  );
  const ruled = new Set(byRule.fixed);
  const done: DoneFinding[] = [];
  const left: LeftFinding[] = [];
  for (const finding of report.findings) {
    const isRuled = ruled.has(finding);
    const result = isRuled ? undefined : results.get(placeOf(finding));
    const judged = rewritten && result ? withJudgement(finding, result, rewritten.model) : finding;
    if (isRuled) done.push({ ...finding, by: isWorded(finding) ? "person" : "rule" });
    else if (result && result.error === undefined && (result.edits.length > 0 || result.settled))
      done.push({ ...judged, edits: result.edits, by: result.byRule ? "rule" : rewritten!.model });
    else left.push(withWhy(judged, result ? (result.error ?? result.summary) : byRule.why.get(finding)));
  }
  const hasFailed = rewritten?.passages.some(({ error }) => error !== undefined) ?? false;
  return { done, left, patches: patchesOf(byRule, rewritten), hasFailed };
}

function withWhy(finding: ReportedFinding, why: string | undefined): LeftFinding {
  return why === undefined ? finding : { ...finding, why };
}

/** Whether a person wrote the text of an edit. */
function isWorded({ edits }: ReportedFinding): boolean {
  return edits.some(({ original }) => original !== undefined);
}

function placeOf({ id, startLine }: ReportedFinding): string {
  return `${id} ${startLine}`;
}

/**
 * A finding with a model's verdict on it. A likely finding that the model calls a false alarm becomes possible; a certain
 * one stays certain.
 */
function withJudgement(finding: ReportedFinding, { verdict }: RewrittenPassage, by: string): ReportedFinding {
  if (!verdict) return finding;
  return applyJudgement(finding, { verdict: verdict.word, reason: verdict.reason, by });
}

function patchesOf({ applied }: Fixed, rewritten: Rewritten | null): string[] {
  const patches = new Map((applied?.plan.changes ?? []).map((change) => [change.path, patchOf(change)]));
  for (const [path, patch] of rewritten?.patches ?? []) patches.set(path, patch);
  return [...patches].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, patch]) => patch);
}

/** The findings of a report with the edits that a model wrote, for a person to decide about. */
export function withRewritten(report: CheckReport, { done, left }: Conclusion): CheckReport {
  const models = new Map(done.flatMap((one) => (one.by === "rule" ? [] : [[placeOf(one), one] as const])));
  const kept = new Map(left.map((one) => [placeOf(one), one]));
  const findings = report.findings.map(
    (one) => models.get(placeOf(one)) ?? withReason(one, kept.get(placeOf(one))),
  );
  return { ...report, findings };
}

/** A finding that was left, with the model's verdict on it. */
function withReason(finding: ReportedFinding, left: LeftFinding | undefined): ReportedFinding {
  return left?.judgement ? { ...finding, judgement: left.judgement } : finding;
}
