import type { Hunk, HunkLine } from "../model/hunk.ts";
import { accept, type Outcome } from "../model/outcome.ts";
import { malformed } from "./malformed.ts";

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
  const numbers = /^@@ *-(\d{1,20})(?:,(\d{1,20}))? +\+(\d{1,20})(?:,(\d{1,20}))? *(?:@@(.*)|$)/.exec(text);
  if (!numbers) {
    if (/^@@ *[-+] *[-+]?\d/.test(text)) return malformed("a hunk header whose numbers cannot be read", line);
    const anchor = anchorOf(text);
    return accept(anchor === "" ? {} : { anchor });
  }
  const [, old, oldCount, now, newCount, behind = ""] = numbers;
  const counts = { old: Number(oldCount ?? 1), new: Number(newCount ?? 1) };
  const section = behind.trim();
  const header = {
    line: Number(old),
    newLine: Number(now),
    counts,
    inserts: Number(oldCount ?? 0) === 0,
    ...(section === "" ? {} : { section }),
  };
  if (Math.max(header.line, header.newLine, counts.old, counts.new) > largestNumber)
    return malformed("a hunk header with absurd numbers", line);
  return accept(header);
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
  lines: readonly string[],
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
  while (next < lines.length && !isEnd(next) && (isBodyLine(lines[next]!) || isBlank(lines[next]!))) next++;
  let end = next;
  while (end > from && isBlank(lines[end - 1]!)) end--;
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

function bodyOf(lines: readonly string[], { from, end, next, sure }: BodyLines): Outcome<HunkBody> {
  const body = parseLines(lines, from, end);
  return body.ok ? accept({ lines: body.value, next, sure }) : body;
}

function takeCounted(
  lines: readonly string[],
  from: number,
  counts: { old: number; new: number },
  isEnd?: (at: number) => boolean,
): number | null {
  let { old, new: now } = counts;
  let at = from;
  for (; old > 0 || now > 0; at++) {
    const line = lines[at];
    if (line === undefined) return null;
    // Where the numbers agree, a line without a mark is context that lost its space.
    const isLost = isEnd !== undefined && !isEnd(at);
    if (!isBodyLine(line) && !isBlank(line) && !isLost) return null;
    const mark = line[0];
    if (mark === "\\") continue;
    if (mark !== "+") old--;
    if (mark !== "-") now--;
    if (old < 0 || now < 0) return null;
  }
  while (lines[at]?.startsWith("\\")) at++;
  return at;
}

/** Whether nothing behind the counted lines looks like more of them. */
function endsThere(lines: readonly string[], counted: number, isEnd: (at: number) => boolean): boolean {
  let at = counted;
  while (at < lines.length && isBlank(lines[at]!)) at++;
  return at >= lines.length || isEnd(at) || !isBodyLine(lines[at]!);
}

export function isBodyLine(line: string): boolean {
  const mark = line[0];
  return mark === " " || mark === "+" || mark === "-" || mark === "\\";
}

/** A blank context line that lost its leading space. */
export function isBlank(line: string): boolean {
  return line === "" || line === "\r";
}

/** Lines `from` to `end` of a patch as lines of a hunk. */
export function parseLines(
  lines: readonly string[],
  from: number,
  end: number,
): Outcome<readonly HunkLine[]> {
  const body: HunkLine[] = [];
  let marked = false;
  for (let at = from; at < end; at++) {
    const line = lines[at]!;
    if (line.startsWith("\\")) {
      const last = body.pop();
      if (!last) return malformed("a no-newline marker without a line before it", at + 1);
      body.push({ ...last, noNewline: true });
      marked = true;
    } else if (isBlank(line) || !isBodyLine(line)) body.push({ kind: "context", text: line });
    else body.push({ kind: kindOf(line.charCodeAt(0)), text: line.slice(1) });
  }
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

const plus = "+".charCodeAt(0);
const minus = "-".charCodeAt(0);

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
  const hunk: { -readonly [K in keyof Hunk]: Hunk[K] } = { lines: body, source };
  if (line !== undefined) hunk.line = line;
  if (newLine !== undefined) hunk.newLine = newLine;
  if (anchor !== undefined) hunk.anchors = [anchor];
  if (section !== undefined) hunk.section = section;
  if (counts && (counts.old !== old || counts.new !== now)) hunk.miscounted = counts;
  return accept(hunk);
}
