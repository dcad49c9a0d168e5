import { isSpace } from "./characters.ts";

/** A place on one line of a text. Columns count as in Markdown: a tab reaches the next multiple of four. */
export class LineCursor {
  /** The line: its first character, its end before the line ending, the start of the next. */
  start = 0;
  end = 0;
  next = 0;
  /** How far the line has been read. */
  at = 0;
  column = 0;
  /** Set by `look`: the first character that is not white space, and how many columns away it is. */
  nonspace = 0;
  indent = 0;
  blank = true;
  readonly #text: string;
  readonly #feed: "\n" | "\r";

  constructor(text: string) {
    this.#text = text;
    // As everywhere: a lone carriage return ends lines only in a text without any line feed.
    this.#feed = text.includes("\n") || !text.includes("\r") ? "\n" : "\r";
  }

  /** Moves to the line that begins at `start`. */
  toLine(start: number): void {
    this.start = this.at = start;
    this.column = 0;
    const end = this.#text.indexOf(this.#feed, start);
    this.next = end < 0 ? this.#text.length : end + 1;
    this.end = end < 0 ? this.#text.length : this.#beforeCarriageReturn(start, end);
  }

  /** The end, before its line ending, of the line that holds `offset`. */
  endOfLine(offset: number): number {
    const end = this.#text.indexOf(this.#feed, offset);
    return end < 0 ? this.#text.length : this.#beforeCarriageReturn(offset, end);
  }

  /** Finds the first character from here on that is not white space. */
  look(): void {
    let i = this.at;
    let column = this.column;
    for (; i < this.end; i++) {
      const code = this.#text.charCodeAt(i);
      if (code === 32) column++;
      else if (code === 9) column += 4 - (column % 4);
      else break;
    }
    this.nonspace = i;
    this.indent = column - this.column;
    this.blank = i >= this.end;
  }

  /** Reads `count` columns of white space; half a tab may remain. */
  eatColumns(count: number): void {
    let left = count;
    while (left > 0 && this.at < this.end) {
      const width = this.#text.charCodeAt(this.at) === 9 ? 4 - (this.column % 4) : 1;
      this.column += Math.min(width, left);
      if (width > left) return;
      left -= width;
      this.at++;
    }
  }

  /** Reads `count` characters from the first that is not white space. */
  eatMarker(count: number): void {
    this.column += this.indent + count;
    this.at = this.nonspace + count;
  }

  eatLine(): void {
    this.at = this.nonspace = this.end;
    this.blank = true;
  }

  /** Where a run of `mark` that begins at `start` ends, within the line. */
  runEnd(start: number, mark: number): number {
    let end = start;
    while (end < this.end && this.#text.charCodeAt(end) === mark) end++;
    return end;
  }

  isBlankFrom(start: number): boolean {
    for (let i = start; i < this.end; i++) if (!isSpace(this.#text.charCodeAt(i))) return false;
    return true;
  }

  /** The end of the text between `start` and the line's end, without trailing white space. */
  trimmedEnd(start: number): number {
    let end = this.end;
    while (end > start && isSpace(this.#text.charCodeAt(end - 1))) end--;
    return end;
  }

  #beforeCarriageReturn(start: number, end: number): number {
    const isPair = this.#feed === "\n" && end > start && this.#text.charCodeAt(end - 1) === 13;
    return isPair ? end - 1 : end;
  }
}
