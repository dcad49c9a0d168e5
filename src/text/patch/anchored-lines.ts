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

/** Whether hunks name their old lines by anchors, which stand for the text of the lines. */
export function isAnchored({ hunks }: HunksTarget): boolean {
  return hunks.every(({ lines }) => {
    const old = lines.filter(({ kind }) => kind !== "added");
    return old.length > 0 && old.every(({ text }) => row.test(text));
  });
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

function readHunk({ source, lines: body }: Hunk, lines: Lines): Hunk[] | LostAnchor {
  const parts: { line: number; lines: HunkLine[] }[] = [];
  let next = -1;
  let leading: HunkLine[] = [];
  for (const { kind, text, ...rest } of body) {
    const part = parts.at(-1);
    if (kind === "added") {
      (part?.lines ?? leading).push({ kind, text, ...rest });
      continue;
    }
    const [, first, mark, last = first, lastMark = mark, copied] = row.exec(text)!;
    const [from, to] = [Number(first), Number(last)];
    if (from > to) return { line: from };
    for (const [line, wanted] of [[from, mark] as const, [to, lastMark] as const])
      if (!isThere(lines, line, wanted!)) return { line };
    if (copied !== "" && first === last && copied !== lineContent(lines, from - 1)) return { line: from };
    const named = Array.from({ length: to - from + 1 }, (_, i): HunkLine => {
      return { kind, text: lineContent(lines, from - 1 + i), ...rest };
    });
    if (part && from === next) part.lines.push(...named);
    else parts.push({ line: from, lines: [...leading, ...named] });
    leading = [];
    next = to + 1;
  }
  return parts.map((part) => ({ ...part, sure: true, source }));
}

function isThere(lines: Lines, line: number, mark: string): boolean {
  return line >= 1 && line <= lines.starts.length && markOf(lineContent(lines, line - 1)) === mark;
}
