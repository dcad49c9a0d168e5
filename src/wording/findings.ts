import type { CheckReport, ReportedFinding, Unknown } from "../docs/check/report.ts";
import type { Warning } from "../docs/config.ts";
import type { Finding, Message } from "../drift/findings.ts";
import type { Evidence } from "../text/model/edit.ts";
import { plural } from "./sentences.ts";

/** One sentence for a finding: what the code did, and where. */
export function findingText(finding: Pick<Finding, "message" | "evidence" | "since">): string {
  const { since } = finding;
  if (since !== undefined)
    return `${messageText(finding.message)} (since ${since.commit.slice(0, 9)} of ${since.date}: ${since.subject}).`;
  const [where] = finding.evidence;
  return `${messageText(finding.message)}${where ? ` (${placeText(where)})` : ""}.`;
}

/** The decision of a model about a finding, in one sentence; `null` if no model was asked. */
export function judgementText({ judgement }: Pick<ReportedFinding, "judgement">): string | null {
  if (judgement === undefined) return null;
  const { verdict, reason, by } = judgement;
  const decision = { keep: "calls it a false alarm", fix: "confirms it", add: "confirms that it is missing" };
  return `${by} ${decision[verdict]}${reason === "" ? "" : `: ${reason}`}`;
}

/** Why a document could not be judged. */
export const unknownWords = {
  absent: "its content is not in this clone",
  unreadable: "it is not text, or too large",
  failed: "it could not be read",
  history: "fetching its history took too long",
  shallow: "the clone has only a part of its history",
};

function placeText({ path, startLine }: Evidence): string {
  return `${path}:${startLine}`;
}

function messageText({ what, old, new: fresh, owner }: Message): string {
  switch (what) {
    case "renamed":
      return `${code(old)} is now ${code(fresh)}`;
    case "removed":
      return `${code(old)} no longer exists`;
    case "dropped":
      return `the code no longer imports ${code(old)}${fresh === undefined ? "" : `; it imports ${code(fresh)} instead`}`;
    case "deprecated":
      return `${code(old)} is deprecated now${fresh === undefined ? "" : `, in favour of ${code(fresh)}`}`;
    case "not deprecated":
      return `${code(old)} is no longer deprecated`;
    case "value":
      return `${owner ? `the value of ${code(owner)}` : "the value"} is now ${code(fresh)}, not ${code(old)}`;
    case "moved":
      return `${code(old)} has moved to ${code(fresh)}`;
    case "member":
      return `${code(old)} is now ${code(fresh)}`;
    case "supported":
      return `${code(fresh)} now exists, so this note may be out of date`;
    case "version":
      return `${owner ? `${code(owner)} now needs` : "the version is now"} ${code(fresh)}, not ${code(old)}`;
    case "no file":
      return `there is no ${code(old)}`;
    case "no file at":
      return `${code(owner)} of this repository has no ${code(old)}`;
    case "no heading":
      return `${code(owner)} has no heading for ${code(`#${old}`)}`;
    case "no task":
      return `${code(owner)} has no ${code(old)}`;
    case "no flag":
      return `the code knows no ${code(old)}`;
    case "open fence":
      return `this sample is not closed, so that ${code(old)} is shown as code`;
    case "broken sample":
      return `this ${old} sample does not parse`;
    case "described":
      return `${code(owner)} is now described as ${code(fresh)}, not ${code(old)}`;
    case "lags":
      return `${code(owner)}, which this page translates, says something else now`;
    case "missing":
      return `${code(fresh)} is new and missing here, where all the others are`;
    case "parameter":
      return `${code(owner)} has no parameter ${code(old)} any more`;
    case "result":
      return `${code(owner)} now returns ${code(fresh)}, not ${code(old)}`;
    case "call":
      return `${code(old)} does not fit ${code(fresh)} any more`;
    case "async":
      return `${code(owner)} has to be awaited otherwise now: ${code(fresh)}`;
    case "need":
      return `${code(owner)} is not ${old} any more`;
    case "rewritten":
      return fresh === undefined
        ? `the code no longer says ${code(old)}`
        : `the code now says ${code(fresh)}, not ${code(old)}`;
    default:
      return [what, old, fresh].filter((part) => part !== undefined).join(" ");
  }
}

function code(text: string | undefined): string {
  const shown = (text ?? "").replace(/\s+/g, " ").trim();
  return `\`${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}\``;
}

/** Findings that make a check fail: those a rule is sure of or thinks likely. */
export function gating(report: CheckReport): ReportedFinding[] {
  return report.findings.filter(({ tier }) => tier !== "possible");
}

/** A report in one line. */
export function summaryOf(report: CheckReport): string {
  const count = gating(report).length;
  const possible = report.findings.length - count;
  const parts = [
    count === 0 ? "no drift found" : `${plural(count, "passage")} no longer true`,
    ...(possible === 0 ? [] : [`${possible} to look at`]),
    ...(report.unknown.length === 0
      ? []
      : [`${plural(report.unknown.length, "file")} could not be looked at`]),
  ];
  return parts.join(", ");
}

/** Findings with one cause, in the order of the report. */
export type CauseGroup = { readonly title: string; readonly findings: readonly ReportedFinding[] };

/** The findings of a report by cause. Findings without a cause are grouped by their message. */
export function groupByCause(findings: readonly ReportedFinding[]): CauseGroup[] {
  const groups = Map.groupBy(findings, causeKey);
  return [...groups.values()].map((group) => ({ title: titleOf(group), findings: group }));
}

/** Findings with the same key are decided together. */
export function causeKey({ tier, kind, cause, message }: ReportedFinding): string {
  return [tier, kind, cause ?? message].join("\0");
}

function titleOf(findings: readonly ReportedFinding[]): string {
  const [first] = findings;
  const pages = new Set(findings.map(({ path }) => path)).size;
  const what = (first?.message ?? "").replace(/\.$/, "");
  return `${what}: ${plural(findings.length, "place")} in ${plural(pages, "page")}`;
}

export function warningText({ path, old, new: fresh }: Warning): string {
  return `${path}: the rule \`${old}\` is called \`${fresh}\` now; the old name stops working in the next minor version.`;
}

/** What `fix` can do about the findings of a report. */
export type EditCounts = {
  /** Edits it makes unasked. */
  readonly made: number;
  /** Edits it asks about. */
  readonly asked: number;
  /** Findings without an edit. */
  readonly left: number;
};

/** What `suture fix` can do about a report: edits it makes unasked, edits it asks about, and what needs a person. */
export function fixAdvice(
  { made, asked, left }: EditCounts,
  command = "suture fix",
  { model }: { readonly model?: string | undefined } = {},
): string | null {
  const [fixable, all] = [made + asked, made + asked + left];
  if (all === 0) return null;
  if (left > 0 && model !== undefined) {
    const rules =
      fixable === 0
        ? `No rule can fix ${all === 1 ? "it" : "them"}`
        : `Rules can fix ${fixable} of these ${all}`;
    return `${rules}; \`${command} --model ${model}\` asks the model for ${fixable === 0 ? "the edits" : "the other edits"}.`;
  }
  if (fixable === 0) return `No rule can fix ${all === 1 ? "it" : "them"}; a person has to.`;
  if (left > 0) {
    const agreed = asked === 0 ? "" : ` (${asked === fixable ? "" : `${asked} of them `}if you agree)`;
    return `\`${command}\` can fix ${fixable} of these ${all}${agreed}; ${left} ${left === 1 ? "needs" : "need"} a person.`;
  }
  if (made === 0)
    return `\`${command} --yes\` makes ${plural(asked, "edit")}; \`${command}\` asks about each.`;
  const more = asked === 0 ? "" : `, and asks about ${asked} more`;
  return `\`${command}\` makes ${plural(made, "edit")}${more}.`;
}

/** The two ends of a check, short. */
function rangeText({ base, head, docs }: CheckReport): string {
  const ends = base === head ? [head] : [base, head];
  const pages = docs ? `, pages of ${docs.root}` : "";
  return `${ends.map((end) => end.slice(0, 12)).join("..")}${pages}`;
}

export function unknownText({ path, why }: Unknown): string {
  return `not looked at: ${path}: ${why}`;
}

/** The text after a check: the result, the files that could not be judged, and warnings. */
export function checkRemarks(report: CheckReport): string[] {
  const { unknown, warnings = [] } = report;
  return [`${summaryOf(report)} (${rangeText(report)})`, ...unknown.map(unknownText), ...warnings];
}
