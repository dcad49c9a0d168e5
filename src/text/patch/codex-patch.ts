import { defined } from "../model/defined.ts";
import type { Edit } from "../model/edit.ts";
import type { Hunk } from "../model/hunk.ts";
import { accept, type Outcome } from "../model/outcome.ts";
import { tooLong, tooMany } from "./limits.ts";
import { malformed } from "./malformed.ts";
import { PatchLines } from "./patch-lines.ts";
import {
  type HunkHeader,
  isBlank,
  isBodyLine,
  makeHunk,
  parseHunkHeader,
  parseLines,
} from "./unified-hunk.ts";

/**
 * The edits of a `*** Begin Patch` patch: files added, updated (perhaps moved) and deleted. Updates name no
 * line numbers; `@@` lines quote a line above. Text around the patch is passed over; inside it,
 * every line must be understood.
 */
export function parseCodexPatch(patch: string): Outcome<readonly Edit[]> {
  const long = tooLong(patch);
  if (long) return long;
  const lines = new PatchLines(patch, (line) => isMarker(line, "Begin Patch") || operation.test(line));
  const bounds = findPatches(lines);
  if (!bounds.ok) return bounds;
  const edits: Edit[] = [];
  for (const { from, end } of bounds.value) {
    const parsed = parseOperations(lines, from, end, edits);
    if (!parsed.ok) return parsed;
  }
  return edits.length === 0 ? malformed("a patch that asks for nothing") : accept(edits);
}

const operation = /^\s*\*\*\* (Add|Update|Delete) File: *(.*)$/;

function isMarker(line: string, words: string): boolean {
  return line.includes("***") && line.trim() === `*** ${words}`;
}

type Bounds = { readonly from: number; readonly end: number };

/** The lines between Begin and End; without either, all from the first operation on. */
function findPatches(lines: PatchLines): Outcome<Bounds[]> {
  const bounds: Bounds[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!isMarker(lines.at(at)!, "Begin Patch")) continue;
    const end = findEnd(lines, at + 1);
    if (end < 0) return malformed("a patch that begins but does not end", at + 1);
    bounds.push({ from: at + 1, end });
    at = end;
  }
  return bounds.length > 0 ? accept(bounds) : findBareOperations(lines);
}

/** A padded marker counts only where no plain one follows: a line of context may look like it. */
function findEnd(lines: PatchLines, from: number): number {
  let padded = -1;
  for (let at = from; at < lines.length; at++) {
    const line = lines.at(at)!;
    if (line.startsWith("***") && isMarker(line, "Begin Patch")) break;
    if (!isMarker(line, "End Patch")) continue;
    if (line.startsWith("***")) return at;
    if (padded < 0) padded = at;
  }
  return padded;
}

function findBareOperations(patch: PatchLines): Outcome<Bounds[]> {
  const lines = [...patch];
  const first = lines.findIndex((line) => line.startsWith("*** ") && operation.test(line));
  if (first < 0) return malformed("no *** Begin Patch");
  const stray = lines.findIndex((line) => line.startsWith("*** ") && isMarker(line, "End Patch"));
  if (stray >= 0) return malformed("a patch that ends but does not begin", stray + 1);
  const fenced = first > 0 && isFence(lines[first - 1]!);
  const close = fenced ? lines.findLastIndex((line, i) => i > first && isFence(line)) : -1;
  return accept([{ from: first, end: close < 0 ? lines.length : close }]);
}

function isFence(line: string): boolean {
  return /^(?:```|~~~)/.test(line);
}

function parseOperations(lines: PatchLines, from: number, end: number, edits: Edit[]): Outcome<true> {
  for (let at = from; at < end; ) {
    if (lines.at(at)!.trim() === "") {
      at++;
      continue;
    }
    const [, verb, name] = operation.exec(lines.at(at)!) ?? [];
    const path = name?.trim().replace(/^(\.\/)+(?=.)/, "");
    if (!verb || !path)
      return malformed(verb ? "a file without a name" : "not the name of a file operation", at + 1);
    const asked = { path, reason: "", evidence: [] };
    at++;
    if (verb === "Delete") edits.push({ ...asked, target: { file: "delete" } });
    if (verb === "Add") {
      const start = at;
      while (at < end && lines.at(at)!.startsWith("+")) at++;
      let text = "";
      for (let line = start; line < at; line++) text += `${lines.behindMark(line)}\n`;
      edits.push({ ...asked, target: { file: "create" }, text });
      if (at < end && isMarker(lines.at(at)!, "End of File")) at++;
    }
    if (verb === "Update") {
      const parsed = parseUpdate(lines, at, end, path);
      if (!parsed.ok) return parsed;
      edits.push(...parsed.value.edits);
      at = parsed.value.next;
    }
    const many = tooMany(edits.length, "files");
    if (many) return many;
  }
  return accept(true);
}

function parseUpdate(
  lines: PatchLines,
  from: number,
  end: number,
  path: string,
): Outcome<{ edits: Edit[]; next: number }> {
  let at = from;
  const move = at < end ? /^\s*\*\*\* Move to: *(.*)$/.exec(lines.at(at)!) : null;
  if (move) at++;
  const to = move?.[1]?.trim().replace(/^(\.\/)+(?=.)/, "");
  if (to === "") return malformed("a move without a name", at);
  const hunks: Hunk[] = [];
  while (at < end && !(lines.at(at)!.startsWith("***") && operation.test(lines.at(at)!))) {
    const filled = skipBlanks(lines, at, end);
    if (filled === end || lines.at(filled)!.startsWith("***")) {
      if (filled === at) return malformed("not the name of a file operation", at + 1);
      at = filled;
      continue;
    }
    const parsed = parseChunk(lines, at, end);
    if (!parsed.ok) return parsed;
    hunks.push(parsed.value.hunk);
    at = parsed.value.next;
    const many = tooMany(hunks.length, "hunks");
    if (many) return many;
  }
  // A rename may show lines of the file that it leaves as they are.
  const changing = to === undefined ? hunks : hunks.filter(changesLines);
  if (hunks.length === 0 && to === undefined) return malformed("an update without a hunk", from);
  const asked = { reason: "", evidence: [] };
  const edits: Edit[] = changing.length > 0 ? [{ ...asked, path, target: { hunks: changing } }] : [];
  if (to !== undefined) edits.push({ ...asked, path, target: { file: "move" }, to });
  return accept({ edits, next: at });
}

function changesLines({ lines }: Hunk): boolean {
  return lines.some(({ kind }) => kind !== "context");
}

function skipBlanks(lines: PatchLines, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(lines, at)) at++;
  return at;
}

/** One hunk: its `@@` lines, its body, and perhaps the marker that it reaches the end of the file. */
function parseChunk(lines: PatchLines, from: number, end: number): Outcome<{ hunk: Hunk; next: number }> {
  let at = from;
  let header: HunkHeader = {};
  const anchors: string[] = [];
  for (; at < end && lines.at(at)!.startsWith("@@"); at++) {
    const parsed = parseHunkHeader(lines.at(at)!, at + 1);
    if (!parsed.ok) return parsed;
    const { anchor, ...numbers } = parsed.value;
    if (anchor !== undefined) anchors.push(anchor);
    header = { ...header, ...numbers };
  }
  const start = at;
  while (at < end && (isBodyLine(lines, at) || isBlank(lines, at))) at++;
  let stop = at;
  while (stop > start && isBlank(lines, stop - 1)) stop--;
  if (at < end && !/^(?:@@|\*\*\*)/.test(lines.at(at)!))
    return malformed("a line of a hunk that is neither context, removed nor added", at + 1);
  const body = parseLines(lines, start, stop);
  if (!body.ok) return body;
  const made = makeHunk(header, body.value, from + 1);
  if (!made.ok) return made;
  const marked = at < end && isMarker(lines.at(at)!, "End of File");
  if (marked) at++;
  else if (at < end && lines.at(at)!.startsWith("***") && !operation.test(lines.at(at)!))
    return malformed("not the name of a file operation", at + 1);
  // Added lines without any place go to the end of the file.
  const nowhere = anchors.length === 0 && header.line === undefined;
  const atEnd = marked || (nowhere && made.value.lines.every(({ kind }) => kind === "added"));
  const hunk = {
    ...made.value,
    ...defined({ anchors: anchors.length > 0 ? anchors : undefined }),
    ...(atEnd ? ({ atEnd } as const) : {}),
  };
  return accept({ hunk, next: at });
}
