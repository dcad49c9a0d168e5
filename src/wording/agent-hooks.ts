import type { Collateral } from "../agent-hooks/witness/judge.ts";
import type { ReportedFinding, Unknown } from "../docs/check/report.ts";
import { visible } from "./quoted.ts";
import { plural } from "./sentences.ts";

/** A finding in a message to a coding agent; `tree` names its work tree if that is not the agent's own. */
export type ToldFinding = { readonly finding: ReportedFinding; readonly tree: string | null };

const mostFindings = 12;
const longestLine = 300;
/** Some clients put the message into two requests, so it is kept short. */
const longestMessage = 1500;

/**
 * What a coding agent is told at the end of its turn: the page, the line, old and new, the proof, and one command. The
 * agent's own model judges findings that are not certain.
 */
export function staleText({
  findings,
  fixed,
  command,
  base,
}: {
  readonly findings: readonly ToldFinding[];
  readonly fixed: readonly ToldFinding[];
  readonly command: string;
  readonly base: string;
}): string {
  const head = [
    ...(fixed.length > 0 ? [fixedText(fixed, command)] : []),
    `Your change ${findings.every(isCertain) ? "made" : "may have made"} ${plural(findings.length, "passage")} of the documentation false:`,
  ];
  const tail = [
    nextStep(findings, command, base),
    `If a passage is right as it is: ${command} dismiss ID --reason TEXT`,
  ];
  const rest = (count: number): string => `- and ${count} more: ${command} check --base ${short(base)}`;
  let room = longestMessage - [...head, ...tail, rest(findings.length)].join("\n").length - 1;
  const shown: string[] = [];
  for (const told of findings.slice(0, mostFindings)) {
    const line = `- ${findingLine(told)}`;
    room -= line.length + 1;
    if (room < 0 && shown.length > 0) break;
    shown.push(line);
  }
  const more = findings.length - shown.length;
  return [...head, ...shown, ...(more > 0 ? [rest(more)] : []), ...tail].join("\n");
}

function nextStep(findings: readonly ToldFinding[], command: string, base: string): string {
  const run = `${command} fix --base ${short(base)}`;
  const open = findings.filter((told) => !isCertain(told) || told.finding.edits.length === 0);
  if (open.length === 0) return `To make these edits, run: ${run}`;
  const those = open.length === findings.length ? "these" : "the other";
  const byHand = open.every(isCertain)
    ? `Edit ${those} passages so that they agree with the code, then finish.`
    : `Compare ${those} passages with the code, and edit those that are no longer true. Then finish.`;
  return open.length === findings.length ? byHand : `To make the certain edits, run: ${run}\n${byHand}`;
}

function isCertain({ finding }: ToldFinding): boolean {
  return finding.tier === "certain";
}

function findingLine({ finding, tree }: ToldFinding): string {
  const { id, path, startLine, tier, message, edits } = finding;
  const place = `${tree === null ? "" : `${tree}: `}${path}:${startLine}`;
  const [edit] = edits;
  const change = edit ? ` Edit: ${differing(edit.old_string, edit.new_string)}` : "";
  return `${clipped(`${place} (${tier}, ${id}): ${message}`, longestLine)}${change}`;
}

/** What the hook has edited itself, and the way back. */
export function fixedText(fixed: readonly ToldFinding[], command: string): string {
  const pages = [...new Set(fixed.map(({ finding: { path, startLine } }) => `${path}:${startLine}`))];
  const list = clipped(pages.slice(0, mostFindings).join(", "), longestLine);
  return `Suture fixed ${plural(fixed.length, "passage")} of the documentation: ${list}. To take it back: ${command} undo`;
}

/** Said once in a session: documents that could not be judged. It never blocks a turn. */
export function unknownText(unknown: readonly Unknown[]): string {
  const list = unknown.slice(0, 3).map(({ path, why }) => `${path} (${why})`);
  const more = unknown.length > list.length ? ` and ${unknown.length - list.length} more` : "";
  return clipped(`Suture could not judge ${list.join(", ")}${more}.`, longestLine);
}

/** Said once in a session: the check took too long. */
export function lateText(seconds: number): string {
  return `Suture did not finish within ${seconds} s, so the documentation was not checked.`;
}

/** What a tool did to a file, as the witness reports it. */
export type WitnessReport = {
  readonly path: string;
  readonly collateral: readonly Collateral[];
  readonly isUnseen: boolean;
  readonly rivals: readonly string[];
  /** The work tree that the edit landed in, where it is not the session's own. */
  readonly stray: { readonly tree: string; readonly own: string } | null;
  /** The journal's number of the edit; `null` where it could not be recorded. */
  readonly entry: string | null;
  readonly command: string;
};

/** Tells a model what its edit tool did beside what it was asked for, and the way back. */
export function witnessText(report: WitnessReport): string {
  const { path, collateral, isUnseen, rivals, stray, entry, command } = report;
  const said = [
    ...(stray ? [`it landed in the work tree ${stray.tree}, and this session works in ${stray.own}`] : []),
    ...collateral.map(collateralText),
    ...(isUnseen ? ["another program had changed the file after you read it, so read it again"] : []),
    ...rivals.map((who) => `${who} has edited this file before you in another session`),
  ];
  const root = stray ? ` --root ${JSON.stringify(stray.tree)}` : "";
  const back = entry === null ? "" : ` To take the edit back: ${command} undo ${entry}${root}`;
  return `Suture looked at your edit of ${clipped(path, 200)}: ${said.join("; ")}.${back}`;
}

function collateralText(one: Collateral): string {
  switch (one.what) {
    case "line-endings":
      return `the line endings of ${plural(one.count, "line")} that you did not edit have changed (from line ${one.line})`;
    case "byte-order-mark":
      return `the byte order mark was ${one.is}`;
    case "encoding":
      return "bytes that are not UTF-8 were destroyed";
    case "final-newline":
      return `the final newline was ${one.is}`;
    case "mode":
      return `the mode changed from ${one.before.toString(8)} to ${one.after.toString(8)}`;
    case "guessed":
      return `the text to replace was not in the file, and line ${one.line} was changed by a guess`;
    case "ambiguous":
      return `the text to replace occurs in ${one.count} places, and only the one at line ${one.line} was changed`;
    case "other-text":
      return `text that you did not edit has changed (line ${one.line})`;
  }
}

const longestQuote = 80;
const beside = 20;

/** Two texts, each cut around the place where they differ. */
function differing(old: string, now: string): string {
  const [before, after] = [oneLine(old), oneLine(now)];
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const first = Math.max(0, head - beside);
  const last = Math.max(0, tail - beside);
  const cut = (text: string): string => {
    const part = text.slice(first, text.length - last);
    const shown = part.length <= longestQuote ? part : `${part.slice(0, longestQuote - 1)}…`;
    return JSON.stringify(`${first > 0 ? "…" : ""}${shown}${last > 0 ? "…" : ""}`.toWellFormed());
  };
  return `${cut(before)} → ${cut(after)}`;
}

/** One line of text from a repository, without control characters, and no longer than `most`. */
function clipped(text: string, most: number): string {
  const line = oneLine(text);
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`;
}

function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, " ").trim();
}

function short(revision: string): string {
  return revision.slice(0, 12);
}
