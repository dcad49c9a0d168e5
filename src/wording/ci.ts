import type { CheckReport, ReportedFinding } from "../docs/check/report.ts";
import type { FixedPages } from "../docs/fix/fix-commit.ts";
import { gating } from "./findings.ts";
import { block, code, prose, visible } from "./quoted.ts";
import { plural } from "./report.ts";

/** The first line of our comment, by which it is known again. */
export const commentMarker = "<!-- suture:drift -->";

/** What commits of ours end with, by which they are known again. */
export const commitTrailer = "Suture-Made: by suture ci";

/** What the branches of our own requests begin with. */
export const branchPrefix = "suture/";

/** Whether a commit is one of ours. Ours are looked at like any other, and never answered with another one. */
export function isMadeByUs(message: string | null, branch: string | null): boolean {
  return branch?.startsWith(branchPrefix) || (message ?? "").split("\n").includes(commitTrailer);
}

/** What was done about the findings, besides saying so. */
export type Deed = {
  /** Findings whose edits stand as suggestions beside their lines. */
  readonly suggested?: ReadonlySet<string>;
  /** A commit on the branch that makes the edits of `mended`. */
  readonly commit?: string;
  /** A request that makes them. */
  readonly request?: number;
  readonly mended?: FixedPages;
};

/**
 * What our comment should say: null where there is nothing to say and never was. Short first, the rest folded; the
 * findings it has ever named stand in a hidden line, so that a clean run can say how many of them are gone.
 */
export function writeComment(report: CheckReport, deed: Deed, now: string | null): string | null {
  const open = openOf(report, deed);
  if (open.length === 0 && deed.mended === undefined && now === null) return null;
  const seen = new Set([...seenIn(now), ...gating(report).map(shortId)]);
  const first = `**Suture:** ${headline(report, deed, open, seen)}`;
  const more = details(report, deed, open, inComment);
  return [commentMarker, seenLine(seen), first, "", ...more].join("\n").trimEnd();
}

/** People and agents read the comment each time they read the pull request, so it is short. */
const inComment = { most: 10, length: 6000 };

/** The same at length, for the summary of the job. */
export function writeSummary(report: CheckReport, deed: Deed): string {
  const open = openOf(report, deed);
  const more = details(report, deed, open, { most: 500, length: 500_000 });
  return `${[`### Suture: ${headline(report, deed, open)}`, "", ...more].join("\n")}\n`;
}

function openOf(report: CheckReport, { commit, mended }: Deed): ReportedFinding[] {
  const done = new Set(commit === undefined ? [] : mended?.fixed);
  return gating(report).filter((finding) => !done.has(finding));
}

function headline(
  report: CheckReport,
  { commit, mended, request }: Deed,
  open: readonly ReportedFinding[],
  seen?: ReadonlySet<string>,
): string {
  const parts: string[] = [];
  if (commit !== undefined && mended && mended.fixed.length > 0)
    parts.push(`${plural(mended.fixed.length, "passage")} mended in ${commit.slice(0, 12)}`);
  if (open.length > 0) parts.push(`${plural(open.length, "passage")} no longer true`);
  if (open.length > 0 && request !== undefined) parts.push(`mended by #${request}`);
  if (parts.length === 0) parts.push("nothing left to mend");
  const gone = seen === undefined ? 0 : seen.size - new Set(gating(report).map(shortId)).size;
  if (gone > 0 && commit === undefined) parts.push(`${gone} ${gone === 1 ? "was" : "were"} fixed`);
  if (report.unknown.length > 0)
    parts.push(`${plural(report.unknown.length, "file")} could not be looked at`);
  return `${parts.join(", ")}.`;
}

/** How much is shown: so many items, and so many characters of them. */
type Room = { readonly most: number; readonly length: number };

function details(report: CheckReport, deed: Deed, open: readonly ReportedFinding[], room: Room): string[] {
  const possible = report.findings.filter(({ tier }) => tier === "possible");
  const what = open.map((finding) => ({ full: describe(finding, deed), brief: line(finding) }));
  const aside = { most: room.most, length: room.length / 8 };
  return [
    ...folded("What, and why", what, room, ["", adviceOn(open)]),
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

/** Items under a title that is all one sees at first; those that do not fit are counted. */
function folded(
  title: string,
  items: readonly CommentItem[],
  room: Room,
  last: readonly string[] = [],
): string[] {
  if (items.length === 0) return [];
  const shown = takeFitting(items, room);
  const left = items.length - shown.length;
  const more = left > 0 ? [`- … and ${left} more; \`suture check\` shows all of them`] : [];
  return [`<details><summary>${title}</summary>`, "", ...shown, ...more, ...last, "", "</details>", ""];
}

function takeFitting(items: readonly CommentItem[], { most, length }: Room): string[] {
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

function describe(finding: ReportedFinding, { suggested, request }: Deed): string {
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

function line({ path, startLine, message }: ReportedFinding): string {
  return `- ${code(`${path.slice(-longestLine)}:${startLine}`)} ${prose(message.slice(0, longestLine))}`;
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

/** Enough of an id to know it again in one request. */
function shortId({ id }: ReportedFinding): string {
  return /[0-9a-f]+$/.exec(id)?.[0].slice(0, 8) ?? "";
}

export function writeSuggestion(findings: readonly ReportedFinding[], text: string): string {
  const why = findings.map(({ message, tier }) => `${prose(message)} (${tier})`);
  return [...why, "", block(text, "suggestion")].join("\n");
}

/** No word of it comes from the repository, so that it cannot close an issue or mention a person. */
export function commitMessage({ fixed, pages }: FixedPages): string {
  const count = plural(fixed.length, "passage");
  return `docs: keep ${count} true to the code\n\n${plural(pages.length, "page")} edited by rule; \`suture verify\` derives the edits again.\n\n${commitTrailer}\n`;
}

export function requestTitle({ fixed }: FixedPages): string {
  return `docs: keep ${plural(fixed.length, "passage")} true to the code`;
}

export function requestBody({ fixed }: FixedPages, base: string): string {
  const items = fixed.map((finding) => asItem(`${line(finding)} (${finding.tier})`));
  const shown = takeFitting(items, { most: 200, length: 40_000 });
  const more = fixed.length > shown.length ? [`- … and ${fixed.length - shown.length} more`] : [];
  return [
    `The code of ${code(base)} has changed, and these passages have not. Every edit is made by rule.`,
    "",
    ...shown,
    ...more,
    "",
    "This request is brought up to date by each run and closed when there is nothing left to mend.",
  ].join("\n");
}

export const ciWords = {
  noRepository: "this folder is in no git repository",
  noToken: (variable: string | undefined): string =>
    `${variable} is not set, so the code host cannot be asked`,
  eventNotJson: "the event file is not JSON",
  ownCommit: "This is a commit of Suture's own; it is only looked at.",
  fork: "This request comes from a fork: it is only reported on. docs/ci.md shows how to do more.",
  artefactWithoutRequest: "--artefact is for pull requests, and this event is none",
  publishNeedsFolder: "publish needs the folder of the artifact",
  publishNeverCommits: "publish never commits to a branch that it does not own",
  published: (number: number, summary: string): string => `Published on #${number}: ${summary}`,
  notPublished: (why: string | undefined): string => `Nothing is published: ${why}.`,
};
