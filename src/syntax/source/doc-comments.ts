import { blank } from "../../text/characters/blank.ts";
import type { Region } from "../../text/model/region.ts";
import type { CommentMarks } from "../languages/comments.ts";
import { languageAt } from "../languages/registry.ts";

/**
 * The text of a source file with everything but its doc comments (JSDoc, docstrings, rustdoc, Go's and Ruby's
 * comments) replaced by spaces, the comment marks too, so that every offset still holds. Null for a file that has no
 * doc comment or is in a language whose comments are not known.
 */
export function keepDocComments(path: string, text: string): string | null {
  const regions = findComments(path, text, { docOnly: true });
  if (regions.length === 0) return null;
  let kept = "";
  let at = 0;
  for (const { start, end } of regions) {
    kept += blank(text.slice(at, start)) + unmark(text.slice(start, end));
    at = end;
  }
  return kept + blank(text.slice(at));
}

/** The text of a source file with its comments and docstrings replaced by spaces. */
export function dropComments(path: string, text: string): string {
  let kept = "";
  let at = 0;
  for (const { start, end } of findComments(path, text, { docOnly: false })) {
    kept += text.slice(at, start) + blank(text.slice(start, end));
    at = end;
  }
  return kept + text.slice(at);
}

/** The comments and docstrings of a source file; with `docOnly`, those that document something. */
function findComments(path: string, text: string, { docOnly }: { docOnly: boolean }): Region[] {
  const language = languageAt(path, text);
  if (!language) return [];
  const { comments: marks, code } = language;
  const scanned = code?.(text) ?? text;
  const regions: Region[] = [];
  for (const match of scanned.matchAll(scannerOf(marks))) {
    const { string, docstring, comment } = match.groups!;
    if (string !== undefined) continue;
    if (docstring !== undefined && !isFirstOnLine(scanned, match.index)) continue;
    if (docOnly && comment !== undefined && !isDoc(marks, comment)) continue;
    const start = match.index + match[0].length - (comment ?? match[0]).length;
    regions.push({ start, end: match.index + match[0].length });
  }
  return regions;
}

function isDoc({ doc }: CommentMarks, comment: string): boolean {
  return doc === "all" || doc.some((mark) => comment.startsWith(mark));
}

function isFirstOnLine(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at).trim() === "";
}

const scanners = new Map<CommentMarks, RegExp>();

/** Finds each comment (`comment`), and each string that could hold the mark of one (`string`, `docstring`). */
function scannerOf(marks: CommentMarks): RegExp {
  const known = scanners.get(marks);
  if (known) return known;
  const scanner = marks.aloneOnly
    ? new RegExp(
        String.raw`^[ \t]*(?<comment>(?:${oneOf(marks.line)})[^\n]*)|(?!)(?<string>)(?<docstring>)`,
        "gm",
      )
    : new RegExp([...docstringPart(marks), commentPart(marks), stringPart(marks)].join("|"), "g");
  scanners.set(marks, scanner);
  return scanner;
}

function docstringPart({ docstrings }: CommentMarks): string[] {
  return docstrings
    ? [String.raw`(?<docstring>[rRuUbBfF]{0,2}(?<triple>"""|''')[\s\S]*?(?:\k<triple>|$))`]
    : ["(?!)(?<docstring>)"];
}

function commentPart({ line, block }: CommentMarks): string {
  const blocks = block.map(([open, close]) => String.raw`${escaped(open)}[\s\S]*?(?:${escaped(close)}|$)`);
  const lines = line.map((mark) => String.raw`${escaped(mark)}[^\n]*`);
  return `(?<comment>${[...blocks, ...lines].join("|")})`;
}

// A quote that a line leaves open is an apostrophe or a lifetime; a template runs on over lines.
function stringPart({ quotes, longQuotes = [] }: CommentMarks): string {
  const short = quotes.map((quote) => String.raw`${quote}(?:\\.|[^${quote}\\\n])*${quote}`);
  const long = longQuotes.map((quote) => String.raw`${quote}(?:\\[\s\S]|[^${quote}\\])*${quote}`);
  return `(?<string>${[...short, ...long].join("|")})`;
}

function oneOf(marks: readonly string[]): string {
  return marks.map(escaped).join("|");
}

function escaped(mark: string): string {
  return mark.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** A comment's words at their offsets, without the comment marks. */
function unmark(text: string): string {
  return text
    .replace(/^(?:\/\*[*!]?|\/\/[/!]?|#|[rRuUbBfF]{0,2}(?:"""|'''))/, blank)
    .replace(/(?:\*\/|"""|''')$/, blank)
    .replace(/(^|\n)([ \t]*)\*(?![*\w])/g, (_, start: string, indent: string) => `${start}${indent} `);
}
