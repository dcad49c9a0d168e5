import type { CheckReport, ReportedFinding } from "../docs/check/report.ts";
import type { ReportedClaim } from "../docs/claims/report.ts";
import type { Evidence } from "../text/model/edit.ts";
import { claimSentence } from "./claims.ts";
import { summaryOf } from "./findings.ts";
import { plural } from "./sentences.ts";

/* Sentences that the language server shows in editors. */

export const editorText = {
  checking: "Suture checks the documents",
  rules: (done: number, total: number): string => `${done} of ${total} rules`,
  fixOne: (message: string): string => `Fix: ${message.replace(/ \([^()]*\)\.$|\.$/, "")}`,
  fixCause: (count: number, pages: number): string =>
    `Fix all ${plural(count, "passage")} with this cause in ${plural(pages, "page")}`,
  fixFile: (count: number): string =>
    `Fix ${plural(count, "passage")} of this page that a rule is certain of`,
  dismiss: "Dismiss: this passage is right as it is",
  whyDismissed: "Why is this passage right as it is?",
  reasons: ["It is an example", "It describes an older version", "The finding is wrong"],
  fixLabel: "Suture: fix the documents",
  saveFirst: (path: string): string => `Save ${path} first: it has changes that a dismissal would lose.`,
  named: (count: number): string =>
    `${plural(count, "passage")} of the documents ${count === 1 ? "names" : "name"} what this line changed.`,
  notLooked: (why: string): string => `Suture could not look at this page: ${why}.`,
  nothingToFix: "There is no passage that a rule is certain of.",
  notApplied: "The editor did not apply the edits, because a page has changed since. Try again.",
  noRepository: (uri: string): string =>
    `${uri} is in no git repository with a work tree on this machine, so there is no change to check.`,
  base: (base: string | null): string =>
    base === null ? "Compared with what `suture check` finds." : `Compared with ${base}.`,
  failed: (detail: string): string => `Suture could not check: ${detail}`,
};

/** What a status bar shows of a check. */
export function statusText(report: CheckReport): string {
  return summaryOf(report);
}

const tierText = {
  certain: "Certain: the code proves it.",
  likely: "Likely: look at it before you accept an edit.",
  possible: "Possible: the code alone does not decide it.",
} as const;

/** A finding for a hover: the reason, the lines of code that prove it, and the edit. Markdown. */
export function hoverText(finding: ReportedFinding, rule: string | undefined): string {
  const { message, tier, kind, evidence, edits } = finding;
  return [
    message,
    `${tierText[tier]} Rule \`${kind}\`${rule === undefined ? "." : `: ${rule}`}`,
    ...evidence.slice(0, 3).map(evidenceText),
    ...(edits.length === 0
      ? []
      : [`The edit:\n\n${fence(edits.flatMap((edit) => diffLines(edit.old_string, edit.new_string)))}`]),
  ].join("\n\n");
}

/** A claim for a hover: what it says, whether it is so, and the line that declares what it is about. Markdown. */
export function claimText(claim: ReportedClaim, declaration: string | null): string {
  const { thing } = claim;
  const place = thing ? [`\`${thing.path}:${thing.line}\``] : [];
  return [
    claimSentence(claim),
    ...place,
    ...(declaration === null || declaration === "" ? [] : [fence([declaration], "")]),
  ].join("\n\n");
}

function evidenceText({ path, startLine, before, after }: Evidence): string {
  const lines = [
    ...(before === undefined ? [] : [`-${before}`]),
    ...(after === undefined ? [] : [`+${after}`]),
  ];
  return `\`${path}:${startLine}\`\n\n${fence(lines)}`;
}

/** The lines of a quotation that differ, as a diff shows them. */
function diffLines(before: string, after: string): string[] {
  const [old, fresh] = [before.split(/\r\n|\n|\r/), after.split(/\r\n|\n|\r/)];
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail))
    tail++;
  return [
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
  ];
}

/** A fence that is longer than any run of backticks in its lines. */
function fence(lines: readonly string[], language = "diff"): string {
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)),
  );
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${lines.join("\n")}\n${mark}`;
}
