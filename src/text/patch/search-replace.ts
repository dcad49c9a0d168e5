import { defined } from "../model/defined.ts";
import type { Edit } from "../model/edit.ts";
import type { Hunk, HunkLine } from "../model/hunk.ts";
import { accept, type Outcome } from "../model/outcome.ts";
import { findBlockName } from "./block-name.ts";
import { tooLong, tooMany } from "./limits.ts";
import { malformed } from "./malformed.ts";
import { splitPatch } from "./patch-lines.ts";

export type SearchReplaceOptions = {
  /** The file all blocks are for; names above them are ignored. */
  readonly path?: string;
  /** Also find lines that are laid out otherwise; without it, lines match as they are. */
  readonly fit?: "layout";
};

/**
 * The edits of SEARCH/REPLACE blocks in prose, in the dialects of several agents. A block replaces whole lines
 * that occur at one place only; an empty search fills a new or empty file. Content is taken unchanged.
 */
export function parseSearchReplace(
  text: string,
  options: SearchReplaceOptions = {},
): Outcome<readonly Edit[]> {
  const long = tooLong(text);
  if (long) return long;
  const lines = splitPatch(text, isHead);
  const edits: Edit[] = [];
  const names = new Set<string>();
  let name: string | undefined;
  let behind = 0;
  for (let at = 0; at < lines.length; at++) {
    if (isTail(lines[at]!)) return malformed("the end of a block that did not begin", at + 1);
    if (!isHead(lines[at]!)) continue;
    const block = parseBlock(lines, at);
    if (!block.ok) return block;
    name = findBlockName(lines, at, behind) ?? name;
    if (name !== undefined) names.add(name);
    const path = options.path ?? name;
    if (path === undefined) return malformed("a block without the name of its file", at + 1);
    edits.push(editOf(block.value, path, options));
    at = block.value.tail;
    behind = at + 1;
    const many = tooMany(edits.length, "edits");
    if (many) return many;
  }
  if (edits.length === 0) return malformed("no SEARCH/REPLACE block");
  if (options.path !== undefined && names.size > 1)
    return malformed(`blocks for several files, not only for ${options.path}`);
  return accept(edits);
}

/** Whether a line opens a block. */
export function isHead(line: string): boolean {
  return line.length > 9 && /^\s*(?:<{3,}|-{3,}) (?:SEARCH|ORIGINAL)>?\s*$/.test(line);
}

function isTail(line: string): boolean {
  return line.length > 9 && /^\s*(?:>{3,}|\+{3,}) (?:REPLACE|UPDATED)>?\s*$/.test(line);
}

type SearchReplaceBlock = {
  readonly head: number;
  readonly tail: number;
  readonly search: readonly string[];
  readonly replace: readonly string[];
  readonly startLine?: number;
};

function parseBlock(lines: readonly string[], head: number): Outcome<SearchReplaceBlock> {
  let tail = head + 1;
  while (tail < lines.length && !isTail(lines[tail]!) && !isHead(lines[tail]!)) tail++;
  if (tail >= lines.length || isHead(lines[tail]!)) return malformed("a block that is not closed", head + 1);
  const middle = separator(lines, head + 1, tail);
  if (typeof middle !== "number") return malformed(middle.what, head + 1);
  const hint = parseHint(lines, head + 1, middle);
  const search = lines.slice(hint.next, middle);
  const replace = lines.slice(middle + 1, tail);
  const misplaced = replace.findIndex((line) => lineHint.test(line));
  if (misplaced >= 0) return malformed("a line number in the new text", middle + misplaced + 2);
  const bare = withoutNumbers(search);
  return accept({
    head,
    tail,
    search: bare?.lines ?? search,
    replace: bare ? (withoutNumbers(replace)?.lines ?? replace) : replace,
    ...defined({ startLine: hint.line }),
  });
}

/** The one line of equal signs, of exactly seven where others look like it too. */
function separator(lines: readonly string[], from: number, end: number): number | { what: string } {
  const found: number[] = [];
  for (let at = from; at < end; at++) if (/^\s*={5,}\s*$/.test(lines[at]!)) found.push(at);
  if (found.length === 0) return { what: "a block without a line that separates old from new" };
  const seven = found.filter((at) => lines[at]!.trim().length === 7);
  if (found.length > 1 && seven.length !== 1)
    return { what: "a block with several lines that may separate old from new" };
  return seven.length === 1 ? seven[0]! : found[0]!;
}

const lineHint = /^\s*:(?:start|end)_line:\s*\d{1,9}\s*$/;

/** `:start_line:` and the like above the old text, closed by a row of dashes. */
function parseHint(lines: readonly string[], from: number, end: number): { line?: number; next: number } {
  let at = from;
  let line: number | undefined;
  for (; at < end && lineHint.test(lines[at]!); at++)
    if (lines[at]!.includes("start")) line = Number(/\d+/.exec(lines[at]!)![0]);
  if (at > from && at < end && /^-{5,}\s*$/.test(lines[at]!)) at++;
  return line === undefined || line < 1 ? { next: at } : { line, next: at };
}

/** Lines quoted with the numbers of a listing (`12 | text`), without them; null unless all count on. */
function withoutNumbers(lines: readonly string[]): { lines: string[] } | null {
  if (lines.length < 2) return null;
  const first = Number(/^\s*(\d{1,9}) \|/.exec(lines[0]!)?.[1] ?? Number.NaN);
  const bare: string[] = [];
  for (const [i, line] of lines.entries()) {
    const numbered = /^\s*(\d{1,9}) \|(?: |$)/.exec(line);
    if (!numbered || Number(numbered[1]) !== first + i) return null;
    bare.push(line.slice(numbered[0].length));
  }
  return { lines: bare };
}

function editOf(block: SearchReplaceBlock, path: string, options: SearchReplaceOptions): Edit {
  const asked = { path, reason: "", evidence: [] };
  const { search, replace } = block;
  if (options.fit === "layout" && search.length > 0)
    return { ...asked, target: { quote: joined(search), fit: "layout" }, text: joined(replace) };
  return { ...asked, target: { hunks: [hunkOf(block)] } };
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Equal lines at both ends are context, so that they are not written again. */
function hunkOf({ search, replace, startLine, head }: SearchReplaceBlock): Hunk {
  const source = head + 1;
  const shorter = Math.min(search.length, replace.length);
  let top = 0;
  while (top < shorter && search[top] === replace[top]) top++;
  let bottom = 0;
  while (bottom < shorter - top && search.at(-1 - bottom) === replace.at(-1 - bottom)) bottom++;
  const lines: HunkLine[] = [
    ...search.slice(0, top).map(as("context")),
    ...search.slice(top, search.length - bottom).map(as("removed")),
    ...replace.slice(top, replace.length - bottom).map(as("added")),
    ...search.slice(search.length - bottom).map(as("context")),
  ];
  if (search.length === 0) return { lines, line: 0, whole: true, source };
  return { lines, ...defined({ line: startLine }), source };
}

function as(kind: HunkLine["kind"]): (text: string) => HunkLine {
  return (text) => ({ kind, text });
}
