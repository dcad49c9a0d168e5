import type { Hunk, HunkLine } from "../../model/hunk.ts";
import { layLines } from "../layout.ts";
import { type LineIndex, type LineTable, lineKey, textAt } from "../line-table.ts";
import { hasWord } from "../line-words.ts";

/** A hunk rewritten to match the text exactly, and its place. */
export type RelaxedHunk = {
  readonly hunk: Hunk;
  readonly line: number;
  readonly fit: "white-space" | "context";
  /** How many lines of context above were left out. */
  readonly dropped: number;
};

/** Several places that match equally well. */
export type SeveralPlaces = { readonly several: readonly number[] };

/**
 * Looks for a hunk whose old side matches nowhere: first with other white space, then without up to two outer lines of
 * context on either side. A step counts only if it leads to one place in the whole text.
 */
export function relaxHunk(
  table: LineTable,
  index: LineIndex,
  hunk: Hunk,
): RelaxedHunk | SeveralPlaces | null {
  if (hunk.whole || !hunk.lines.some(({ kind }) => kind !== "added")) return null;
  return relaxWhiteSpace(table, index, hunk) ?? dropContext(table, index, hunk);
}

function relaxWhiteSpace(table: LineTable, index: LineIndex, hunk: Hunk): RelaxedHunk | SeveralPlaces | null {
  const old = hunk.lines.filter(({ kind }) => kind !== "added").map(({ text }) => lineKey(text));
  if (!old.some(hasWord)) return null;
  const places = (index.candidates(old, "trimmed") ?? []).filter((line) => standsTrimmed(table, old, line));
  if (places.length > 1) return { several: places };
  const [line] = places;
  if (line === undefined) return null;
  const [shifted, marked] = [layHunk(table, hunk, line), regainSpaces(table, hunk, line)];
  // Context that is one space short can have lost its mark or be indented otherwise. Added lines tell which, if any.
  if (shifted && marked && !areSame(shifted, marked)) return null;
  const laid = shifted ?? marked;
  return laid && { hunk: laid, line, fit: "white-space", dropped: 0 };
}

/** The hunk with the file's own context, where context lines lack no more than the space that marks them. */
function regainSpaces(table: LineTable, hunk: Hunk, line: number): Hunk | null {
  let at = line;
  const lines: HunkLine[] = [];
  for (const each of hunk.lines) {
    const key = lineKey(each.text);
    const own = each.kind === "added" ? key : textAt(table, at++);
    if (own !== key && !(each.kind === "context" && own === ` ${key}`)) return null;
    lines.push(own === key ? each : { ...each, text: own });
  }
  return { ...hunk, lines };
}

function areSame(a: Hunk, b: Hunk): boolean {
  return a.lines.every(({ text }, i) => lineKey(text) === lineKey(b.lines[i]!.text));
}

function standsTrimmed(table: LineTable, keys: readonly string[], line: number): boolean {
  if (line + keys.length > table.count) return false;
  return keys.every((key, i) => textAt(table, line + i).trim() === key.trim());
}

/** The hunk with the file's own lines on its old side, and new lines that are indented like them. */
function layHunk(table: LineTable, hunk: Hunk, line: number): Hunk | null {
  const asked = hunk.lines.filter(({ kind }) => kind !== "removed").map(({ text }) => lineKey(text));
  const quoted = hunk.lines.filter(({ kind }) => kind !== "added").map(({ text }) => lineKey(text));
  const own = quoted.map((_, i) => textAt(table, line + i));
  const laid = layLines({ quoted, own, asked });
  if (!laid) return null;
  let [old, now] = [0, 0];
  const lines = hunk.lines.map((each): HunkLine => {
    const isAdded = each.kind === "added";
    const text = isAdded ? laid.lines[now]! : own[old]!;
    if (!isAdded) old++;
    if (each.kind !== "removed") now++;
    return { ...each, text };
  });
  return { ...hunk, lines };
}

const mostDropped = 2;
const fewestLeft = 2;

/** Drops as few lines as possible. Two ways to drop the same number of lines must lead to the same place. */
function dropContext(table: LineTable, index: LineIndex, hunk: Hunk): RelaxedHunk | SeveralPlaces | null {
  const above = Math.min(mostDropped, contextAbove(hunk.lines));
  const below = Math.min(mostDropped, contextAbove(hunk.lines.toReversed()));
  for (let sum = 1; sum <= above + below; sum++) {
    const found = new Map<number, RelaxedHunk>();
    for (let top = Math.max(0, sum - below); top <= Math.min(above, sum); top++) {
      const placed = placeWithout(table, index, { hunk, top, bottom: sum - top });
      if (placed === null) continue;
      if ("several" in placed) return placed;
      found.set(placed.line - top, placed);
    }
    if (found.size > 1) return { several: [...found.values()].map(({ line }) => line) };
    for (const placed of found.values()) return placed;
  }
  return null;
}

type Cut = { readonly hunk: Hunk; readonly top: number; readonly bottom: number };

function placeWithout(
  table: LineTable,
  index: LineIndex,
  { hunk, top, bottom }: Cut,
): RelaxedHunk | SeveralPlaces | null {
  const lines = hunk.lines.slice(top, hunk.lines.length - bottom);
  const keys = lines.filter(({ kind }) => kind !== "added").map(({ text }) => lineKey(text));
  if (keys.length < fewestLeft || !keys.some(hasWord) || floats(lines, { top, bottom })) return null;
  const candidates = index.candidates(keys, "exact");
  const places = (candidates ?? []).filter((line) => table.hasLines(keys, line));
  if (places.length > 1) return { several: places };
  const [line] = places;
  if (line === undefined) return null;
  return { hunk: { ...hunk, lines }, line, fit: "context", dropped: top };
}

/** Whether added lines at the edge of a hunk have lost the context beside them. */
function floats(lines: readonly HunkLine[], { top, bottom }: Omit<Cut, "hunk">): boolean {
  const isBare = (run: readonly HunkLine[]): boolean => {
    const next = run.find(({ kind }) => kind !== "added");
    return run[0]?.kind === "added" && next?.kind !== "removed";
  };
  return (top > 0 && isBare(lines)) || (bottom > 0 && isBare(lines.toReversed()));
}

function contextAbove(lines: readonly HunkLine[]): number {
  const first = lines.findIndex(({ kind }) => kind !== "context");
  return first < 0 ? 0 : first;
}
