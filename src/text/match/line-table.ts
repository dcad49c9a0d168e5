import { byteOrderMark } from "../model/encoding.ts";
import { type Ending, lineStarts } from "../model/lines.ts";
import { Interner } from "./intern.ts";
import { findSequences, type Occurrences } from "./sequences.ts";

/**
 * A text as hunks see it: lines compared without their endings, so that CRLF equals LF, and without a byte order
 * mark that only the file has. Lines count from 0.
 */
export class LineTable {
  readonly text: string;
  readonly feed: "\n" | "\r";
  readonly count: number;
  /** Whether there is any CR that may be part of an ending. */
  readonly returns: boolean;
  readonly #starts: Int32Array;
  /** The length of a byte order mark. */
  readonly #top: number;

  constructor(text: string, feed: "\n" | "\r" = "\n") {
    this.text = text;
    this.feed = feed;
    this.returns = feed === "\n" && text.includes("\r");
    this.#starts = lineStarts(text, feed);
    this.#top = text.startsWith(byteOrderMark) ? 1 : 0;
    this.count = this.#starts.length;
  }

  /** Whether the lines are there, one after the other. */
  hasLines(keys: readonly string[], line: number): boolean {
    if (line < 0 || line + keys.length > this.count) return false;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      const from = this.start(line + i, key);
      const to = this.end(line + i);
      // Two strings are compared faster than a string with a part of another.
      if (to !== from + key.length || this.text.slice(from, to) !== key) return false;
    }
    return true;
  }

  /** Where the text of a line begins: behind a byte order mark, unless `key` begins with one. */
  start(line: number, key = ""): number {
    if (line === 0 && this.#top > 0 && !key.startsWith(byteOrderMark)) return this.#top;
    return this.#starts[line] ?? this.text.length;
  }

  /** Where the text of a line ends, before its ending. */
  end(line: number): number {
    const at = this.#stop(line);
    return this.returns && at > this.#starts[line]! && this.text.charCodeAt(at - 1) === 13 ? at - 1 : at;
  }

  /** How a line ends; empty for a last line that does not. */
  ending(line: number): Ending | "" {
    const at = this.#stop(line);
    if (at === this.#next(line)) return "";
    return this.end(line) === at ? this.feed : "\r\n";
  }

  /** Where a line ends, before its feed. */
  #stop(line: number): number {
    const end = this.#next(line);
    return this.text.charCodeAt(end - 1) === this.feed.charCodeAt(0) ? end - 1 : end;
  }

  #next(line: number): number {
    return this.#starts[line + 1] ?? this.text.length;
  }
}

/** A line of a patch as it is compared: without the CR that a CRLF ending leaves. */
export function lineKey(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

/** Looks many runs of lines up at once, the first time one of them is asked for. */
export function createFinder(table: LineTable, runs: readonly (readonly string[])[]) {
  let found: readonly Occurrences[] | undefined;
  return (run: number): Occurrences => {
    found ??= findRuns(table, runs);
    return found[run]!;
  };
}

/** A run of lines with more places than this is ambiguous in any case. */
const placesKept = 4096;

function findRuns(table: LineTable, runs: readonly (readonly string[])[]): Occurrences[] {
  const interner = new Interner();
  const needles = runs.map((keys) => keys.map((key) => interner.id(withoutMark(key))));
  const hay = new Int32Array(table.count);
  for (let line = 0; line < table.count; line++) hay[line] = interner.find(textAt(table, line));
  return findSequences(hay, needles, placesKept);
}

function withoutMark(key: string): string {
  return key.startsWith(byteOrderMark) ? key.slice(1) : key;
}

/** The lines of a table by their text, exact and trimmed. Each index is built on first use. */
export class LineIndex {
  readonly #table: LineTable;
  #exact: Map<string, number[]> | undefined;
  #trimmed: Map<string, number[]> | undefined;

  constructor(table: LineTable) {
    this.#table = table;
  }

  /** The lines equal to an anchor; if there are none, those that are equal when trimmed. */
  anchors(anchor: string): readonly number[] {
    return this.exact(anchor).length > 0 ? this.exact(anchor) : this.trimmed(anchor);
  }

  exact(key: string): readonly number[] {
    this.#exact ??= indexBy(this.#table, (line) => line);
    return this.#exact.get(key) ?? [];
  }

  trimmed(key: string): readonly number[] {
    this.#trimmed ??= indexBy(this.#table, (line) => line.trim());
    return this.#trimmed.get(key.trim()) ?? [];
  }

  /**
   * The possible places of a run of lines, by its rarest line; null if even that line is too frequent to try all
   * places.
   */
  candidates(keys: readonly string[], by: "exact" | "trimmed"): readonly number[] | null {
    let best: { readonly lines: readonly number[]; readonly offset: number } | null = null;
    for (const [offset, key] of keys.entries()) {
      const lines = this[by](key);
      if (best === null || lines.length < best.lines.length) best = { lines, offset };
    }
    if (best === null || best.lines.length > placesKept) return null;
    const { lines, offset } = best;
    return lines.map((line) => line - offset).filter((line) => line >= 0);
  }
}

function indexBy(table: LineTable, key: (line: string) => string): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (let line = 0; line < table.count; line++) {
    const name = key(textAt(table, line));
    const known = index.get(name);
    if (known) known.push(line);
    else index.set(name, [line]);
  }
  return index;
}

/** The text of a line, without its ending and a byte order mark. */
export function textAt(table: LineTable, line: number): string {
  return table.text.slice(table.start(line), table.end(line));
}
