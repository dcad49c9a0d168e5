import type { CheckReport, ReportedFinding } from "../docs/check/report.ts";
import type { FixedPages } from "../docs/fix/fix-commit.ts";
import { gating, judgementText } from "./findings.ts";
import { block, code, prose, visible } from "./quoted.ts";
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
  readonly fixed?: FixedPages;
};

/**
 * The text of our comment; null if there is nothing to report and no comment yet. A short first line, the rest folded. A
 * hidden line keeps the ids of all findings that the comment ever named, so that a later run can count the fixed ones.
 */
export function writeComment(
  report: CheckReport,
  delivered: DeliveredFixes,
  now: string | null,
): string | null {
  const open = openOf(report, delivered);
  if (open.length === 0 && delivered.fixed === undefined && now === null) return null;
  const seen = new Set([...seenIn(now), ...gating(report).map(shortId)]);
  const first = `**Suture:** ${headline(report, delivered, { open, seen })}`;
  const more = details(report, delivered, { open, limits: inComment });
  return [commentMarker, seenLine(seen), first, "", ...more].join("\n").trimEnd();
}

/** People and agents read the comment each time they read the pull request, so it is short. */
const inComment = { most: 10, length: 6000 };

/** The same with more details, for the summary of the job. */
export function writeSummary(report: CheckReport, delivered: DeliveredFixes): string {
  const open = openOf(report, delivered);
  const more = details(report, delivered, { open, limits: { most: 500, length: 500_000 } });
  return `${[`### Suture: ${headline(report, delivered, { open })}`, "", ...more].join("\n")}\n`;
}

/** The findings that still fail the check. */
function openOf(report: CheckReport, { commit, fixed }: DeliveredFixes): ReportedFinding[] {
  const done = new Set(commit === undefined ? [] : fixed?.fixed);
  return gating(report).filter((finding) => !done.has(finding));
}

function headline(
  report: CheckReport,
  { commit, fixed, request }: DeliveredFixes,
  { open, seen }: { readonly open: readonly ReportedFinding[]; readonly seen?: ReadonlySet<string> },
): string {
  const parts: string[] = [];
  if (commit !== undefined && fixed && fixed.fixed.length > 0)
    parts.push(`${plural(fixed.fixed.length, "passage")} fixed in ${commit.slice(0, 12)}`);
  if (open.length > 0) parts.push(`${plural(open.length, "passage")} no longer true`);
  if (open.length > 0 && request !== undefined) parts.push(`fixed by #${request}`);
  if (parts.length === 0) parts.push("nothing left to fix");
  const gone = seen === undefined ? 0 : seen.size - new Set(gating(report).map(shortId)).size;
  if (gone > 0 && commit === undefined) parts.push(`${gone} ${gone === 1 ? "was" : "were"} fixed`);
  if (report.unknown.length > 0)
    parts.push(`${plural(report.unknown.length, "file")} could not be looked at`);
  return `${parts.join(", ")}.`;
}

/** The most items and the most characters to show. */
type Limits = { readonly most: number; readonly length: number };

function details(
  report: CheckReport,
  delivered: DeliveredFixes,
  { open, limits }: { readonly open: readonly ReportedFinding[]; readonly limits: Limits },
): string[] {
  const possible = report.findings.filter(({ tier }) => tier === "possible");
  const what = open.map((finding) => ({ full: describe(finding, delivered), brief: line(finding) }));
  const aside = { most: limits.most, length: limits.length / 8 };
  return [
    ...folded("What, and why", what, limits, ["", adviceOn(open)]),
    ...folded(`${possible.length} to look at`, possible.map(line).map(asItem), aside),
    ...folded(
      "Not looked at",
      report.unknown.map(({ path, why }) => asItem(`- ${code(path)} ${prose(why)}`)),
      aside,
    ),
  ];
}

/** What a person can do about the findings that are left. */
function adviceOn(open: readonly ReportedFinding[]): string {
  const count = open.filter(({ edits }) => edits.length > 0).length;
  const fix = count === 0 ? "" : `\`suture fix\` makes ${plural(count, "edit")}; `;
  return `${fix}\`suture dismiss ID\` says that a passage is right as it is.`;
}

type CommentItem = { readonly full: string; readonly brief: string };

function asItem(text: string): CommentItem {
  return { full: text, brief: text };
}

/** Items under a title that unfolds. Items beyond the limits are counted. */
function folded(
  title: string,
  items: readonly CommentItem[],
  limits: Limits,
  last: readonly string[] = [],
): string[] {
  if (items.length === 0) return [];
  const shown = takeFitting(items, limits);
  const left = items.length - shown.length;
  const more = left > 0 ? [`- … and ${left} more; \`suture check\` shows all of them`] : [];
  return [`<details><summary>${title}</summary>`, "", ...shown, ...more, ...last, "", "</details>", ""];
}

function takeFitting(items: readonly CommentItem[], { most, length }: Limits): string[] {
  const shown: string[] = [];
  let used = 0;
  for (const { full, brief } of items.slice(0, most)) {
    const text = used + full.length <= length ? full : brief;
    if (used + text.length > length) break;
    used += text.length;
    shown.push(text);
  }
  return shown;
}

function describe(finding: ReportedFinding, { suggested, request }: DeliveredFixes): string {
  const first = `${line(finding)} (${finding.tier}, ${code(finding.id)})`;
  if (suggested?.has(finding.id)) return `${first}: suggested beside the line.`;
  if (request !== undefined || finding.edits.length === 0) return first;
  const diff = finding.edits.flatMap(({ old_string, new_string }) => [
    ...visible(old_string)
      .split("\n")
      .map((text) => `-${text}`),
    ...(new_string === ""
      ? []
      : visible(new_string)
          .split("\n")
          .map((text) => `+${text}`)),
  ]);
  return [first, "", block(diff.join("\n"), "diff"), ""].join("\n");
}

const longestLine = 600;

function line(finding: ReportedFinding): string {
  const { path, startLine, message } = finding;
  const verdict = judgementText(finding);
  const judged = verdict === null ? "" : ` (${prose(verdict.slice(0, longestLine))})`;
  return `- ${code(`${path.slice(-longestLine)}:${startLine}`)} ${prose(message.slice(0, longestLine))}${judged}`;
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
export function commitMessage({ fixed, pages }: FixedPages): string {
  const count = plural(fixed.length, "passage");
  return `docs: keep ${count} true to the code\n\n${plural(pages.length, "page")} edited by rule; \`suture verify\` derives the edits again.\n\n${commitTrailer}\n`;
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
  { fixed }: FixedPages,
  { base, takesCommands }: { readonly base: string; readonly takesCommands: boolean },
): string {
  const about = ({ tier, id }: ReportedFinding): string => (takesCommands ? `${tier}, ${code(id)}` : tier);
  const items = fixed.map((finding) => asItem(`${line(finding)} (${about(finding)})`));
  const shown = takeFitting(items, { most: 200, length: 40_000 });
  const more = fixed.length > shown.length ? [`- … and ${fixed.length - shown.length} more`] : [];
  return [
    `The code of ${code(base)} has changed, and these passages have not. A rule made each edit.`,
    "",
    ...shown,
    ...more,
    "",
    "Each run updates this pull request, and closes it when there is nothing left to fix.",
    ...(takesCommands ? [dismissAdvice] : []),
  ].join("\n");
}

const dismissAdvice =
  "If a passage is right as it is, comment `/suture dismiss ID` with its id, or `/suture dismiss all`. Close the pull request to decline all of it.";

export const ciWords = {
  noRepository: "this folder is in no git repository",
  noToken: (variable: string | undefined): string =>
    `${variable} is not set, so Suture cannot use the API of the code host`,
  eventNotJson: "the event file is not JSON",
  ownCommit: "Suture made this commit, so it is checked and not edited again.",
  fork: "This pull request comes from a fork, so this job only reports. docs/ci.md shows how to publish from a second job.",
  artefactWithoutRequest: "--artefact works only for pull requests, and this event is not one",
  publishNeedsFolder: "publish needs the folder of the artifact: suture ci publish DIR",
  publishNeverCommits: "publish does not commit to the branch of a pull request",
  published: (number: number, summary: string): string => `Published on #${number}: ${summary}`,
  notPublished: (why: string | undefined): string => `Nothing is published: ${why}.`,
};
