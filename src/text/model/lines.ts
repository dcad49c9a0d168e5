import { byteOrderMark } from "./encoding.ts";
import { accept, type Outcome, refuse } from "./outcome.ts";
import type { Splice } from "./splice.ts";

export type Ending = "\n" | "\r\n" | "\r";

/**
 * The lines of a text. A line ends at LF or CRLF; a lone CR is data, except in a text without any LF, where it
 * ends lines as it did on old systems. A final ending does not start another line; an empty text has none.
 */
export type Lines = { readonly text: string; readonly starts: readonly number[]; readonly feed: "\n" | "\r" };

export function indexLines(text: string): Lines {
  const feed = lineFeed(text);
  const starts: number[] = [];
  for (let at = 0; at < text.length; ) {
    starts.push(at);
    const next = text.indexOf(feed, at);
    at = next < 0 ? text.length : next + 1;
  }
  return { text, starts, feed };
}

/** Where each line begins; kept outside the heap, since a text can have millions. */
export function lineStarts(text: string, feed: string): Int32Array {
  let starts = new Int32Array(1024);
  let count = 0;
  for (let at = 0; at < text.length; ) {
    if (count === starts.length) {
      const larger = new Int32Array(2 * count);
      larger.set(starts);
      starts = larger;
    }
    starts[count++] = at;
    const next = text.indexOf(feed, at);
    at = next < 0 ? text.length : next + 1;
  }
  return starts.subarray(0, count);
}

/** Offset just after the ending of a line, counted from 0. */
export function lineEnd(lines: Lines, line: number): number {
  return lines.starts[line + 1] ?? lines.text.length;
}

/** Offset just before the ending of a line, counted from 0. */
export function contentEnd(lines: Lines, line: number): number {
  const end = lineEnd(lines, line);
  const { text } = lines;
  if (text[end - 1] !== lines.feed || end <= lines.starts[line]!) return end;
  return lines.feed === "\n" && text[end - 2] === "\r" && end - 2 >= lines.starts[line]! ? end - 2 : end - 1;
}

export function lineContent(lines: Lines, line: number): string {
  return lines.text.slice(lines.starts[line], contentEnd(lines, line));
}

/** The line, counted from 0, that holds an offset; the last one for the end of the text. */
export function lineAt(lines: Lines, offset: number): number {
  let low = 0;
  let high = lines.starts.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (lines.starts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low;
}

/** The line number, from 1, of one offset, without an index of the text. */
export function lineNumber(text: string, offset: number): number {
  const feed = lineFeed(text);
  let line = 1;
  for (let at = text.indexOf(feed); at >= 0 && at < offset; at = text.indexOf(feed, at + 1)) line++;
  return line;
}

/** The ending that new lines take at a place: of the line it is in, else of the one before, else LF. */
export function endingAt(text: string, start: number, end: number = start): Ending {
  const feed = lineFeed(text);
  let at = text.indexOf(feed, start);
  if (at < 0) at = text.lastIndexOf(feed, end);
  if (at < 0) return "\n";
  if (feed === "\r") return "\r";
  return text[at - 1] === "\r" ? "\r\n" : "\n";
}

/** The text with every LF and CRLF turned into one ending; lone CRs are data and stay. */
export function withEnding(text: string, ending: Ending): string {
  if (!text.includes("\n")) return text;
  const folded = foldEndings(text);
  return ending === "\n" ? folded : folded.split("\n").join(ending);
}

/** The text with CRLF as LF. */
export function foldEndings(text: string): string {
  return text.includes("\r\n") ? text.split("\r\n").join("\n") : text;
}

/** Whole lines put after a line: 0 is the start, -1 the end. The final newline, or its absence, is kept. */
export function insertLines(text: string, line: number, content: string): Outcome<Splice> {
  const lines = indexLines(text);
  const count = lines.starts.length;
  if (!Number.isInteger(line) || line < -1 || line > count)
    return refuse({ code: "out-of-range", line, lowest: -1, highest: count });
  if (content === "") return refuse({ code: "no-change", why: "nothing-asked" });
  const top = text.startsWith(byteOrderMark) ? 1 : 0;
  const after = line === -1 ? count : line;
  const at = after === 0 ? top : lineEnd(lines, after - 1);
  const ending = endingAt(text, after === 0 ? top : lines.starts[after - 1]!);
  const body = withEnding(content.replace(/\r?\n$/, ""), ending);
  const glued = at > top && at === text.length && !text.endsWith(lines.feed);
  const inserted = glued ? ending + body : body + ending;
  return accept({ region: { start: at, end: at }, text: inserted });
}

function lineFeed(text: string): "\n" | "\r" {
  return text.includes("\n") || !text.includes("\r") ? "\n" : "\r";
}
