import type { Hunk } from "../../model/hunk.ts";
import type { Ending } from "../../model/lines.ts";
import type { Splice } from "../../model/splice.ts";
import { type LineTable, lineKey } from "../line-table.ts";
import type { PlacedHunk } from "./located-hunk.ts";

/**
 * The splices of hunks at the lines they were placed on, in the order of the text: one splice for each run of changed lines,
 * never one of context. `spelled` tells whether the patch states line endings at all; it is asked only where the lines do
 * not show it.
 */
export function spliceHunks(
  table: LineTable,
  placed: readonly PlacedHunk[],
  spelled: () => boolean,
): Splice[] {
  const splices: Splice[] = [];
  for (const { hunk, line } of placed.toSorted((a, b) => a.line - b.line)) {
    const literal = endingsAgree(table, hunk, line) ?? spelled();
    const { lines } = hunk;
    let at = line;
    for (let first = 0; first < lines.length; first++) {
      if (lines[first]!.kind === "context") {
        at++;
        continue;
      }
      const run = runFrom(hunk, first, at);
      splices.push(spliceRun(table, run, literal));
      at += run.removed;
      first = run.end - 1;
    }
  }
  return splices;
}

/** Neighbouring removed and added lines of a hunk, half-open. */
type ChangedRun = {
  readonly hunk: Hunk;
  readonly first: number;
  readonly end: number;
  /** The line of the text where they begin. */
  readonly line: number;
  /** The number of removed lines, and the text of the first. */
  readonly removed: number;
  readonly key: string | undefined;
};

function runFrom(hunk: Hunk, first: number, line: number): ChangedRun {
  const { lines } = hunk;
  let end = first;
  let removed = 0;
  let key: string | undefined;
  for (; end < lines.length && lines[end]!.kind !== "context"; end++) {
    if (lines[end]!.kind === "added") continue;
    removed++;
    key ??= lines[end]!.text;
  }
  return { hunk, first, end, line, removed, key };
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

function spliceRun(table: LineTable, run: ChangedRun, literal: boolean): Splice {
  const { hunk, line, removed, key } = run;
  const { text } = table;
  const isLast = line + removed === table.count;
  const start = table.start(line, key);
  const end = isLast ? text.length : table.start(line + removed);
  if (!isLast) return { region: { start, end }, text: addedText(table, run, { literal }) };
  // Behind the last line: keep, give or take the final newline.
  const glue =
    removed === 0 && table.count > 0 && table.ending(line - 1) === "" ? endingFor(table, run, 0) : "";
  const open = !finalNewline(table, hunk);
  if (open && removed === run.end - run.first)
    return { region: { start: line > 0 ? table.end(line - 1) : start, end }, text: "" };
  return { region: { start, end }, text: glue + addedText(table, run, { literal, open }) };
}

/** The new lines with their endings; `open`: the last one gets none. */
function addedText(
  table: LineTable,
  run: ChangedRun,
  { literal, open = false }: { readonly literal: boolean; readonly open?: boolean },
): string {
  const { hunk, first, end, removed } = run;
  const last = end - first - removed - 1;
  let added = "";
  let index = 0;
  for (let at = first; at < end; at++) {
    const { kind, text, noNewline } = hunk.lines[at]!;
    if (kind !== "added") continue;
    // A CR without an LF is part of the line's text.
    if (open && index === last) return added + (noNewline ? text : lineKey(text));
    added += literal ? text + table.feed : lineKey(text) + endingFor(table, run, index);
    index++;
  }
  return added;
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
