import { hasWord, tokens } from "./line-words.ts";

/** An edit by lines: the lines that stay before, those removed and added, and the lines that stay behind. */
export type LineEdit = {
  readonly before: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly after: readonly string[];
};

/** The edit that turns some lines into others: equal lines at both ends stay. */
export function lineEditOf(old: readonly string[], now: readonly string[]): LineEdit {
  const shorter = Math.min(old.length, now.length);
  let top = 0;
  while (top < shorter && old[top] === now[top]) top++;
  let bottom = 0;
  while (bottom < shorter - top && old.at(-1 - bottom) === now.at(-1 - bottom)) bottom++;
  return {
    before: old.slice(0, top),
    removed: old.slice(top, old.length - bottom),
    added: now.slice(top, now.length - bottom),
    after: old.slice(old.length - bottom),
  };
}

/**
 * Whether lines show that an edit was made, given that its new side is at `place`. The new side alone is no proof: if the
 * first deleted line equals the context below, the new side is there before the edit too. So the removed lines must be
 * gone: neither they are next to the place, nor similar lines between the same context elsewhere.
 */
export function wasApplied(lines: readonly string[], edit: LineEdit, place: number): boolean {
  const { before, removed, added, after } = edit;
  if (removed.length === 0) return added.some(hasWord);
  const isClosed = before.length > 0 && after.length > 0;
  if (!added.some(hasWord) && !(isClosed && removed.some(hasWord))) return false;
  return !standsBeside(lines, edit, place) && !standsBetween(lines, edit, place);
}

/** How many lines away a removed line still counts as next to its place. */
const slack = 2;

/** Whether half of the removed lines are directly before or after the lines of the new side. */
function standsBeside(lines: readonly string[], edit: LineEdit, place: number): boolean {
  const { before, removed, added, after } = edit;
  const wanted = removed.filter(hasWord).map((line) => line.trim());
  const size = before.length + added.length + after.length;
  const reach = removed.length + slack;
  const around = [
    ...lines.slice(Math.max(0, place - reach), place),
    ...lines.slice(place + size, place + size + reach),
  ].map((line) => line.trim());
  const found = wanted.filter((line) => around.includes(line)).length;
  return wanted.length > 1 ? 2 * found >= wanted.length : found > 0;
}

/** Whether lines like the removed ones are between the same context. */
function standsBetween(lines: readonly string[], edit: LineEdit, place: number): boolean {
  const { before, removed, added, after } = edit;
  if (before.length + after.length === 0)
    return lines.some((line, i) => i !== place && isLike(line, removed[0]!));
  const size = before.length + removed.length + after.length;
  for (let at = 0; at + size <= lines.length; at++) {
    const isSamePlace = at === place && removed.length === added.length;
    if (isSamePlace || !standAt(lines, before, at)) continue;
    const from = at + before.length;
    if (standAt(lines, after, from + removed.length) && areLike(lines, removed, from)) return true;
  }
  return false;
}

function standAt(lines: readonly string[], wanted: readonly string[], at: number): boolean {
  return wanted.every((line, i) => lines[at + i] === line);
}

/** Whether at least half of the lines with words are like the lines from `from` on. */
function areLike(lines: readonly string[], wanted: readonly string[], from: number): boolean {
  const pairs = wanted
    .map((line, i) => ({ line, other: lines[from + i] ?? "" }))
    .filter(({ line }) => hasWord(line));
  return 2 * pairs.filter(({ line, other }) => isLike(line, other)).length >= Math.max(1, pairs.length);
}

/** Whether two lines differ by one token, or by at most half of them. */
function isLike(a: string, b: string): boolean {
  if (a.trim() === b.trim()) return true;
  if (a.length > 3 * b.length + shortWord || b.length > 3 * a.length + shortWord) return false;
  const [left, right] = [tokens(a), tokens(b)];
  const longest = Math.max(left.length, right.length);
  return longest - countCommon(left, right) <= Math.max(1, longest / 2);
}

const shortWord = 16;

function countCommon(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const token of left) counts.set(token, (counts.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of right) {
    const count = counts.get(token) ?? 0;
    if (count > 0) common++;
    counts.set(token, count - 1);
  }
  return common;
}
