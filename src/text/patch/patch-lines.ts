import { lineStarts } from "../model/lines.ts";

/**
 * The lines of a patch, each cut out when it is asked for: long patches have a hundred thousand of them. If the first line
 * that `marks` accepts ends with CR, the patch itself was sent with CRLF, and a CR at the end of a line does not belong to it.
 */
export class PatchLines {
  readonly length: number;
  readonly #patch: string;
  readonly #starts: Int32Array;
  readonly #returns: boolean;

  constructor(patch: string, marks: (line: string) => boolean) {
    this.#patch = patch;
    this.#starts = lineStarts(patch, "\n");
    this.length = this.#starts.length;
    this.#returns = false;
    this.#returns = this.#firstOf(marks)?.endsWith("\r") === true;
  }

  at(line: number): string | undefined {
    return line < this.length ? this.#patch.slice(this.#starts[line], this.#end(line)) : undefined;
  }

  /** The first unit of a line; 0 if the line is empty or not there. */
  mark(line: number): number {
    return line < this.length && !this.isEmpty(line) ? this.#patch.charCodeAt(this.#starts[line]!) : 0;
  }

  /** The text of a line behind its mark. */
  behindMark(line: number): string {
    return this.#patch.slice(this.#starts[line]! + 1, this.#end(line));
  }

  isEmpty(line: number): boolean {
    return this.#starts[line] === this.#end(line);
  }

  *[Symbol.iterator](): Generator<string> {
    for (let line = 0; line < this.length; line++) yield this.at(line)!;
  }

  #firstOf(marks: (line: string) => boolean): string | undefined {
    for (const line of this) if (marks(line)) return line;
    return undefined;
  }

  /** Where a line ends, before its LF. */
  #end(line: number): number {
    const next = this.#starts[line + 1];
    const isEnded = next !== undefined || this.#patch.charCodeAt(this.#patch.length - 1) === lineFeed;
    const end = isEnded ? (next ?? this.#patch.length) - 1 : this.#patch.length;
    const isReturn = this.#returns && end > this.#starts[line]! && this.#patch.charCodeAt(end - 1) === 13;
    return isReturn ? end - 1 : end;
  }
}

const lineFeed = 10;

/** The lines of a patch, all at once. */
export function splitPatch(patch: string, marks: (line: string) => boolean): string[] {
  return [...new PatchLines(patch, marks)];
}
