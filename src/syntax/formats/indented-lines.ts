import { LineCursor } from "./line-cursor.ts";

/** A text's lines with their indentation, for formats in which indentation shows the nesting. */
export type IndentedLines = {
  readonly text: string;
  readonly count: number;
  start(line: number): number;
  /** Before the line ending. */
  end(line: number): number;
  /** Columns of white space, tabs reaching the next multiple of eight; -1 for a blank line. */
  indent(line: number): number;
  /** First character that is not white space. */
  content(line: number): number;
  /** The text of a line without its indentation and trailing white space, at most `limit` characters of it. */
  words(line: number, limit?: number): string;
  /** The first line from `from` on, below `to`, that is neither blank nor indented deeper than `indent`. */
  endOfBody(from: number, to: number, indent: number): number;
};

export function readIndentedLines(text: string, from: number): IndentedLines {
  const starts: number[] = [];
  const ends: number[] = [];
  const indents: number[] = [];
  const contents: number[] = [];
  const line = new LineCursor(text);
  for (line.next = from; line.next < text.length; ) {
    line.toLine(line.next);
    let columns = 0;
    let at = line.start;
    for (; at < line.end; at++) {
      const code = text.charCodeAt(at);
      if (code === 32) columns++;
      else if (code === 9) columns += 8 - (columns % 8);
      else break;
    }
    starts.push(line.start);
    ends.push(line.end);
    indents.push(at >= line.end ? -1 : columns);
    contents.push(at);
  }
  const lines: IndentedLines = {
    text,
    count: starts.length,
    start: (index) => starts[index] ?? text.length,
    end: (index) => ends[index] ?? text.length,
    indent: (index) => indents[index] ?? -1,
    content: (index) => contents[index] ?? text.length,
    words: (index, limit = 2000) =>
      text.slice(lines.content(index), Math.min(lines.end(index), lines.content(index) + limit)).trimEnd(),
    endOfBody(start, to, indent) {
      let index = start;
      while (index < to && (indents[index]! < 0 || indents[index]! > indent)) index++;
      return index;
    },
  };
  return lines;
}

/** The last line before `to` that is not blank, plus one; never below `from`. */
export function withoutTrailingBlanks(lines: IndentedLines, from: number, to: number): number {
  let end = to;
  while (end > from && lines.indent(end - 1) < 0) end--;
  return end;
}

/** The least indentation of the lines that are not blank. */
export function leastIndent(lines: IndentedLines, from: number, to: number): number {
  let least = -1;
  for (let index = from; index < to; index++) {
    const indent = lines.indent(index);
    if (indent >= 0 && (least < 0 || indent < least)) least = indent;
  }
  return Math.max(least, 0);
}
