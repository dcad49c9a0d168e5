import { enclosingNames } from "../pages/owners.ts";
import { findGaps } from "./align.ts";
import { isProductPath, isTestPath } from "./code-path.ts";
import type { Comparison, LinePair } from "./comparison.ts";
import { fold } from "./names.ts";
import { findStrings, rolesOf } from "./roles.ts";
import type { Site } from "./substitutions.ts";
import { splitLines, tokenise } from "./tokens.ts";

/** A value that changed, and the names it belongs to. */
export type LiteralChange = {
  readonly old: string;
  readonly new: string;
  readonly shape: "string" | "number" | "word" | "list";
  /** Folded names before the value on its own line, nearest first. */
  readonly keys: readonly string[];
  /** Folded names of the declarations that enclose the line, nearest first. */
  readonly owners: readonly string[];
  /** The lines directly before and after it in the code, trimmed of white space and commas. */
  readonly around: ReadonlySet<string>;
  readonly site: Pick<Site, "path" | "old" | "new">;
};

const NEAR = 4;

/** A line, normalised so that code and pages can be compared. */
export function bareLine(text: string): string {
  return text.trim().replace(/[,;]+$/, "");
}

function linesAround(lines: readonly string[], number: number): ReadonlySet<string> {
  const near = [
    ...lines.slice(Math.max(0, number - 1 - NEAR), number - 1),
    ...lines.slice(number, number + NEAR),
  ];
  return new Set(near.map(bareLine).filter((line) => line.length > 5));
}

// A line with more literals than this is data, and its literals cannot be paired.
const MOST_STRINGS = 12;
const COMMENT = /^\s*(?:\/\/|#(?!\[)|\*|\/\*|--\s)/;
const WORD_VALUE = /^(true|false|null|nil|none|undefined|yes|no|on|off|True|False|None|Infinity)$/;

export function findLiteralChanges(comparisons: readonly Comparison[]): LiteralChange[] {
  const changes: LiteralChange[] = [];
  for (const { path, before, rewrites } of comparisons) {
    if (before === null || isTestPath(path)) continue;
    const lines = splitLines(before);
    for (const { pairs } of rewrites)
      for (const pair of pairs)
        for (const { start, ...value } of changedValues(pair)) {
          if (isRemark(pair, value) || isToolSetting(lines, pair.old.number, path)) continue;
          const keys = keysOf(pair.old.text, start, lines, pair.old.number);
          if (isSomethingElse(value, keys[0], pair) || isUnderAnotherKey(keys[0], pair)) continue;
          changes.push({
            ...value,
            keys,
            owners: enclosingNames(lines, pair.old.number, path),
            around: linesAround(lines, pair.old.number),
            site: { path, old: pair.old, new: pair.new },
          });
        }
  }
  return changes.filter(({ site }) => isProductPath(site.path) || /\.(json|toml|ya?ml)$/.test(site.path));
}

/** Whether a line of a manifest sets up a tool of the project's developers. */
function isToolSetting(lines: readonly string[], number: number, path: string): boolean {
  if (!/(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini)$/i.test(path)) return false;
  const section = lines.slice(0, number).findLast((line) => line.startsWith("["));
  return (
    section !== undefined && !/^\[+\s*(?:project|package|metadata|options|tool\.poetry)\b/i.test(section)
  );
}

/** Whether a comment only mentions the word. A comment states a value only as a default. */
function isRemark({ old }: LinePair, { old: value }: { old: string }): boolean {
  return COMMENT.test(old.text) && value.length < 12 && !/default/i.test(old.text);
}

/** A value of another kind under another name: one declaration replaced another, and no value changed. */
function isSomethingElse(
  { old, new: fresh }: { old: string; new: string },
  key: string | undefined,
  pair: LinePair,
): boolean {
  if (key === undefined || WORD_VALUE.test(old) === WORD_VALUE.test(fresh)) return false;
  return !tokenise(pair.new.text).some((token) => token.kind === "name" && foldKey(token.text) === key);
}

/** Whether the new line begins with another key: two entries were paired by mistake, and no value changed. */
function isUnderAnotherKey(key: string | undefined, pair: LinePair): boolean {
  const first = (text: string): string | undefined =>
    /^\s*(?:[-*|]\s*)?["'`]?([\p{L}_$][\p{L}\p{N}_$-]*)["'`]?\s*[:=](?!=)/u.exec(text)?.[1];
  const [was, is] = [first(pair.old.text), first(pair.new.text)];
  return key !== undefined && was !== undefined && is !== undefined && foldKey(was) !== foldKey(is);
}

type ChangedValue = { old: string; new: string; shape: LiteralChange["shape"]; start: number };

function changedValues({ old, new: fresh }: LinePair): ChangedValue[] {
  const values: ChangedValue[] = [];
  const oldStrings = findStrings(old.text);
  const newStrings = findStrings(fresh.text);
  if (oldStrings.length === newStrings.length && oldStrings.length <= MOST_STRINGS)
    oldStrings.forEach((region, index) => {
      const was = old.text.slice(region.start, region.end);
      const is = fresh.text.slice(newStrings[index]!.start, newStrings[index]!.end);
      if (was !== is && was) values.push({ old: was, new: is, shape: "string", start: region.start });
    });
  const lists = [listOf(old.text), listOf(fresh.text)] as const;
  if (lists[0] && lists[1] && lists[0].text !== lists[1].text)
    values.push({ old: lists[0].text, new: lists[1].text, shape: "list", start: lists[0].start });
  const oldTokens = tokenise(old.text);
  const newTokens = tokenise(fresh.text);
  if (oldTokens.length > 400 || newTokens.length > 400) return values;
  const gaps = findGaps(
    oldTokens.map((token) => token.text),
    newTokens.map((token) => token.text),
  );
  for (const gap of gaps) {
    if (gap.oldEnd - gap.oldStart !== 1 || gap.newEnd - gap.newStart !== 1) continue;
    const was = oldTokens[gap.oldStart]!;
    const is = newTokens[gap.newStart]!;
    if (oldStrings.some((region) => region.start <= was.start && was.end <= region.end)) continue;
    const simple = (token: { kind: string; text: string }): boolean =>
      token.kind === "number" || WORD_VALUE.test(token.text);
    if (simple(was) && simple(is))
      values.push({
        old: was.text,
        new: is.text,
        shape: was.kind === "number" ? "number" : "word",
        start: was.start,
      });
  }
  return values;
}

function listOf(text: string): { text: string; start: number } | null {
  const match = /\[([^[\]]*)\]/.exec(text);
  return match && /["'\d]/.test(match[1]!)
    ? { text: match[0].replace(/,\s*\]$/, "]"), start: match.index }
    : null;
}

/** The names that a value belongs to. A default in a comment belongs to the thing that the comment describes. */
function keysOf(text: string, start: number, lines: readonly string[], line: number): string[] {
  if (COMMENT.test(text) && /default/i.test(text.slice(0, start))) {
    let next = line;
    while (next < lines.length && next < line + 20 && (COMMENT.test(lines[next]!) || !lines[next]!.trim()))
      next++;
    const name = declared(lines[next] ?? "");
    if (name) return [name];
  }
  return keysBefore(text, start, lines, line);
}

function declared(text: string): string | undefined {
  const tokens = tokenise(text);
  const roles = rolesOf(text, tokens);
  const at = tokens.findIndex((token, index) => token.kind === "name" && roles[index] === "declared");
  return at < 0 || at > 4 ? undefined : foldKey(tokens[at]!.text);
}

/** Names left of the value. For a value alone on its line, the names that open its list. */
function keysBefore(text: string, start: number, lines: readonly string[], line: number): string[] {
  const names = (part: string): string[] =>
    tokenise(part)
      .filter((token) => token.kind === "name" && !WORD_VALUE.test(token.text))
      .map((token) => foldKey(token.text))
      .filter(Boolean)
      .reverse();
  const here = names(text.slice(0, start));
  if (here.length) return here;
  for (let i = line - 2; i >= 0 && i > line - 30; i--)
    if (/[[({]\s*$/.test(lines[i]!)) return names(lines[i]!);
    else if (/[\])}]/.test(lines[i]!)) break;
  return [];
}

function foldKey(name: string): string {
  return fold(name.replace(/^(default|DEFAULT|Default)[-_]?(?=.)/, ""));
}
