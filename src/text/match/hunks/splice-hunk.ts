import type { Hunk, HunkLine } from "../../model/hunk.ts";
import type { Ending } from "../../model/lines.ts";
import type { Splice } from "../../model/splice.ts";
import { type LineTable, lineKey } from "../line-table.ts";

/**
 * The splices of a hunk at the line it was placed on: one splice for each run of changed lines, never one of context.
 * `spelled` tells whether the patch states line endings at all; it is asked only where the lines do not show it.
 */
export function spliceHunk(table: LineTable, hunk: Hunk, line: number, spelled: () => boolean): Splice[] {
  const literal = endingsAgree(table, hunk, line) ?? spelled();
  return changedRuns(hunk, line).map((run) => spliceRun(table, run, { literal, hunk }));
}

/** Neighbouring removed and added lines, and the line of the text where they begin. */
type ChangedRun = {
  readonly line: number;
  /** The number of removed lines, and the text of the first. */
  readonly removed: number;
  readonly key: string | undefined;
  readonly added: readonly HunkLine[];
};

function changedRuns({ lines }: Hunk, line: number): ChangedRun[] {
  const runs: ChangedRun[] = [];
  let at = line;
  for (let first = 0; first < lines.length; first++) {
    if (lines[first]!.kind === "context") {
      at++;
      continue;
    }
    let end = first + 1;
    while (end < lines.length && lines[end]!.kind !== "context") end++;
    const run = runOf(lines.slice(first, end), at);
    runs.push(run);
    at += run.removed;
    first = end - 1;
  }
  return runs;
}

function runOf(changed: readonly HunkLine[], line: number): ChangedRun {
  const added = changed.filter(({ kind }) => kind === "added");
  const key = changed.find(({ kind }) => kind === "removed")?.text;
  return { line, removed: changed.length - added.length, key, added };
}

/** Whether the old lines match down to their endings, so that the new ones can be taken as they are. */
function endingsAgree(table: LineTable, hunk: Hunk, line: number): boolean | undefined {
  let agree: boolean | undefined;
  let at = line;
  for (const { kind, text } of hunk.lines) {
    if (kind === "added") continue;
    const ending = table.returns || at === table.count - 1 ? table.ending(at) : table.feed;
    at++;
    if (ending === "") continue;
    if ((ending === "\r\n") !== text.endsWith("\r") || ending === "\r") return false;
    agree = true;
  }
  return agree;
}

/** Whether the text ends with a newline afterwards: as the markers say, and as it was where they say nothing. */
function finalNewline(table: LineTable, { lines }: Hunk): boolean {
  if (lines.findLast(({ kind }) => kind !== "removed")?.noNewline) return false;
  if (lines.findLast(({ kind }) => kind !== "added")?.noNewline) return true;
  return table.count === 0 || table.ending(table.count - 1) !== "";
}

type SpliceOptions = { readonly literal: boolean; readonly hunk: Hunk };

function spliceRun(table: LineTable, run: ChangedRun, { literal, hunk }: SpliceOptions): Splice {
  const { line, removed, key, added } = run;
  const { text, feed } = table;
  const last = line + removed === table.count;
  const start = table.start(line, key);
  const end = last ? text.length : table.start(line + removed);
  const ended = added.map((each, i) =>
    literal ? each.text + feed : lineKey(each.text) + endingFor(table, run, i),
  );
  if (!last) return { region: { start, end }, text: ended.join("") };
  // Behind the last line: keep, give or take the final newline.
  const glue =
    removed === 0 && table.count > 0 && table.ending(line - 1) === "" ? endingFor(table, run, 0) : "";
  if (finalNewline(table, hunk)) return { region: { start, end }, text: glue + ended.join("") };
  if (added.length === 0) return { region: { start: line > 0 ? table.end(line - 1) : start, end }, text: "" };
  // A CR without an LF is part of the line's text.
  const open = added.at(-1)!.noNewline ? added.at(-1)!.text : lineKey(added.at(-1)!.text);
  return { region: { start, end }, text: glue + ended.slice(0, -1).join("") + open };
}

/** The ending of the line that a new one replaces or follows, else of the one below. */
function endingFor(table: LineTable, { line, removed }: ChangedRun, index: number): Ending {
  const model = removed > 0 ? line + Math.min(index, removed - 1) : line - 1;
  for (const near of [model, model - 1, model + 1])
    if (near >= 0 && near < table.count) {
      const ending = table.ending(near);
      if (ending !== "") return ending;
    }
  return table.feed;
}
