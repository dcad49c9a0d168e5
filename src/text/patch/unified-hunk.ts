import type { Hunk, HunkLine } from "../model/hunk.ts";
import { accept, type Outcome } from "../model/outcome.ts";
import { malformed } from "./malformed.ts";
import type { PatchLines } from "./patch-lines.ts";

export type HunkHeader = {
  readonly line?: number;
  readonly newLine?: number;
  /** How many lines the header claims; absent where it has no numbers. */
  readonly counts?: { readonly old: number; readonly new: number };
  /** The header gives the old side no lines, or does not say how many. */
  readonly inserts?: boolean;
  readonly anchor?: string;
  readonly section?: string;
};

/** No file has more lines than this. */
const largestNumber = 999_999_999;

/** A line that begins with `@@`: numbers, or a line of the file to look below, or nothing. */
export function parseHunkHeader(text: string, line: number): Outcome<HunkHeader> {
  if (text.startsWith("@@@")) return malformed("the combined diff of a merge", line);
  const header = new HeaderScanner(text).read();
  if (!header) {
    if (/^@@ *[-+] *[-+]?\d/.test(text)) return malformed("a hunk header whose numbers cannot be read", line);
    const anchor = anchorOf(text);
    return accept(anchor === "" ? {} : { anchor });
  }
  const { line: old, newLine: now, counts } = header;
  if (Math.max(old, now, counts.old, counts.new) > largestNumber)
    return malformed("a hunk header with absurd numbers", line);
  return accept(header);
}

type NumberedHeader = HunkHeader & Required<Pick<HunkHeader, "line" | "newLine" | "counts">>;

/** Reads `@@ -1,2 +3,4 @@ section` from left to right. A regular expression makes many objects for each of thousands. */
class HeaderScanner {
  readonly #text: string;
  #at = 2;

  constructor(text: string) {
    this.#text = text;
  }

  /** The header, where the line has its numbers. */
  read(): NumberedHeader | null {
    this.#skipSpaces();
    const line = this.#take(minus) ? this.#number() : -1;
    const oldCount = this.#take(comma) ? this.#number() : none;
    if (line < 0 || oldCount === -1 || this.#skipSpaces() === 0) return null;
    const newLine = this.#take(plus) ? this.#number() : -1;
    const newCount = this.#take(comma) ? this.#number() : none;
    if (newLine < 0 || newCount === -1) return null;
    this.#skipSpaces();
    const isClosed = this.#text.startsWith("@@", this.#at);
    if (!isClosed && this.#at < this.#text.length) return null;
    const counts = { old: oldCount === none ? 1 : oldCount, new: newCount === none ? 1 : newCount };
    const header = { line, newLine, counts, inserts: oldCount <= 0 };
    const section = isClosed ? sectionOf(this.#text.slice(this.#at + 2)) : "";
    return section === "" ? header : { ...header, section };
  }

  /** How many spaces there were. */
  #skipSpaces(): number {
    const from = this.#at;
    while (this.#text.charCodeAt(this.#at) === space) this.#at++;
    return this.#at - from;
  }

  #take(unit: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== unit) return false;
    this.#at++;
    return true;
  }

  /** A number of up to twenty digits; -1 where there is none. */
  #number(): number {
    const from = this.#at;
    let value = 0;
    for (; isDigit(this.#text.charCodeAt(this.#at)); this.#at++)
      value = 10 * value + this.#text.charCodeAt(this.#at) - zero;
    return this.#at === from || this.#at > from + 20 ? -1 : value;
  }
}

/** The header does not say how many lines there are. */
const none = -2;

/** The words behind the numbers. A lone CR ends them. */
function sectionOf(behind: string): string {
  return behind === "" ? "" : behind.split(/[\r\u2028\u2029]/, 1)[0]!.trim();
}

const space = " ".charCodeAt(0);
const plus = "+".charCodeAt(0);
const minus = "-".charCodeAt(0);
const backslash = "\\".charCodeAt(0);
const carriageReturn = 13;
const comma = ",".charCodeAt(0);
const zero = "0".charCodeAt(0);

function isDigit(unit: number): boolean {
  return unit >= zero && unit < zero + 10;
}

/** The words after `@@`, without the closing `@@`; three dots count as no words. */
function anchorOf(text: string): string {
  const bare = text.slice(2).replace(/^ /, "").trimEnd();
  const open = bare.endsWith("@@") ? bare.slice(0, -2).trimEnd() : bare;
  return open.trim() === "..." || open.trim() === "…" ? "" : open;
}

/** Lines `from` up to `next` belong to the hunk; `sure` when the header counts them right. */
type HunkBody = { readonly lines: readonly HunkLine[]; readonly next: number; readonly sure: boolean };

/**
 * The lines of a hunk. The header's counts decide where it ends if they lead to an end; else the lines do, and
 * `isEnd` knows what can only be the next hunk or file.
 */
export function parseBody(
  lines: PatchLines,
  from: number,
  counts: HunkHeader["counts"],
  isEnd: (at: number) => boolean,
): Outcome<HunkBody> {
  const counted = counts && takeCounted(lines, from, counts);
  if (counted && endsThere(lines, counted, isEnd))
    return bodyOf(lines, { from, end: counted, next: counted, sure: true });
  const bare = counts && takeCounted(lines, from, counts, isEnd);
  if (bare && endsThere(lines, bare, isEnd))
    return bodyOf(lines, { from, end: bare, next: bare, sure: true });
  let next = from;
  while (next < lines.length && !isEnd(next) && (isBodyLine(lines, next) || isBlank(lines, next))) next++;
  let end = next;
  while (end > from && isBlank(lines, end - 1)) end--;
  const stopped = next < lines.length && !isEnd(next) && next === end;
  if (stopped) return malformed("a line of a hunk that is neither context, removed nor added", next + 1);
  return bodyOf(lines, { from, end, next, sure: false });
}

type BodyLines = {
  readonly from: number;
  readonly end: number;
  readonly next: number;
  readonly sure: boolean;
};

function bodyOf(lines: PatchLines, { from, end, next, sure }: BodyLines): Outcome<HunkBody> {
  const body = parseLines(lines, from, end);
  return body.ok ? accept({ lines: body.value, next, sure }) : body;
}

function takeCounted(
  lines: PatchLines,
  from: number,
  counts: { old: number; new: number },
  isEnd?: (at: number) => boolean,
): number | null {
  let { old, new: now } = counts;
  let at = from;
  for (; old > 0 || now > 0; at++) {
    if (at >= lines.length) return null;
    // Where the numbers agree, a line without a mark is context that lost its space.
    const isLost = isEnd !== undefined && !isEnd(at);
    if (!isBodyLine(lines, at) && !isBlank(lines, at) && !isLost) return null;
    const mark = lines.mark(at);
    if (mark === backslash) continue;
    if (mark !== plus) old--;
    if (mark !== minus) now--;
    if (old < 0 || now < 0) return null;
  }
  while (lines.mark(at) === backslash) at++;
  return at;
}

/** Whether nothing behind the counted lines looks like more of them. */
function endsThere(lines: PatchLines, counted: number, isEnd: (at: number) => boolean): boolean {
  let at = counted;
  while (at < lines.length && isBlank(lines, at)) at++;
  return at >= lines.length || isEnd(at) || !isBodyLine(lines, at);
}

export function isBodyLine(lines: PatchLines, at: number): boolean {
  const mark = lines.mark(at);
  return mark === space || mark === plus || mark === minus || mark === backslash;
}

/** A blank context line that lost its leading space. */
export function isBlank(lines: PatchLines, at: number): boolean {
  return lines.isEmpty(at) || (lines.mark(at) === carriageReturn && lines.at(at) === "\r");
}

/** Lines `from` to `end` of a patch as lines of a hunk. */
export function parseLines(lines: PatchLines, from: number, end: number): Outcome<readonly HunkLine[]> {
  const body = new Array<HunkLine>(end - from);
  let count = 0;
  let marked = false;
  for (let at = from; at < end; at++) {
    const mark = lines.mark(at);
    if (mark === backslash) {
      if (count === 0) return malformed("a no-newline marker without a line before it", at + 1);
      body[count - 1] = { ...body[count - 1]!, noNewline: true };
      marked = true;
    } else if (isBodyLine(lines, at)) body[count++] = { kind: kindOf(mark), text: lines.behindMark(at) };
    else body[count++] = { kind: "context", text: lines.at(at)! };
  }
  body.length = count;
  if (marked && !(endsMarked(body, "added") && endsMarked(body, "removed")))
    return malformed("a no-newline marker before the last line", from + 1);
  return accept(body);
}

/** Whether a marker is only on the last line of a side. */
function endsMarked(body: readonly HunkLine[], without: HunkLine["kind"]): boolean {
  const side = body.filter(({ kind }) => kind !== without);
  return !side.slice(0, -1).some(({ noNewline }) => noNewline);
}

function kindOf(mark: number): HunkLine["kind"] {
  if (mark === plus) return "added";
  return mark === minus ? "removed" : "context";
}

/** A hunk out of its header and body; wrong numbers of the header are kept to be reported. */
export function makeHunk(header: HunkHeader, body: readonly HunkLine[], source: number): Outcome<Hunk> {
  const { line, newLine, counts, anchor, section, inserts } = header;
  if (body.length === 0) return malformed("a hunk without lines", source);
  let old = 0;
  let now = 0;
  for (const { kind } of body) {
    if (kind !== "added") old++;
    if (kind !== "removed") now++;
  }
  if (old === 0 && counts && !inserts)
    return malformed("a hunk that adds lines but shows none of those its header counts", source);
  // Fields that are added one by one take more room.
  const hunk: { -readonly [K in keyof Hunk]: Hunk[K] } =
    line === undefined || newLine === undefined
      ? { lines: body, source }
      : { lines: body, line, newLine, source };
  if (anchor !== undefined) hunk.anchors = [anchor];
  if (section !== undefined) hunk.section = section;
  if (counts && (counts.old !== old || counts.new !== now)) hunk.miscounted = counts;
  return accept(hunk);
}
