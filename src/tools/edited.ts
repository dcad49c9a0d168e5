import { loosest } from "../text/match/hunks/place-hunks.ts";
import type { Change, Landing } from "../text/model/plan.ts";
import type { Region } from "../text/model/region.ts";
import { countLines, excerpt, fitText, lineRegions, noteText, noticeText } from "../wording/results.ts";
import { plural } from "../wording/sentences.ts";
import type { Applied } from "./apply-edits.ts";
import { warnings } from "./gates.ts";
import type { Result } from "./tool.ts";

/** The answer of a tool that changed, or would change, one file. */
export function reportOne(tool: string, path: string, applied: Applied, lead: readonly string[]): Result {
  const change = applied.plan.changes.find((candidate) => candidate.path === path);
  const landings = applied.plan.landings.filter((landing) => landing.path === path);
  const regions = landings.flatMap(({ after }) => after);
  const after = change?.after ?? "";
  const remaining = landings.reduce((sum, landing) => sum + landing.remaining, 0);
  const lines = regions.length > 0 ? lineRegions(after, regions) : [];
  const notes = landings.flatMap((landing) => landing.notes);
  const warned = warnings(applied.plan);
  const summary = [
    ...notWrittenLine(applied),
    ...lead,
    ...lineCounts(change),
    ...backupLine(applied, path),
    ...(remaining > 0
      ? [`${plural(remaining, "more occurrence")} of the old text ${remaining === 1 ? "remains" : "remain"}.`]
      : []),
    ...fitText(landings),
    ...notes.map(noteText),
    ...(applied.entry?.notices ?? []).map(noticeText),
    ...warned.map((warning) => `Warning: ${warning}`),
  ].join("\n");
  const shown = change?.after != null && regions.length > 0 ? [excerpt(after, regions)] : [];
  return {
    success: true,
    output: [summary, ...shown].join(excerptSeparator).toWellFormed(),
    tool,
    path,
    ...versionOf(applied, path),
    ...(lines[0] ? { region: span(lines), regions: lines } : {}),
    ...fitOf(landings),
    remaining,
    replacements: regions.length,
    ...(notes.length > 0 ? { notes } : {}),
    ...(warned.length > 0 ? { warnings: warned } : {}),
    ...entryOf(applied),
    ...backupOf(applied, path),
    diff: applied.diff,
  };
}

const excerptSeparator = "\n\n";

/** The output without the excerpt of the file. */
export function summaryOf({ output }: Result): string {
  return output.split(excerptSeparator, 1)[0] ?? "";
}

/** The line that says that nothing was written, if so. */
export function notWrittenLine(applied: Applied): string[] {
  if (applied.entry) return [];
  return [
    applied.preview ? "Dry run: nothing was written." : "No change: the edits leave the text as it was.",
  ];
}

/** The journal's name for what was written, or that it was only a preview. */
export function entryOf(applied: Applied): Partial<Result> {
  if (!applied.entry) return applied.preview ? { dryRun: true } : {};
  const replayed = applied.entry.notices.some(({ notice }) => notice === "replayed");
  return { entry: applied.entry.id, ...(replayed ? { replayed: true } : {}) };
}

/** Line of the first place an edit landed at, for the lead of a report. */
export function firstLine(applied: Applied, path: string): number {
  const regions = regionsIn(applied, path);
  const after = applied.plan.changes.find((change) => change.path === path)?.after ?? "";
  return regions[0] ? lineRegions(after, [regions[0]])[0]!.startLine : 1;
}

export function regionsIn(applied: Applied, path: string): readonly Region[] {
  return applied.plan.landings.filter((landing) => landing.path === path).flatMap(({ after }) => after);
}

/** The version of the file now. After a preview that is the version it was made from. */
export function versionOf(applied: Applied, path: string): { version?: string } {
  const snapshot = applied.preview ? applied.snapshots.get(path) : undefined;
  if (snapshot?.text != null) return { version: snapshot.version };
  const after = applied.entry?.files.find((file) => file.path === path)?.after;
  return after == null ? {} : { version: after.version };
}

function lineCounts(change: Change | undefined): string[] {
  if (!change || change.after === null) return [];
  return [`Lines: ${countLines(change.before.text ?? "")} → ${countLines(change.after)}`];
}

function backupLine(applied: Applied, path: string): string[] {
  const { backup } = backupOf(applied, path);
  return backup === undefined ? [] : [`Backup: ${backup}`];
}

/** Where the previous bytes can be read by hand; a file that was not there has none. */
function backupOf(applied: Applied, path: string): { backup?: string } {
  const backup = applied.entry?.files.find((file) => file.path === path)?.backup;
  return backup === undefined ? {} : { backup };
}

/** The loosest match among the edits. */
export function fitOf(landings: readonly Landing[]): Partial<Result> {
  return landings.length === 0 ? {} : { fit: loosest(landings.map(({ fit }) => fit)) };
}

function span(lines: readonly { startLine: number; endLine: number }[]) {
  let [startLine, endLine] = [Number.POSITIVE_INFINITY, 0];
  for (const line of lines) {
    startLine = Math.min(startLine, line.startLine);
    endLine = Math.max(endLine, line.endLine);
  }
  return { startLine, endLine };
}
