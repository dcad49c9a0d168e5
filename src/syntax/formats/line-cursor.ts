import type { Region } from "../../text/model/region.ts";

/** A place on one line of a text, with columns counted as Markdown does: a tab reaches the next multiple of four. */
export type LineCursor = {
  /** The line: its first character, its end before the line ending, the start of the next. */
  start: number;
  end: number;
  next: number;
  /** How far it has been read. */
  at: number;
  column: number;
  /** What `look` saw: the first character that is not white space, and how many columns away it is. */
  nonspace: number;
  indent: number;
  blank: boolean;
  /** Moves to the line that begins at `start`. */
  toLine(start: number): void;
  /** The end, before its line ending, of the line that holds `offset`. */
  endOfLine(offset: number): number;
  look(): void;
  /** Reads `count` columns of white space; half a tab may remain. */
  eatColumns(count: number): void;
  /** Reads `count` characters from the first that is not white space. */
  eatMarker(count: number): void;
  eatLine(): void;
  /** Where a run of `mark` that begins at `start` ends, within the line. */
  runEnd(start: number, mark: number): number;
  isBlankFrom(start: number): boolean;
  /** The end of the words between `start` and the line's end, without trailing white space. */
  trimmedEnd(start: number): number;
};

export function createLineCursor(text: string): LineCursor {
  // As everywhere: a lone carriage return ends lines only in a text without any line feed.
  const feed = text.includes("\n") || !text.includes("\r") ? "\n" : "\r";
  const cursor: LineCursor = {
    start: 0,
    end: 0,
    next: 0,
    at: 0,
    column: 0,
    nonspace: 0,
    indent: 0,
    blank: true,
    toLine(start) {
      cursor.start = cursor.at = start;
      cursor.column = 0;
      const end = text.indexOf(feed, start);
      cursor.next = end < 0 ? text.length : end + 1;
      cursor.end = end < 0 ? text.length : beforeCarriageReturn(start, end);
    },
    endOfLine(offset) {
      const end = text.indexOf(feed, offset);
      return end < 0 ? text.length : beforeCarriageReturn(offset, end);
    },
    look() {
      let i = cursor.at;
      let column = cursor.column;
      for (; i < cursor.end; i++) {
        const code = text.charCodeAt(i);
        if (code === 32) column++;
        else if (code === 9) column += 4 - (column % 4);
        else break;
      }
      cursor.nonspace = i;
      cursor.indent = column - cursor.column;
      cursor.blank = i >= cursor.end;
    },
    eatColumns(count) {
      let left = count;
      while (left > 0 && cursor.at < cursor.end) {
        const width = text.charCodeAt(cursor.at) === 9 ? 4 - (cursor.column % 4) : 1;
        cursor.column += Math.min(width, left);
        if (width > left) return;
        left -= width;
        cursor.at++;
      }
    },
    eatMarker(count) {
      cursor.column += cursor.indent + count;
      cursor.at = cursor.nonspace + count;
    },
    eatLine() {
      cursor.at = cursor.nonspace = cursor.end;
      cursor.blank = true;
    },
    runEnd(start, mark) {
      let end = start;
      while (end < cursor.end && text.charCodeAt(end) === mark) end++;
      return end;
    },
    isBlankFrom(start) {
      for (let i = start; i < cursor.end; i++) if (!isSpace(text.charCodeAt(i))) return false;
      return true;
    },
    trimmedEnd(start) {
      let end = cursor.end;
      while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
      return end;
    },
  };
  return cursor;

  function beforeCarriageReturn(start: number, end: number): number {
    return feed === "\n" && end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
  }
}

export function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}

/** White space or a line ending. */
export function isGap(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

/** The region without white space and line endings at its ends. */
export function trimRegion(text: string, start: number, end: number): Region {
  let first = start;
  let last = end;
  while (first < last && isGap(text.charCodeAt(first))) first++;
  while (last > first && isGap(text.charCodeAt(last - 1))) last--;
  return { start: first, end: last };
}
