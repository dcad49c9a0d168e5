import type { Against } from "../docs/check/range.ts";
import type { CheckReport, ReportedFinding, Scope, Unknown } from "../docs/check/report.ts";
import type { Warning } from "../docs/config.ts";
import type { Since } from "../drift/change/change.ts";
import type { Finding, Message } from "../drift/findings.ts";
import type { Evidence } from "../text/model/edit.ts";
import { counted, plural, short } from "./sentences.ts";

/** One sentence for a finding: what the code did, and where. */
export function findingText(
  finding: Pick<Finding, "message" | "evidence" | "since" | "left" | "generator">,
): string {
  const { since, message, left = [], generator } = finding;
  const [where] = finding.evidence;
  const end = since !== undefined ? ` (${sinceText(since)})` : where ? ` (${placeText(where)})` : "";
  const facts = [
    messageText(message),
    ...(left.length > 0 ? [`not repaired here: ${left.map(messageText).join("; ")}`] : []),
    ...(generator === undefined ? [] : [`stale: run ${generator || "the generator of these lines"} again`]),
  ];
  return `${facts.join("; ")}${end}.`;
}

/** The fact of a finding without the place or the commit that its sentence ends with. */
export function factOf({ message, evidence: [where], since }: ReportedFinding): string {
  const text = message.replace(/\.$/, "");
  const end = since ? ` (${sinceText(since)})` : where ? ` (${placeText(where)})` : "";
  return end !== "" && text.endsWith(end) ? text.slice(0, -end.length) : text;
}

/** Where the code shows a finding, or since when it is so; `null` if neither is known. */
export function proofText({ evidence: [proof], since }: ReportedFinding): string | null {
  if (since) return sinceText(since);
  if (proof === undefined) return null;
  const { before, after } = proof;
  const verb = before === undefined ? "see" : after === undefined ? "removed from" : "changed in";
  const code = (after ?? before)?.trim() ?? "";
  if (code === proof.path) return after === undefined ? `removed: ${code}` : `see ${code}`;
  return `${verb} ${placeText(proof)}${code === "" ? "" : `: ${code}`}`;
}

function sinceText({ commit, date, subject }: Since): string {
  return `since ${commit.slice(0, 9)} of ${date}: ${subject}`;
}

/** The names that a sentence about a finding quotes, in their order. */
export function quotedNames(message: string): string[] {
  return [...message.matchAll(/`([^`]+)`/g)].map(([, name]) => name!.replace(/…$/, ""));
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
  unreadable: "it is not text in UTF-8 or UTF-16, or it is larger than 1 MB",
  large: "it is larger than 1,000,000 bytes",
  notText: "it is not text in UTF-8 or UTF-16",
  failed: "it could not be read",
  history: "fetching its history took too long",
  shallow: "the clone has only a part of its history",
};

/** Why a page claims nothing about today. */
export const leftOutWords: Readonly<Record<string, string>> = {
  generated: "a program writes it",
  history: "it tells what was",
  versioned: "it is of an older version",
  translation: "it follows the page that it translates",
  meta: "it is a form, or about people and rules; only its links are checked",
  fixture: "it is material of a test, a template or a benchmark",
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
      return `${owner === undefined ? "this page" : code(owner)} has no heading for ${code(`#${old}`)}`;
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
      return rewrittenText(old, fresh);
    default:
      return [what, old, fresh].filter((part) => part !== undefined).join(" ");
  }
}

function rewrittenText(old: string | undefined, fresh: string | undefined): string {
  if (fresh === undefined) return `the code no longer says ${code(old)}`;
  if (fresh.includes("\n")) return "the code that these lines copy has changed";
  return `the code now says ${code(fresh)}${old?.trim() ? `, not ${code(old)}` : ""}`;
}

function code(text: string | undefined): string {
  const shown = (text ?? "").replace(/\s+/g, " ").trim();
  return `\`${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}\``;
}

/** Findings that make a check fail: those a rule is sure of or thinks likely. */
export function gating(report: CheckReport): ReportedFinding[] {
  return report.findings.filter(({ tier }) => tier !== "possible");
}

/** Of the findings of a check, those that make it fail. One that only a model noticed does so where the caller wants it. */
export function failing(
  findings: readonly ReportedFinding[],
  { strictModel }: { readonly strictModel: boolean },
): ReportedFinding[] {
  return strictModel ? [...findings] : findings.filter(({ by }) => by !== "model");
}

/** What is said about findings that only a model noticed and that fail no check; `null` where there are none. */
export function byModelRemark(count: number): string | null {
  if (count === 0) return null;
  const one = count === 1;
  return `Only the model noticed ${count} of these passages; ${one ? "it fails" : "they fail"} the check with --strict-model.`;
}

/** A report in one line. */
export function summaryOf(report: CheckReport): string {
  const count = gating(report).length;
  const possible = report.findings.length - count;
  const isEmpty = report.scope?.pages === 0 && report.findings.length + report.unknown.length === 0;
  if (isEmpty) return "nothing to check: there is no page here";
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
  /** Of these, the edits of pages that need a person's consent. */
  readonly guarded: number;
  /** Findings without an edit. */
  readonly left: number;
};

/** What `suture fix` can do about a report: edits it makes unasked, edits it asks about, and what needs a person. */
export function fixAdvice(
  counts: EditCounts,
  command = "suture fix",
  { model }: { readonly model?: string | undefined } = {},
): string | null {
  const { made, asked, left } = counts;
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
  const rest = left === 0 ? "" : ` ${plural(left, "passage")} ${left === 1 ? "needs" : "need"} a person.`;
  const why = whyAsked(counts);
  if (asked === 0) return `\`${command}\` makes ${plural(made, "edit")}.${rest}`;
  if (made === 0)
    return `\`${command} --yes\` makes ${plural(asked, "edit")} (${why}); \`${command}\` asks about each.${rest}`;
  return `\`${command}\` makes ${plural(made, "edit")} and asks about ${asked} more (${why}); \`${command} --yes\` makes all ${fixable}.${rest}`;
}

function whyAsked({ asked, guarded }: EditCounts): string {
  const reasons = [
    ...(asked > guarded ? ["likely, not certain"] : []),
    ...(guarded > 0 ? ["in a file that needs your consent"] : []),
  ];
  return reasons.join("; ");
}

/** What a check looked at, in a few words. */
export function scopeText({ scope, docs }: CheckReport, base: string): string[] {
  if (scope === undefined) return [];
  const { against, commits, files, pages, unread } = scope;
  const size = [...(commits > 0 ? [counted(commits, "commit")] : []), counted(files, "file")];
  return [
    ...(against === undefined ? [] : [`compared with ${againstText(against, base)}, ${size.join(", ")}`]),
    [
      `${counted(pages, "page")}${docs ? ` of ${docs.root}` : ""}`,
      askedText(scope),
      ...(unread.length === 0 ? [] : [`${counted(unread.length, "page")} not read`]),
    ].join(", "),
  ];
}

/** How many claims a check asked, and what came out; null where it did not look at any itself. */
export function claimsText({ scope }: CheckReport): string | null {
  return scope === undefined ? null : askedText(scope);
}

function askedText({ against, claims, true: held, false: lost, undecidable }: Scope): string {
  const open = undecidable.reduce((sum, { count }) => sum + count, 0);
  return [
    `${counted(claims, "claim")}${against === undefined ? "" : " about the change"}`,
    ...(held === undefined ? [] : [`${held.toLocaleString("en-US")} true`]),
    ...(held === undefined && lost === 0 ? [] : [`${lost.toLocaleString("en-US")} false`]),
    ...(open === 0 ? [] : [`${open.toLocaleString("en-US")} undecidable`]),
  ].join(", ");
}

function againstText(against: Against, base: string): string {
  switch (against.is) {
    case "main branch":
      return against.name;
    case "revision":
      return base;
    default:
      return `the ${against.is}`;
  }
}

/** Sentences of `suture check`. */
export const checkWords = {
  tookTooLong: (seconds: number): string =>
    `the check showed no progress for ${seconds} seconds and was stopped`,
  looking: (all: boolean): string => (all ? "checking all documents" : "checking the change"),
  possible: (count: number, command: string): string =>
    `\`${command}\` shows the ${count === 1 ? "one that is" : `${count} that are`} only possible.`,
  afterSwitch: (head: string, fix: string): string => `git switch --detach ${head} && ${fix}`,
  wholeToo: (command: string): string => `\`${command}\` also finds what earlier commits made false.`,
};

export function unknownText({ path, why }: Unknown): string {
  return `not looked at: ${path}: ${why}`;
}

export type RemarkOptions = {
  /** The base as the caller named it. */
  readonly base?: string | undefined;
  /** How long the check took. */
  readonly seconds?: number;
  /** The most pages to name that were not read. */
  readonly mostUnread?: number;
};

/** The text after a check: the result and what was looked at, the files that could not be judged, and warnings. */
export function checkRemarks(
  report: CheckReport,
  { base = short(report.base), seconds, mostUnread = 5 }: RemarkOptions = {},
): string[] {
  const { unknown, scope, warnings = [] } = report;
  const known = new Set(unknown.map(({ path }) => path));
  const unread = (scope?.unread ?? []).filter(({ path }) => !known.has(path));
  const named = unread.slice(0, mostUnread);
  const scopes = [...scopeText(report, base), ...(seconds === undefined ? [] : [secondsText(seconds)])];
  return [
    `${summaryOf(report)}${scopes.length === 0 ? "" : ` (${scopes.join("; ")})`}`,
    ...unknown.map(unknownText),
    ...named.map(({ path, why }) => `not read: ${path}: ${why}`),
    ...(unread.length > named.length ? [`not read: ${unread.length - named.length} more pages`] : []),
    ...warnings,
  ];
}

function secondsText(seconds: number): string {
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}
