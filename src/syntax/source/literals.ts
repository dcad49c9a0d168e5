import type { Region } from "../../text/model/region.ts";
import { parsedLanguageAt } from "../languages/registry.ts";

/** Stands for a piece of a text that is only known when the program runs. */
export const HOLE = "\u0000";

/** A text that the code says: one string literal, or several that are joined to one. */
export type TextLiteral = {
  /** The text with its escapes read; every placeholder is a `HOLE`. */
  readonly text: string;
  /** The placeholders as they are written, in their order. */
  readonly holes: readonly string[];
  /** From the first quote to the last. */
  readonly region: Region;
};

/** The texts of a source file in their order. None for a language without a lexer here. */
export function readLiterals(path: string, text: string): TextLiteral[] {
  const language = parsedLanguageAt(path, text);
  if (!language) return [];
  const source = language.code?.(text) ?? text;
  const pieces = new RegExp(language.literals.map(({ source: piece }) => piece).join("|"), "gm");
  const joinsBySpace = language.name !== "bash";
  const found: Draft[] = [];
  for (const match of source.matchAll(pieces)) {
    const isFormatted = /[fF$]@?$/.test(source.slice(Math.max(0, match.index - 2), match.index));
    const piece = readPiece(match[0], match.index, { isFormatted });
    if (!piece) continue;
    const last = found.at(-1);
    const gap =
      last && joinOf(source.slice(last.end, Math.min(piece.start, last.end + LONGEST_GAP)), joinsBySpace);
    if (last && gap !== null && gap !== undefined && piece.start - last.end < LONGEST_GAP) {
      last.raw += gap + piece.raw;
      last.end = piece.end;
    } else found.push({ ...piece });
  }
  return found.map(({ raw, start, end }) => ({ ...cutHoles(raw), region: { start, end } }));
}

type Draft = { raw: string; start: number; end: number };

const LONGEST_GAP = 200;

/** A string without its quotes; null for a comment. */
function readPiece(piece: string, start: number, { isFormatted }: { isFormatted: boolean }): Draft | null {
  const opening = /^[rRbBuUfFL$@]{0,2}(#*)("""|'''|["'`])/.exec(piece);
  if (!opening) return null;
  const quote = opening[2]! + opening[1]!;
  const from = opening[0].length;
  const to =
    piece.endsWith(quote) && piece.length >= from + quote.length ? piece.length - quote.length : piece.length;
  const isRaw = /^[bB]?[rR@]/.test(piece);
  // Of an f-string and of an interpolated string, any expression in braces is a hole.
  const hasHoles = isFormatted || /^[rRbB@]?[fF$]/.test(piece);
  const inside = hasHoles ? piece.slice(from, to).replace(/\{[^{}]*\}/g, "{}") : piece.slice(from, to);
  return { raw: isRaw ? inside : readEscapes(inside), start, end: start + piece.length };
}

/**
 * What joins two strings: nothing, or a hole for a value between them. Null where they are two texts.
 * White space joins them (Python, C), so do `+`, `.` and `\`.
 */
function joinOf(gap: string, bySpace: boolean): string | null {
  if (/^\s*(?:[+.]|<<|\\\r?\n)?\s*[rRbBuUfFL$@]{0,2}$/.test(gap))
    return bySpace || /[+.\\]/.test(gap) ? "" : null;
  return /^\s*[+.]\s*[\w$][\w$.>()[\]-]*\s*[+.]\s*$/.test(gap) ? "%s" : null;
}

/** `${x}`, `#{x}`, `\(x)`, `{{ x }}`, `{x}`, `%(x)s`, `%-10s`, `$x`. */
const PLACEHOLDERS: readonly RegExp[] = [
  /[$#]\{[^{}]*\}/,
  /\\\([^()]*\)/,
  /\{\{[^{}]*\}\}/,
  /\{[\w.!:*$-]*\}/,
  /%\([\w.]+\)[a-z]/,
  /%[-+ #0]*[\d*]*(?:\.[\d*]+)?[a-zA-Z@]\b/,
  /\$\w+/,
];
const PLACEHOLDER = new RegExp(PLACEHOLDERS.map(({ source }) => source).join("|"), "g");

function cutHoles(raw: string): Pick<TextLiteral, "text" | "holes"> {
  const holes: string[] = [];
  const text = raw.replace(PLACEHOLDER, (hole) => {
    holes.push(hole);
    return HOLE;
  });
  return { text, holes };
}

function readEscapes(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(/\\(\r?\n\s*|[nt"'`\\])/g, (_, next: string) =>
    next === "n" ? "\n" : next === "t" ? "\t" : /^\r?\n/.test(next) ? "" : next,
  );
}
