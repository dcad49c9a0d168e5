import { loosest } from "../text/match/hunks/place-hunks.ts";
import { defined } from "../text/model/defined.ts";
import type { Edit } from "../text/model/edit.ts";
import type { Change, Landing, Plan } from "../text/model/plan.ts";
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
  const warned = warnings(applied);
  const summary = [
    ...notWrittenLine(applied),
    ...lead,
    ...(remaining > 0
      ? [`${plural(remaining, "more occurrence")} of the old text ${remaining === 1 ? "remains" : "remain"}.`]
      : []),
    ...fitText(landings),
    ...notes.map(noteText),
    ...(applied.entry?.notices ?? []).map(noticeText),
    ...warned.map((warning) => `Warning: ${warning}`),
  ].join("\n");
  const shown =
    change?.after != null && regions.length > 0
      ? [excerpt(after, regions, { anchored: applied.anchored.has(path) })]
      : [];
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
    ...defined({
      notes: notes.length > 0 ? notes : undefined,
      warnings: warned.length > 0 ? warned : undefined,
    }),
    ...entryOf(applied),
    ...backupOf(applied, path),
    ...lineCounts(change),
    diff: applied.diff,
  };
}

/** The answer of a tool that changed, or would change, any number of files. */
export function reportEdits(tool: string, applied: Applied, format?: string): Result {
  const { plan, entry } = applied;
  const from = new Set(plan.changes.flatMap((change) => change.from ?? []));
  const shown = plan.changes.filter(({ path, after }) => after !== null || !from.has(path));
  const notes = plan.landings.flatMap((landing) => landing.notes);
  const warned = warnings(applied);
  const summary = [
    ...notWrittenLine(applied),
    ...(entry
      ? [
          `✓ Applied ${countText(plan.edits)} to ${plural(shown.length, "file")}${format ? ` (${format})` : ""}`,
        ]
      : []),
    ...shown.map((change) => `${nameOf(change, plan)}${placesIn(change, applied)}`),
    ...fitText(plan.landings),
    ...notes.map(noteText),
    ...(entry?.notices ?? []).map(noticeText),
    ...warned.map((warning) => `Warning: ${warning}`),
  ].join("\n");
  const paths = plan.changes.map(({ path }) => path);
  return {
    success: true,
    output: [summary, ...excerptsOf(shown, applied)].join(excerptSeparator).toWellFormed(),
    tool,
    ...defined({ format }),
    paths,
    versions: Object.fromEntries(
      paths.flatMap((path) => Object.values(versionOf(applied, path)).map((version) => [path, version])),
    ),
    ...fitOf(plan.landings),
    ...defined({
      notes: notes.length > 0 ? notes : undefined,
      warnings: warned.length > 0 ? warned : undefined,
    }),
    ...entryOf(applied),
    diff: applied.diff,
  };
}

/** Hunks are counted one by one. A move that other edits of the call go with is no edit of its own. */
function countText(edits: readonly Edit[]): string {
  const hunks = edits.reduce((sum, { target }) => sum + ("hunks" in target ? target.hunks.length : 0), 0);
  const others = edits.filter(({ target }) => !("hunks" in target)).length;
  const parts = [
    ...(hunks > 0 ? [plural(hunks, "hunk")] : []),
    ...(others > 0 ? [plural(others, "edit")] : []),
  ];
  return parts.join(" and ");
}

/** The letter that git has for a change, and its path or paths. */
function nameOf({ path, from, before, after }: Change, { changes }: Plan): string {
  if (after === null) return `D ${path}`;
  if (from === undefined) return `${before.text === null ? "A" : "M"} ${path}`;
  const isMove = changes.some((other) => other.path === from && other.after === null);
  return `${isMove ? "R" : "C"} ${from} → ${path}`;
}

function placesIn({ path, after }: Change, applied: Applied): string {
  const regions = regionsIn(applied, path);
  if (after === null || regions.length === 0) return "";
  const lines = lineRegions(after, regions.slice(0, placesShown)).map(({ startLine }) => startLine);
  return ` (line${lines.length === 1 ? "" : "s"} ${lines.join(", ")}${regions.length > placesShown ? ", …" : ""})`;
}

const placesShown = 8;
const filesShown = 8;

/** The changed lines of each file, under its name where there are several. */
function excerptsOf(changes: readonly Change[], applied: Applied): string[] {
  const edited = changes.filter(({ path, after }) => after !== null && regionsIn(applied, path).length > 0);
  const more = edited.length > filesShown ? [`… ${edited.length - filesShown} more files …`] : [];
  const each = edited.slice(0, filesShown).map(({ path, after }) => {
    const anchored = applied.anchored.has(path);
    const lines = excerpt(after ?? "", regionsIn(applied, path), { anchored });
    return edited.length === 1 ? lines : `${path}:\n${lines}`;
  });
  return [...each, ...more];
}

const excerptSeparator = "\n\n";

/** The output for a person: the summary with the figures that a model has no use for, and the excerpt. */
export function outputForPerson(result: Result): { readonly summary: string; readonly excerpt: string } {
  const end = result.output.indexOf(excerptSeparator);
  const summary = end < 0 ? result.output : result.output.slice(0, end);
  const { lineCounts: lines, backup } = result;
  const more = [
    ...(lines ? [`Lines: ${lines.before} → ${lines.after}`] : []),
    ...(backup === undefined ? [] : [`Backup: ${backup}`]),
  ];
  return { summary: [summary, ...more].join("\n"), excerpt: end < 0 ? "" : result.output.slice(end) };
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
  return { entry: applied.entry.id, ...defined({ replayed: replayed || undefined }) };
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
function versionOf(applied: Applied, path: string): { version?: string } {
  const snapshot = applied.preview ? applied.snapshots.get(path) : undefined;
  if (snapshot?.text != null) return { version: snapshot.version };
  const after = applied.entry?.files.find((file) => file.path === path)?.after;
  return after == null ? {} : { version: after.version };
}

function lineCounts(change: Change | undefined): Partial<Result> {
  if (!change || change.after === null) return {};
  return { lineCounts: { before: countLines(change.before.text ?? ""), after: countLines(change.after) } };
}

/** Where the previous bytes can be read by hand; a file that was not there has none. */
function backupOf(applied: Applied, path: string): { backup?: string } {
  const backup = applied.entry?.files.find((file) => file.path === path)?.backup;
  return backup === undefined ? {} : { backup };
}

/** The loosest match among the edits. */
function fitOf(landings: readonly Landing[]): Partial<Result> {
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
