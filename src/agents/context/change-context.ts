import { isProductPath, isTestPath } from "../../drift/change/code-path.ts";
import { isDocumentPath } from "../../drift/pages/policies.ts";
import { isToolOutputPath } from "../../syntax/file-kinds.ts";
import { outlineSource } from "../../syntax/source/source.ts";
import { cutHunks, type FilePatch } from "./diff-excerpt.ts";

/** The change behind a report, as far as a question about a page needs it. */
export type ChangeSource = {
  /** Subjects and bodies of the commits, oldest first. */
  readonly messages: readonly string[];
  readonly files: readonly FilePatch[];
  /** A file as it is now; `null` where it is gone or no text. */
  read(path: string): Promise<string | null>;
};

/** The code that a question is about: names, and places in changed files. */
export type CodeQuestion = {
  readonly names: readonly string[];
  /** Names that the section holds as code. Hunks that change them come after all others. */
  readonly near?: readonly string[];
  readonly places: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    /** The lines are those of the old file: other code stands there now. */
    readonly isGone?: boolean | undefined;
  }[];
};

export type ChangeParts = { readonly label: string; readonly text: string }[];

const longestMessage = 1200;
const messagesLength = 2000;
/** Lines by which a message names the people of a commit: they say nothing about the code. */
const people = /^[ \t]*[A-Z][a-z]+(?:-[a-z]+)+: [^<>\n]*<[^<>\s]+@[^<>\s]+>[ \t]*(?:\n|$)/gim;
const longestHunk = 1600;
const longestDeclaration = 900;
const weakHunks = 3;

/** What the commits say of themselves, within a budget; the newest are kept. */
export function describeCommits(messages: readonly string[]): string {
  const shown: string[] = [];
  let left = messagesLength;
  for (const message of messages.toReversed()) {
    const text = cutText(withoutRepeats(withoutForms(message)), longestMessage);
    if (text.length > left) break;
    shown.unshift(text);
    left -= text.length;
  }
  const missing = messages.length - shown.length;
  return [...(missing > 0 ? [`(${missing} earlier commits not shown)`] : []), ...shown].join("\n\n---\n\n");
}

const comment = /<!--[\s\S]*?(?:-->|$)/g;
const checkBox = /^[ \t]*[-*+] \[[ xX]\].*(?:\n|$)/gm;
const testReport =
  /^#{1,6}[ \t]*(?:test(?:s|ing)?(?: plan| strategy)?|how (?:has|was) (?:this|it) (?:been )?tested\??|check ?list)[ \t]*\n(?:(?!#).*(?:\n|$))*/gim;
const emptyPart = /^#{1,6}[^\n]*\n+(?!\n)(?=#{1,6}[ \t]|[^\S\n]*$(?![\s\S]))/gm;

/** A message without people, templates, check boxes and reports on tests: they say nothing about the code. */
function withoutForms(message: string): string {
  return message
    .replace(comment, "")
    .replace(people, "")
    .replace(checkBox, "")
    .replace(testReport, "")
    .replace(emptyPart, "");
}

/** A message without lines that it has already, and without empty lines in a row: a squashed one has many of both. */
function withoutRepeats(message: string): string {
  const lines = message.split("\n").map((line) => line.trimEnd());
  const said = new Set<string>();
  const kept: string[] = [];
  for (const line of lines) {
    if (line === "" || !said.has(line)) kept.push(line);
    said.add(line);
  }
  return kept
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/**
 * The hunks that a question is about, the nearest first, and the declarations they belong to with their doc comments.
 * Hunks that the budget has no room for are named; declarations are left out.
 */
export async function describeCode(
  source: ChangeSource,
  question: CodeQuestion,
  budget: number,
): Promise<ChangeParts> {
  const ranked = rankHunks(source.files, question);
  const parts: ChangeParts = [];
  let left = budget;
  let weak = 0;
  const said = new Set<string>();
  let repeated = 0;
  const missing: string[] = [];
  for (const { path, hunk, score } of ranked) {
    const changed = changedLines(hunk);
    if (changed.every((line) => said.has(line))) {
      repeated++;
      continue;
    }
    const text = cutHunk(hunk, [...question.names, ...(score < strong ? (question.near ?? []) : [])]);
    if (!/^[+-]/m.test(text)) continue;
    if (score < strong && ++weak > weakHunks) continue;
    if (text.length > left) {
      missing.push(path);
      continue;
    }
    parts.push({ label: `${path} (changed)`, text });
    for (const line of changed) said.add(line);
    left -= text.length;
  }
  if (repeated > 0) parts.push({ label: "the same change elsewhere", text: samePlaces(repeated) });
  if (missing.length > 0) parts.push({ label: "changes that are not shown", text: countPlaces(missing) });
  const shown = parts.map(({ text }) => text).join("\n");
  const paths = [...new Set([...question.places.map(({ path }) => path), ...ranked.map(({ path }) => path)])];
  for (const path of paths.slice(0, 8)) {
    const text = await describeDeclarations(source, path, question, shown);
    if (text === "" || text.length > left) continue;
    parts.push({ label: `${path} (as it is now)`, text });
    left -= text.length;
  }
  return parts;
}

function samePlaces(count: number): string {
  return count === 1 ? "(1 more hunk changes the same lines)" : `(${count} more hunks change the same lines)`;
}

/** Each file with the number of its hunks. */
function countPlaces(paths: readonly string[]): string {
  return [...Map.groupBy(paths, (path) => path)]
    .map(([path, { length }]) => `${path}: ${length} ${length === 1 ? "hunk" : "hunks"}`)
    .join("\n");
}

/** The changed lines of a hunk without their layout; brackets and blank lines alone do not count. */
function changedLines(hunk: string): string[] {
  return (hunk.match(/^[+-].*$/gm) ?? [])
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}

const strong = 10;

type RankedHunk = { readonly path: string; readonly hunk: string; readonly score: number };

/** Hunks of evidence first, then those that change lines with a name of the question; tests and generated code last. */
function rankHunks(files: readonly FilePatch[], { names, near = [], places }: CodeQuestion): RankedHunk[] {
  const shape = names.length === 0 ? null : wordShape(names);
  const nearShape = near.length === 0 ? null : wordShape(near);
  const ranked: RankedHunk[] = [];
  for (const { path, patch } of files) {
    // A page proves something about another page only where a notice says so: a heading that moved.
    const isPage = isDocumentPath(path);
    for (const hunk of cutHunks(patch).hunks) {
      const changed = (hunk.match(/^[+-].*$/gm) ?? []).join("\n");
      const hits = shape === null ? 0 : new Set(changed.match(shape) ?? []).size;
      const proves = places.some((place) => place.path === path && overlaps(hunk, place));
      const isNear = nearShape?.test(changed) ?? false;
      if (nearShape) nearShape.lastIndex = 0;
      if (!proves && (isPage || isTestPath(path) || (hits === 0 && !isNear))) continue;
      const kind = isTestPath(path) || isToolOutputPath(path) ? -20 : isProductPath(path) ? 5 : 0;
      const tells = /^[+-]\s*(?:\/\/|\*|\/\*|#|"""|''')/m.test(hunk) ? 3 : 0;
      ranked.push({ path, hunk, score: (proves ? 20 : 0) + Math.min(hits, 4) * 3 + tells + kind });
    }
  }
  return ranked.sort((a, b) => b.score - a.score);
}

function wordShape(names: readonly string[]): RegExp {
  const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(?<![\\w$])(?:${escaped.join("|")})(?![\\w$])`, "g");
}

function overlaps(hunk: string, { startLine, endLine }: CodeQuestion["places"][number]): boolean {
  const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(hunk);
  if (!header) return false;
  const [, old, oldCount = "1", fresh, freshCount = "1"] = header;
  const meets = (start: number, count: number): boolean => startLine < start + count && endLine >= start;
  return meets(Number(old), Number(oldCount)) || meets(Number(fresh), Number(freshCount));
}

/** A long hunk is cut to the changed lines that hold a name, with some lines around them; rare names come first. */
function cutHunk(hunk: string, names: readonly string[]): string {
  const text = hunk.replace(/\n$/, "");
  if (text.length <= longestHunk) return text;
  const lines = text.split("\n");
  const kept = new Set<number>([0]);
  let length = 0;
  for (const i of rankLines(lines, names)) {
    const around = nearLines(lines, i).filter((near) => !kept.has(near));
    const more = around.reduce((sum, near) => sum + (lines[near] ?? "").length + 1, 0);
    if (length + more > longestHunk) continue;
    length += more;
    for (const near of around) kept.add(near);
  }
  const shown = [...kept].sort((a, b) => a - b);
  return shown.map((line, i) => lines[line]! + gapAfter(line, shown[i + 1] ?? lines.length)).join("\n");
}

/** The changed lines that hold a name, those with the rarest names first; without names, all of them in order. */
function rankLines(lines: readonly string[], names: readonly string[]): number[] {
  const shape = names.length === 0 ? /^./g : wordShape(names);
  const changed = [...lines.entries()]
    .filter(([, line]) => /^[+-]/.test(line))
    .map(([number, line]) => ({ number, held: [...new Set(line.match(shape) ?? [])] }))
    .filter(({ held }) => held.length > 0);
  const counts = new Map<string, number>();
  for (const name of changed.flatMap(({ held }) => held)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const weight = (held: readonly string[]): number =>
    held.reduce((sum, name) => sum + 1 / (counts.get(name) ?? 1), 0);
  const ranked = names.length === 0 ? changed : changed.sort((a, b) => weight(b.held) - weight(a.held));
  return ranked.map(({ number }) => number);
}

/** A line and some lines around it, as far as they are short enough to be shown. */
function nearLines(lines: readonly string[], at: number): number[] {
  const near = (step: number): number[] => {
    const found: number[] = [];
    for (let i = at + step; found.length < 4 && i > 0 && i < lines.length; i += step) {
      if (lines[i]!.length > longestHunk / 4) break;
      found.push(i);
    }
    return found;
  };
  return [...near(-1), at, ...near(1)];
}

/** Lines that are left out are named where they are missing. */
function gapAfter(line: number, next: number): string {
  const missing = next - line - 1;
  return missing === 0 ? "" : `\n(${missing} ${missing === 1 ? "line" : "lines"} not shown)`;
}

/** The declarations of the question's names and places: doc comment and signature, the whole where it is short. */
async function describeDeclarations(
  { read }: ChangeSource,
  path: string,
  { names, places }: CodeQuestion,
  shown: string,
): Promise<string> {
  const text = isTestPath(path) ? null : await read(path);
  if (text === null) return "";
  const { declarations } = await outlineSource(path, text);
  const wanted = new Set(names);
  const offsets = lineOffsets(text);
  const here = places
    .filter((place) => place.path === path && !place.isGone)
    .map(({ startLine }) => offsets[startLine - 1] ?? 0);
  const parts: string[] = [];
  for (const { name, region, signature, body, doc } of declarations) {
    const holds = here.some((at) => at >= region.start && at < region.end);
    if (!wanted.has(name) && !holds) continue;
    const whole = text.slice(region.start, region.end);
    const short = `${doc ? `${text.slice(doc.start, doc.end)}\n` : ""}${text.slice(signature.start, signature.end)}${body ? " …" : ""}`;
    // A bare name with its body left out says nothing.
    if (
      whole.length > longestDeclaration &&
      doc === undefined &&
      isBareName(text.slice(signature.start, signature.end))
    )
      continue;
    const part = whole.length <= longestDeclaration ? whole : cutText(short, longestDeclaration);
    if (shown.includes(part) || isShown(part, shown) || parts.some((other) => other.includes(part))) continue;
    parts.push(part);
    if (parts.length === 4) break;
  }
  return parts.join("\n\n");
}

/** A signature without parameters and types: `func main()`, `class Page`, `module Jekyll`, `type Options =`. */
function isBareName(signature: string): boolean {
  return /^[\w\s]*(?:\(\s*\))?[\s{:=]*$/.test(signature);
}

/** Whether every line of a declaration stands in the hunks that are shown. */
function isShown(part: string, shown: string): boolean {
  return part.split("\n").every((line) => shown.includes(line.trim()));
}

function lineOffsets(text: string): number[] {
  const offsets = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) offsets.push(at + 1);
  return offsets;
}

function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf("\n", length);
  return `${text.slice(0, end > length / 2 ? end : length)}\n(${text.length - length} more characters not shown)`;
}
