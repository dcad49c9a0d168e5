import type { Position, Range } from "vscode-languageserver";
import { byteOrderMark } from "../text/model/encoding.ts";
import type { Region } from "../text/model/region.ts";

/** The unit in which a client counts the characters of a line. */
export type PositionEncoding = "utf-8" | "utf-16" | "utf-32";

/** The first encoding of the client's list that is known here. Clients without a list count UTF-16 units. */
export function chooseEncoding(offered: readonly string[] | undefined): PositionEncoding {
  const known = (one: string): one is PositionEncoding => one in lengthOf;
  return offered?.find(known) ?? "utf-16";
}

const encoder = new TextEncoder();

const lengthOf: Readonly<Record<PositionEncoding, (text: string) => number>> = {
  "utf-8": (text) => encoder.encode(text).length,
  "utf-16": (text) => text.length,
  "utf-32": (text) => [...text].length,
};

/**
 * Offsets in a text and the positions of a client. Lines end as the protocol says: at LF, CRLF or CR. Editors hide a byte
 * order mark, so it counts only where `marked` says that the client's text has it.
 */
export class Positions {
  readonly text: string;
  readonly #encoding: PositionEncoding;
  readonly #starts: readonly number[];

  constructor(text: string, encoding: PositionEncoding, { marked = false }: { marked?: boolean } = {}) {
    this.text = text;
    this.#encoding = encoding;
    this.#starts = startsOf(text, !marked && text.startsWith(byteOrderMark) ? 1 : 0);
  }

  at(offset: number): Position {
    const line = this.#lineOf(offset);
    const start = this.#starts[line]!;
    return { line, character: lengthOf[this.#encoding](this.text.slice(start, Math.max(start, offset))) };
  }

  range({ start, end }: Region): Range {
    return { start: this.at(start), end: this.at(end) };
  }

  /** The offset of a position. One beyond the end of a line means that end; one beyond the last line, the text's. */
  offset({ line, character }: Position): number {
    const start = this.#starts[line];
    if (start === undefined) return this.text.length;
    const content = this.text.slice(start, this.#contentEnd(line));
    return start + unitsOf(content, character, this.#encoding);
  }

  /** A line without its ending, as a region; the last line for one beyond it. */
  line(number: number): Region {
    const line = Math.min(Math.max(number, 0), this.#starts.length - 1);
    return { start: this.#starts[line]!, end: this.#contentEnd(line) };
  }

  #contentEnd(line: number): number {
    const next = this.#starts[line + 1];
    if (next === undefined) return this.text.length;
    return this.text.startsWith("\r\n", next - 2) && next - 2 >= this.#starts[line]! ? next - 2 : next - 1;
  }

  #lineOf(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}

function startsOf(text: string, first: number): number[] {
  const starts = [first];
  for (const ending of text.matchAll(/\r\n|\n|\r/g)) starts.push(ending.index + ending[0].length);
  return starts;
}

/** How many UTF-16 units the first `count` units of an encoding take. A count inside a character means its start. */
function unitsOf(content: string, count: number, encoding: PositionEncoding): number {
  if (encoding === "utf-16") return Math.min(count, content.length);
  let units = 0;
  let seen = 0;
  for (const character of content) {
    seen += lengthOf[encoding](character);
    if (seen > count) return units;
    units += character.length;
  }
  return units;
}
