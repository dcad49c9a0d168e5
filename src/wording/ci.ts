import type { CheckReport, ReportedFinding } from "../docs/check/report.ts";
import type { FixedPages } from "../docs/fix/fix-commit.ts";
import { claimsText, gating, groupByCause } from "./findings.ts";
import {
  type CommentCause,
  type CommentLinks,
  causeSentence,
  findingLine,
  noLinks,
  pageList,
  passageLine,
  passageText,
  proofBlock,
} from "./formats/comment-passages.ts";
import { block, code, prose } from "./quoted.ts";
import { plural } from "./sentences.ts";

/** The first line of our comment. It identifies the comment. */
export const commentMarker = "<!-- suture:drift -->";

/** The last line of our commits. It identifies them. */
export const commitTrailer = "Suture-Made: by suture ci";

/** The prefix of the branches of our own pull requests. */
export const branchPrefix = "suture/";

/** Whether a commit is one of ours. Such a commit is checked, but gets no commit in answer. */
export function isMadeByUs(message: string | null, branch: string | null): boolean {
  return branch?.startsWith(branchPrefix) || (message ?? "").split("\n").includes(commitTrailer);
}

/** How the edits of a report were delivered. */
export type DeliveredFixes = {
  /** Ids of findings whose edits were posted as suggestions. */
  readonly suggested?: ReadonlySet<string>;
  /** The commit on the branch that holds the edits of `fixed`. */
  readonly commit?: string;
  /** The number of our pull request that holds them. */
  readonly request?: number;
  readonly requestUrl?: string;
  readonly fixed?: FixedPages;
};

/**
 * The text of our comment; null if there is nothing to report and no comment yet. One passage is shown in full; several are
 * folded by cause, so that the comment stays short. A hidden line keeps the ids of all findings that the comment ever
 * named, so that a later run can count the fixed ones.
 */
export function writeComment(
  report: CheckReport,
  delivered: DeliveredFixes,
  now: string | null,
  links: CommentLinks = noLinks,
): string | null {
  const open = openOf(report, delivered);
  if (open.length === 0 && delivered.fixed === undefined && now === null) return null;
  const seen = new Set([...seenIn(now), ...gating(report).map(shortId)]);
  const first = `**Suture:** ${headline(report, delivered, { open, seen })}`;
  const more = details(report, delivered, { open, limits: inComment, links });
  const about = open.length === 0 ? [] : ["", aboutSuture];
  return [commentMarker, seenLine(seen), first, "", ...askedLine(report), ...more, ...about]
    .join("\n")
    .trimEnd();
}

/** How many claims were asked, and what came out. */
function askedLine(report: CheckReport): string[] {
  const asked = claimsText(report);
  return asked === null ? [] : [asked, ""];
}

const aboutSuture =
  "<sub>Suture compares the documents of a project with its code, by rule. A passage is reported if it was true before this change and is false after it.</sub>";

/** People and agents read the comment each time they read the pull request, so it is short. */
const inComment = { most: 10, length: 6000 };

/** The same with more details, for the summary of the job. */
export function writeSummary(
  report: CheckReport,
  delivered: DeliveredFixes,
  links: CommentLinks = noLinks,
): string {
  const open = openOf(report, delivered);
  const limits = { most: 500, length: 500_000 };
  const more = details(report, delivered, { open, limits, links });
  return `${[`### Suture: ${headline(report, delivered, { open })}`, "", ...askedLine(report), ...more].join("\n")}\n`;
}

/** The passages of a report, without a headline. */
export function writePassages(report: CheckReport): string[] {
  const limits = { most: 500, length: 500_000 };
  return details(report, {}, { open: gating(report), limits, links: noLinks });
}

/** The findings that still fail the check. */
function openOf(report: CheckReport, { commit, fixed }: DeliveredFixes): ReportedFinding[] {
  const done = new Set(commit === undefined ? [] : fixed?.fixed);
  return gating(report).filter((finding) => !done.has(finding));
}

function headline(
  report: CheckReport,
  { commit, fixed, request, requestUrl }: DeliveredFixes,
  { open, seen }: { readonly open: readonly ReportedFinding[]; readonly seen?: ReadonlySet<string> },
): string {
  const parts: string[] = [];
  if (commit !== undefined && fixed && fixed.fixed.length > 0)
    parts.push(`${plural(fixed.fixed.length, "passage")} fixed in ${commit.slice(0, 12)}`);
  if (open.length > 0) parts.push(`${plural(open.length, "passage")} no longer true`);
  if (open.length > 0 && request !== undefined) parts.push(`fixed by ${requestUrl ?? `#${request}`}`);
  if (parts.length === 0) parts.push("nothing left to fix");
  const gone = seen === undefined ? 0 : seen.size - new Set(gating(report).map(shortId)).size;
  if (gone > 0 && commit === undefined) parts.push(`${gone} ${gone === 1 ? "was" : "were"} fixed`);
  if (report.unknown.length > 0)
    parts.push(`${plural(report.unknown.length, "file")} could not be looked at`);
  return `${parts.join(", ")}.`;
}

/** The most items and the most characters to show. */
type CommentLimits = { readonly most: number; readonly length: number };

type DetailOptions = {
  readonly open: readonly ReportedFinding[];
  readonly limits: CommentLimits;
  readonly links: CommentLinks;
};

function details(report: CheckReport, delivered: DeliveredFixes, options: DetailOptions): string[] {
  const { open, limits, links } = options;
  const possible = report.findings.filter(({ tier }) => tier === "possible");
  const aside = { most: limits.most, length: limits.length / 8 };
  return [
    ...(open.length > 1 ? [`In ${pageList(open, links, mostPages)}.`, ""] : []),
    ...passages(delivered, options),
    ...(open.length === 0 ? [] : [adviceOn(open, links.suture), ""]),
    ...folded(
      `${possible.length} to look at`,
      possible.map((finding) => findingLine(finding, links)),
      aside,
    ),
    ...folded(
      "Not looked at",
      report.unknown.map(({ path, why }) => `- ${code(path)} ${prose(why)}`),
      aside,
    ),
  ];
}

const mostPages = 10;

/** The passages by cause: the line of code, the present text, and the new text. */
function passages(delivered: DeliveredFixes, { open, limits, links }: DetailOptions): string[] {
  const budget = new CommentBudget(limits);
  const lines = groupByCause(open).flatMap(({ findings, title }) => {
    const cause = { findings, links, ...shownEdits(delivered) };
    const body = causeBody(cause, budget);
    if (body.length === 0 || open.length === 1) return body;
    const summary = `<details><summary>${prose(title.slice(0, 600))}</summary>`;
    return [summary, "", ...body, "</details>", ""];
  });
  const left = open.length - budget.shown;
  return left === 0 ? lines : [...lines, `… and ${left} more; \`suture check\` shows all of them.`, ""];
}

function shownEdits({ suggested, request }: DeliveredFixes): Pick<CommentCause, "showsEdit" | "remark"> {
  const isSuggested = ({ id }: ReportedFinding): boolean => suggested?.has(id) ?? false;
  return {
    showsEdit: (finding) => request === undefined && finding.edits.length > 0 && !isSuggested(finding),
    remark: (finding) => (isSuggested(finding) ? "suggested beside the line" : null),
  };
}

function causeBody(cause: CommentCause, budget: CommentBudget): string[] {
  const head = [causeSentence(cause), "", ...proofBlock(cause)];
  const headText = head.join("\n");
  if (!budget.takeText(headText)) return [];
  const shown: string[] = [];
  for (const finding of cause.findings) {
    const text = budget.takePassage([passageText(finding, cause), passageLine(finding, cause.links)]);
    if (text === null) break;
    shown.push(text);
  }
  return shown.length === 0 ? [] : [...head, shown.join("\n").trimEnd(), ""];
}

/** The most passages and the most characters of a comment. */
class CommentBudget {
  shown = 0;
  readonly #limits: CommentLimits;
  #used = 0;

  constructor(limits: CommentLimits) {
    this.#limits = limits;
  }

  takeText(text: string): boolean {
    if (this.shown >= this.#limits.most || this.#used + text.length > this.#limits.length) return false;
    this.#used += text.length;
    return true;
  }

  /** The first form of a passage for which there is room. */
  takePassage(forms: readonly string[]): string | null {
    const fitting = forms.find((form) => this.takeText(form)) ?? null;
    if (fitting !== null) this.shown++;
    return fitting;
  }
}

/** What a person can do about the findings that are left. */
function adviceOn(open: readonly ReportedFinding[], suture = "suture"): string {
  const [all, fixable] = [open.length, open.filter(({ edits }) => edits.length > 0).length];
  const which = fixable < all ? `${fixable} of these ${all}` : all === 1 ? "it" : `all ${all}`;
  const rest = all - fixable;
  const person = rest === 0 ? "" : `; ${rest} ${rest === 1 ? "needs" : "need"} a person`;
  const fix =
    fixable === 0
      ? `No rule can fix ${all === 1 ? "it" : "them"}; a person has to.`
      : `\`${suture} fix\` can fix ${which}${person}.`;
  return `${fix} If a passage is right as it is: mark it with a comment \`suture-ignore\`, or run \`${suture} dismiss ID --reason TEXT\`.`;
}

/** Items under a title that unfolds. Items beyond the limits are counted. */
function folded(title: string, items: readonly string[], limits: CommentLimits): string[] {
  if (items.length === 0) return [];
  const shown = takeFitting(items, limits);
  const left = items.length - shown.length;
  const more = left > 0 ? [`- … and ${left} more; \`suture check\` shows all of them`] : [];
  return [`<details><summary>${title}</summary>`, "", ...shown, ...more, "", "</details>", ""];
}

function takeFitting(items: readonly string[], { most, length }: CommentLimits): string[] {
  const shown: string[] = [];
  let used = 0;
  for (const text of items.slice(0, most)) {
    if (used + text.length > length) break;
    used += text.length;
    shown.push(text);
  }
  return shown;
}

const mostSeen = 200;
const seenPattern = /^<!-- suture:seen ([0-9a-f ]*) -->$/m;

function seenLine(seen: ReadonlySet<string>): string {
  return `<!-- suture:seen ${[...seen].slice(0, mostSeen).join(" ")} -->`;
}

function seenIn(body: string | null): string[] {
  return (
    seenPattern
      .exec(body ?? "")?.[1]
      ?.split(" ")
      .filter(Boolean) ?? []
  );
}

/** Enough of an id to identify a finding within one pull request. */
function shortId({ id }: ReportedFinding): string {
  return /[0-9a-f]+$/.exec(id)?.[0].slice(0, 8) ?? "";
}

export function writeSuggestion(findings: readonly ReportedFinding[], text: string): string {
  const why = findings.map(({ message, tier }) => `${prose(message)} (${tier})`);
  return [...why, "", block(text, "suggestion")].join("\n");
}

/** The message contains no text of the repository, so it cannot close an issue or mention a person. */
export function commitMessage(made: FixedPages): string {
  const count = plural(made.fixed.length, "passage");
  return `docs: keep ${count} true to the code\n\n${editorsOf(made)}\n\n${commitTrailer}\n`;
}

/** Who made the edits. The model has no name here: some names contain `@`, which mentions a person. */
function editorsOf(made: FixedPages): string {
  const pages = plural(made.pages.length, "page");
  const { rules, model } = countEditors(made);
  if (model === 0) return `${pages} edited by rule; \`suture verify\` derives the edits again.`;
  const byRule =
    rules === 0
      ? ""
      : ` Rules fixed ${plural(rules, "passage")}; \`suture verify\` derives these edits again.`;
  return `${pages} edited.${byRule} A model rewrote ${plural(model, "passage")}.`;
}

/** How many passages rules fixed, and how many a model rewrote. */
function countEditors({ fixed, byModel }: FixedPages): { readonly rules: number; readonly model: number } {
  const model = fixed.filter(({ id }) => byModel?.fixed.has(id)).length;
  return { rules: fixed.length - model, model };
}

/** `{passages}` and `{pages}` of a project's own title become counts. */
export function requestTitle(
  { fixed, pages }: FixedPages,
  title = "docs: keep {passages} true to the code",
): string {
  return title
    .replaceAll("{passages}", () => plural(fixed.length, "passage"))
    .replaceAll("{pages}", () => plural(pages.length, "page"));
}

export function requestBody(
  made: FixedPages,
  { about: changed, takesCommands }: { readonly about: readonly string[]; readonly takesCommands: boolean },
): string {
  const { fixed, byModel } = made;
  const about = ({ tier, id }: ReportedFinding): string =>
    [
      tier,
      ...(byModel?.fixed.has(id) ? ["rewritten by the model"] : []),
      ...(takesCommands ? [code(id)] : []),
    ].join(", ");
  const items = fixed.map((finding) => `${findingLine(finding)} (${about(finding)})`);
  const shown = takeFitting(items, { most: 200, length: 40_000 });
  const more = fixed.length > shown.length ? [`- … and ${fixed.length - shown.length} more`] : [];
  return [
    `The code of ${changed.map(code).join(", ")} has changed, and these passages have not. ${requestEditors(made)}`,
    "",
    ...shown,
    ...more,
    "",
    "Each run updates this pull request, and closes it when there is nothing left to fix.",
    ...(takesCommands ? [dismissAdvice] : []),
  ].join("\n");
}

function requestEditors(made: FixedPages): string {
  const { rules, model } = countEditors(made);
  if (made.byModel === undefined || model === 0) return "A rule made each edit.";
  const byRule = rules === 0 ? "" : `Rules fixed ${plural(rules, "passage")}. `;
  return `${byRule}The model ${code(made.byModel.model)} rewrote ${plural(model, "passage")}, marked below.`;
}

const dismissAdvice =
  "If a passage is right as it is, comment `/suture dismiss ID` with its id, or `/suture dismiss all`. Close the pull request to decline all of it.";

export const ciWords = {
  noRepository: "this folder is in no git repository",
  noToken: (variable: string | undefined): string =>
    `${variable} is not set, so Suture cannot use the API of the code host`,
  docsElsewhere:
    "no remote of the documents' clone is on this host, so it is not known where to open a pull request; name it with --docs-repository OWNER/NAME",
  docsModes: "with --docs, the mode is check or pull-request",
  docsNoArtefact: "--docs and --artefact exclude each other",
  docsNoModel: "--docs and --model exclude each other",
  eventNotJson: "the event file is not JSON",
  ownCommit: "Suture made this commit, so it is checked and not edited again.",
  fork: "This pull request comes from a fork, so this job only reports. docs/ci.md shows how to publish from a second job.",
  artefactWithoutRequest: "--artefact works only for pull requests, and this event is not one",
  publishNeedsFolder: "publish needs the folder of the artifact: suture ci publish DIR",
  publishNeverCommits: "publish does not commit to the branch of a pull request",
  published: (number: number, summary: string): string => `Published on #${number}: ${summary}`,
  notPublished: (why: string | undefined): string => `Nothing is published: ${why}.`,
};
