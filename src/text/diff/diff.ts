import { defined } from "../model/defined.ts";
import type { FileMode } from "../model/edit.ts";
import type { Change, Plan } from "../model/plan.ts";
import type { Splice } from "../model/splice.ts";
import { compareTexts } from "./compare.ts";

/**
 * One file to print. Splices refer to `before`, which is the text of `from` where the file was moved or copied
 * from there. `before: null` is a new file, `after: null` a deleted one; other afters follow from the splices.
 */
export type FileDiff = {
  readonly path: string;
  readonly before: string | null;
  readonly after?: string | null;
  readonly splices: readonly Splice[];
  readonly from?: string;
  readonly copied?: boolean;
  readonly mode?: FileMode;
};

/**
 * A unified diff in git's form, which git and GNU patch apply. Lines end at LF; a CR belongs to its line. Made
 * from the known splices: apart from counting lines, time grows with the edit and not with the text.
 */
export function printDiff(change: FileDiff, options: { context?: number } = {}): string {
  const before = change.before ?? "";
  const deleted = change.after === null && change.before !== null;
  const splices = deleted ? [{ region: { start: 0, end: before.length }, text: "" }] : change.splices;
  const hunks = printHunks(before, wholeLines(before, splices), options.context ?? 3);
  const header = printHeader(change);
  if (hunks === "" && header === "") return "";
  const first = `diff --git ${quoteName(oldName(change), hunks === "")} ${quoteName(newName(change), hunks === "")}\n`;
  return first + header + (hunks === "" ? "" : printNames(change) + hunks);
}

/** The unified diff that turns one text into another; empty where they are equal. */
export function createPatch(
  before: string,
  after: string,
  { path = "text", context }: { readonly path?: string; readonly context?: number } = {},
): string {
  const change = { path, before, after, splices: compareTexts(before, after) };
  return printDiff(change, context === undefined ? {} : { context });
}

/** The diffs of all files of a plan, a move as a rename. */
export function printPlanDiff(plan: Plan, options: { context?: number } = {}): string {
  const sources = new Map(plan.changes.map((change) => [change.path, change]));
  const lastMoves = new Map(
    plan.changes.flatMap((change) => (isMove(change, sources) ? [[change.from!, change]] : [])),
  );
  return plan.changes
    .filter(({ path }) => !lastMoves.has(path))
    .map((change) => printDiff(asFileDiff(change, sources, lastMoves), options))
    .join("");
}

/** A file that is new at its path, and whose source is gone. */
function isMove(change: Change, sources: ReadonlyMap<string, Change>): boolean {
  return change.from !== undefined && change.before.text === null && sources.get(change.from)?.after === null;
}

function asFileDiff(
  change: Change,
  sources: ReadonlyMap<string, Change>,
  lastMoves: ReadonlyMap<string, Change>,
): FileDiff {
  const { path, after, splices, from, mode } = change;
  const before = change.before.text;
  const common = { path, after, ...defined({ mode }) };
  if (from === undefined) return { ...common, before, splices };
  // A patch cannot describe a file that was moved over another one.
  if (before !== null) return { ...common, before, splices: compareTexts(before, after ?? "") };
  const source = sources.get(from)?.before.text ?? (splices.length === 0 ? after : null);
  if (source === null) return { ...common, before, splices: compareTexts("", after ?? "") };
  return { ...common, before: source, splices, from, copied: lastMoves.get(from) !== change };
}

/** A range of whole lines, and the lines that replace them. */
type LineBlock = { readonly start: number; readonly end: number; readonly text: string };

/** The splices widened to whole lines, and narrowed again to the lines that differ. */
function wholeLines(before: string, splices: readonly Splice[]): LineBlock[] {
  const blocks: LineBlock[] = [];
  let open: { start: number; text: string; at: number; end: number } | undefined;
  let knownEnd = 0;

  const close = (): void => {
    if (!open) return;
    const { start, at, end } = open;
    const text = open.text + before.slice(at, end);
    for (const { region, text: lines } of compareTexts(before.slice(start, end), text))
      blocks.push({ start: start + region.start, end: start + region.end, text: lines });
  };

  for (const { region, text } of splices) {
    const start = open && region.start <= open.end ? open.end : lineStart(before, region.start);
    if (open && start === open.end) {
      open.text += before.slice(open.at, region.start) + text;
      open.at = region.end;
    } else {
      close();
      open = { start, text: before.slice(start, region.start) + text, at: region.end, end: 0 };
    }
    const whole = isLineStart(before, open.at) && (open.text === "" || open.text.endsWith("\n"));
    // Splices may crowd on one long line: its end is looked for once.
    if (!whole && open.at >= knownEnd) knownEnd = lineEnd(before, open.at);
    open.end = whole ? open.at : knownEnd;
  }
  close();
  return blocks;
}

function isLineStart(text: string, offset: number): boolean {
  return offset === 0 || text.charCodeAt(offset - 1) === 10;
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const feed = text.indexOf("\n", offset);
  return feed < 0 ? text.length : feed + 1;
}

function printHunks(before: string, blocks: readonly LineBlock[], context: number): string {
  let printed = "";
  let line = 1;
  let shift = 0;
  let at = 0;
  for (let next = 0; next < blocks.length; ) {
    const start = linesUp(before, blocks[next]!.start, context, at);
    line += countLines(before, at, start);
    at = start;
    let body = "";
    let removed = 0;
    let added = 0;
    const write = (prefix: " " | "-" | "+", text: string): void => {
      const count = countLines(text, 0, text.length);
      if (prefix !== "+") removed += count;
      if (prefix !== "-") added += count;
      body += printLines(prefix, text);
    };
    for (;;) {
      const block = blocks[next++]!;
      write(" ", before.slice(at, block.start));
      write("-", before.slice(block.start, block.end));
      write("+", block.text);
      at = block.end;
      const following = blocks[next];
      const near = linesDown(before, at, 2 * context);
      if (following && following.start <= near) continue;
      const end = linesDown(before, at, context);
      write(" ", before.slice(at, end));
      at = end;
      break;
    }
    printed += `@@ -${printRange(line, removed)} +${printRange(line + shift, added)} @@\n${body}`;
    line += removed;
    shift += added - removed;
  }
  return printed;
}

/** The start of the line `count` lines above, but not above `least`. */
function linesUp(text: string, offset: number, count: number, least: number): number {
  let at = offset;
  for (let i = 0; i < count && at > least; i++) at = lineStart(text, at - 1);
  return at;
}

function linesDown(text: string, offset: number, count: number): number {
  let at = offset;
  for (let i = 0; i < count && at < text.length; i++) at = lineEnd(text, at);
  return at;
}

function countLines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; count++) at = lineEnd(text, at);
  return count;
}

/** A range with no lines is named by the line before it. */
function printRange(line: number, count: number): string {
  if (count === 1) return `${line}`;
  return `${count === 0 ? line - 1 : line},${count}`;
}

function printLines(prefix: string, text: string): string {
  let printed = "";
  for (let at = 0; at < text.length; ) {
    const end = lineEnd(text, at);
    printed += prefix + text.slice(at, end);
    at = end;
  }
  return text === "" || text.endsWith("\n") ? printed : `${printed}\n\\ No newline at end of file\n`;
}

function printHeader({ path, before, after, from, copied, mode }: FileDiff): string {
  if (before === null) return `new file mode ${printMode(mode ?? "regular")}\n`;
  if (after === null) return `deleted file mode ${printMode(mode ?? "regular")}\n`;
  let header = "";
  if (mode) {
    const other = mode === "regular" ? "executable" : "regular";
    header += `old mode ${printMode(other)}\nnew mode ${printMode(mode)}\n`;
  }
  if (from !== undefined) {
    const verb = copied ? "copy" : "rename";
    header += `${verb} from ${quoteName(from)}\n${verb} to ${quoteName(path)}\n`;
  }
  return header;
}

function printMode(mode: FileMode): string {
  return mode === "executable" ? "100755" : "100644";
}

function printNames(change: FileDiff): string {
  const old = change.before === null ? "/dev/null" : endedName(oldName(change));
  const fresh = change.after === null ? "/dev/null" : endedName(newName(change));
  return `--- ${old}\n+++ ${fresh}\n`;
}

function oldName({ path, from }: FileDiff): string {
  return `a/${from ?? path}`;
}

function newName({ path }: FileDiff): string {
  return `b/${path}`;
}

/** A tab tells where a name with blanks ends; a time could follow. */
function endedName(name: string): string {
  const quoted = quoteName(name);
  return quoted === name && /\s/.test(name) ? `${name}\t` : quoted;
}

const escapes: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

/**
 * A name as git writes it: between quotes, with escapes, when it holds characters that would break the line. GNU patch
 * needs the quotes around blanks as well where it has only the first line to learn the name from.
 */
function quoteName(name: string, alone = false): string {
  const escaped = name.replace(/[\x00-\x1f\x7f"\\]/g, escapeUnit);
  return escaped === name && !(alone && name.includes(" ")) ? name : `"${escaped}"`;
}

function escapeUnit(unit: string): string {
  return escapes[unit] ?? `\\${unit.charCodeAt(0).toString(8).padStart(3, "0")}`;
}
