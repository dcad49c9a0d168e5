import { defined } from "../model/defined.ts";
import type { HunksTarget } from "../model/edit.ts";
import { byteOrderMark } from "../model/encoding.ts";
import type { Hunk, HunkLine } from "../model/hunk.ts";
import { indexLines, type Lines, lineContent } from "../model/lines.ts";

/** A line as an anchored reading shows it: its number, and three digits that follow from its text. */
export function anchorOf(line: number, text: string): string {
  return `${line}:${markOf(text)}`;
}

/** A mark changes with the text of its line, so that an old one is noticed. It is no protection against an attacker. */
function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (((hash >>> 20) ^ (hash >>> 8) ^ hash) & 0xfff).toString(16).padStart(3, "0");
}

/** `12:a3f|`, `12:a3f|its text` or `12:a3f..14:b2c|` */
const row = /^(\d{1,9}):([0-9a-f]{3})(?:\.\.(\d{1,9}):([0-9a-f]{3}))?\|(.*)$/s;

/** Whether a hunk names any of its old lines by an anchor, which stands for the text of the line. */
export function isAnchored({ hunks }: HunksTarget): boolean {
  return hunks.some(({ lines }) => lines.some(({ kind, text }) => kind !== "added" && row.test(text)));
}

/** The first line of a text that begins as an anchored reading shows lines. Written like that it would be part of the file. */
export function findAnchor(lines: readonly string[]): string | undefined {
  return lines.find((line) => row.test(line));
}

/** Whether all old lines of the hunks are in a text as they are written, so that nothing in them is an anchor. */
export function isLiteral({ hunks }: HunksTarget, text: string): boolean {
  const lines = indexLines(text);
  const known = new Set(lines.starts.map((_, i) => lineContent(lines, i)));
  return hunks.every((hunk) => hunk.lines.every((line) => line.kind === "added" || known.has(line.text)));
}

/** The first line whose text has not the mark that an anchor says. */
export type LostAnchor = { readonly line: number };

/** The hunks with the lines that their anchors name in a text; a hunk with a gap becomes several. */
export function readAnchors({ hunks }: HunksTarget, text: string): readonly Hunk[] | LostAnchor {
  const lines = indexLines(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  const read: Hunk[] = [];
  for (const hunk of hunks) {
    const parts = readHunk(hunk, lines);
    if (!Array.isArray(parts)) return parts as LostAnchor;
    read.push(...parts);
  }
  return read;
}

type Part = { line?: number; lines: HunkLine[] };

function readHunk(hunk: Hunk, lines: Lines): Hunk[] | LostAnchor {
  const { source, lines: body } = hunk;
  if (!body.some(({ kind, text }) => kind !== "added" && row.test(text))) return [hunk];
  const parts: Part[] = [];
  let next = -1;
  let leading: HunkLine[] = [];
  for (const { kind, text, ...rest } of body) {
    const part = parts.at(-1);
    const anchor = kind === "added" ? null : row.exec(text);
    if (kind === "added") {
      (part?.lines ?? leading).push({ kind, text, ...rest });
      continue;
    }
    const range = anchor && rangeOf(anchor, lines);
    if (range && "lost" in range) return { line: range.lost };
    const named = range
      ? Array.from({ length: range.to - range.from + 1 }, (_, i): HunkLine => {
          return { kind, text: lineContent(lines, range.from - 1 + i), ...rest };
        })
      : [{ kind, text, ...rest }];
    const follows = range ? range.from === next : part !== undefined && part.line === undefined;
    if (part && follows) part.lines.push(...named);
    else parts.push({ ...defined({ line: range?.from }), lines: [...leading, ...named] });
    leading = [];
    next = range ? range.to + 1 : -1;
  }
  return parts.map((part) =>
    part.line === undefined ? { ...part, source } : { ...part, sure: true, source },
  );
}

type LineRange = { readonly from: number; readonly to: number };

/** The lines that an anchor names, or the one that is not as it says. */
function rangeOf(anchor: RegExpExecArray, lines: Lines): LineRange | { readonly lost: number } {
  const [, first, mark, last = first, lastMark = mark, copied] = anchor;
  const [from, to] = [Number(first), Number(last)];
  if (from > to) return { lost: from };
  for (const [line, wanted] of [[from, mark] as const, [to, lastMark] as const])
    if (!isThere(lines, line, wanted!)) return { lost: line };
  const isCopied = copied === "" || from < to || copied === lineContent(lines, from - 1);
  return isCopied ? { from, to } : { lost: from };
}

function isThere(lines: Lines, line: number, mark: string): boolean {
  return line >= 1 && line <= lines.starts.length && markOf(lineContent(lines, line - 1)) === mark;
}
