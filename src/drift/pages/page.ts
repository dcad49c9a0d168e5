import { isDocumentPath } from "./policies.ts";

/** Where on its page a line stands; decides how much a name on it is worth. */
export type PageLine = {
  readonly text: string;
  /** Offset of the line's first character in the page. */
  readonly start: number;
  readonly place: "code" | "table" | "heading" | "list" | "prose" | "blank" | "front-matter" | "comment";
  /** Language of the fence the line stands in. */
  readonly language?: string;
  /** Regions of the line inside back-ticks, counted within the line. */
  readonly spans: readonly { readonly start: number; readonly end: number }[];
};

export type Page = {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly PageLine[];
};

/** A page line by line: fences, tables, headings and inline code, for Markdown and reStructuredText alike. */
export function readPage(path: string, text: string): Page {
  const indented = isDocumentPath(path);
  return { path, text, lines: /\.rst$/i.test(path) ? readRst(text) : readMarkdown(text, { indented }) };
}

/** `indented`: lines that begin with four spaces are code, as they are in no comment. */
function readMarkdown(text: string, { indented }: { indented: boolean }): PageLine[] {
  const lines = cutLines(text);
  let fence: { mark: string; language: string } | null = null;
  let matter = lines[0]?.text.trim() === "---";
  let comment = false;
  return lines.map(({ text: line, start }, index) => {
    const place = (kind: PageLine["place"], language?: string): PageLine => ({
      text: line,
      start,
      place: kind,
      ...(language === undefined ? {} : { language }),
      spans: kind === "code" || kind === "front-matter" ? [] : findSpans(line),
    });
    if (matter) {
      if (index > 0 && /^(---|\.\.\.)\s*$/.test(line)) matter = false;
      return place("front-matter");
    }
    const mark = /^\s*(?:[-*+>]\s+|\d+[.)]\s+)*(`{3,}|~{3,})\s*([^\s`{]*)/.exec(line);
    if (fence) {
      if (mark && mark[1]!.startsWith(fence.mark) && !mark[2]) {
        fence = null;
        return place("comment");
      }
      return place("code", fence.language);
    }
    if (mark) {
      fence = { mark: mark[1]!, language: mark[2] ?? "" };
      return place("comment");
    }
    if (comment || line.includes("<!--")) {
      comment = line.lastIndexOf("-->") < line.lastIndexOf("<!--") || (comment && !line.includes("-->"));
      if (/^\s*<!--/.test(line) || comment) return place("comment");
    }
    if (!line.trim()) return place("blank");
    if (/^#{1,6}\s/.test(line)) return place("heading");
    if (/^\s*\|.*\|/.test(line) || (line.includes(" | ") && isTableNear(lines, index))) return place("table");
    if (/^\s*([-*+]|\d+[.)])\s/.test(line)) return place("list");
    if (indented && /^( {4,}|\t)\S/.test(line) && isIndentedCode(lines, index)) return place("code", "");
    return place("prose");
  });
}

function readRst(text: string): PageLine[] {
  const lines = cutLines(text);
  let literal = -1;
  return lines.map(({ text: line, start }, index) => {
    const indent = /^\s*/.exec(line)![0].length;
    const blank = !line.trim();
    if (literal >= 0 && !blank && indent <= literal) literal = -1;
    const inside = literal >= 0;
    if (
      !inside &&
      !blank &&
      (/::\s*$/.test(line) ||
        /^\s*\.\. (code-block|code|sourcecode|highlight|literalinclude|doctest|click|prompt)::/.test(line))
    )
      literal = indent;
    const kind: PageLine["place"] = blank
      ? "blank"
      : inside
        ? "code"
        : /^\s*\.\. (\w+:)?(module|currentmodule|class|method|function|attribute|data|exception|setting|signal|reqmeta|command|option|envvar|autofunction|autoclass|automodule|automethod|autoattribute|describe|program|confval|staticmethod|classmethod|property|decorator)::/.test(
              line,
            )
          ? "code"
          : /^([=\-~^"'`#*+.:_])\1{2,}\s*$/.test(lines[index + 1]?.text ?? "") && indent === 0
            ? "heading"
            : /^\s*([-*+]|\d+[.)]|#\.)\s/.test(line)
              ? "list"
              : /^\s*[|+]/.test(line)
                ? "table"
                : "prose";
    return { text: line, start, place: kind, spans: kind === "code" ? [] : findSpans(line) };
  });
}

function cutLines(text: string): { text: string; start: number }[] {
  const lines: { text: string; start: number }[] = [];
  let start = 0;
  for (const ending of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ text: text.slice(start, ending.index), start });
    start = ending.index + ending[0].length;
  }
  lines.push({ text: text.slice(start), start });
  return lines;
}

function findSpans(line: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const match of line.matchAll(/(`+)([^`]|[^`].*?[^`])\1(?!`)/g))
    spans.push({
      start: match.index + match[1]!.length,
      end: match.index + match[0].length - match[1]!.length,
    });
  return spans;
}

function isTableNear(lines: readonly { text: string }[], index: number): boolean {
  for (let i = index; i >= 0 && i > index - 200 && lines[i]!.text.trim(); i--)
    if (/^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)+\|?\s*$/.test(lines[i]!.text)) return true;
  return /^\s*\|?\s*:?-{2,}:?\s*\|/.test(lines[index + 1]?.text ?? "");
}

/** Indented text is code after a blank line unless it continues a list. */
function isIndentedCode(lines: readonly { text: string }[], index: number): boolean {
  for (let i = index - 1; i >= 0; i--) {
    const line = lines[i]!.text;
    if (!line.trim() || /^( {4,}|\t)/.test(line)) continue;
    return !/^\s*([-*+]|\d+[.)])\s/.test(line) && !/^ {1,3}\S/.test(line);
  }
  return true;
}

/** The line, counted from 0, that holds an offset of the page. */
export function lineAt({ lines }: Page, offset: number): number {
  let low = 0;
  let high = lines.length;
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (lines[middle]!.start <= offset) low = middle;
    else high = middle;
  }
  return low;
}
