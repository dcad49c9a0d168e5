import type { Edit } from "../model/edit.ts";
import type { Hunk } from "../model/hunk.ts";
import { accept, type Outcome, type Refused } from "../model/outcome.ts";
import { parseHeaderName } from "./git-names.ts";
import { parseGitHeader } from "./git-section.ts";
import { tooLong, tooMany } from "./limits.ts";
import { malformed } from "./malformed.ts";
import { editsOf, type Section } from "./patch-edits.ts";
import { PatchLines } from "./patch-lines.ts";
import { makeHunk, parseBody, parseHunkHeader } from "./unified-hunk.ts";

/**
 * The edits of a unified diff, as `diff`, git, people and models write them: several files, git's extended
 * headers, prose and code fences around, counts that are wrong or missing. `path` names the file of a patch
 * without headers, and refuses one that names another; `strip` drops leading parts of every name.
 */
export function parseUnified(
  patch: string,
  options: { path?: string; strip?: number } = {},
): Outcome<readonly Edit[]> {
  const long = tooLong(patch);
  if (long) return long;
  const lines = new PatchLines(patch, isHeader);
  const sections = parseSections(lines, options.path !== undefined);
  if (!sections.ok) return sections;
  if (sections.value.length === 0) return refuseOtherFormat(lines);
  return editsOf(sections.value, options);
}

function isHeader(line: string): boolean {
  return /^(?:diff |--- |\+\+\+ |@@ [^@]*@@\r?$|@@\r?$)/.test(line);
}

function parseSections(lines: PatchLines, headerless: boolean): Outcome<Section[]> {
  const sections: OpenSection[] = [];
  let hunks = 0;
  let part = 0;
  let fence = false;
  // After a hunk whose end was guessed, a line that adds or removes would be lost without notice.
  let wary = false;
  const isEnd = (at: number): boolean => endsHunk(lines, at, fence);
  for (let at = 0; at < lines.length; ) {
    const line = lines.at(at)!;
    const current = sections.at(-1);
    if (line.startsWith("@@")) {
      if (!current && !headerless) return malformed("a hunk, but not the file it is for", at + 1);
      const parsed = parseHunk(lines, at, isEnd);
      if (!parsed.ok) return parsed;
      if (!current) sections.push({ line: at + 1, part, hunks: [] });
      sections.at(-1)!.hunks.push(parsed.value.hunk);
      const many = tooMany(++hunks, "hunks");
      if (many) return many;
      at = parsed.value.next;
      wary = !parsed.value.sure && !fence;
      continue;
    }
    if (line.startsWith("diff --git ")) {
      const parsed = parseGitHeader(lines, at);
      if (!parsed.ok) return parsed;
      sections.push({ line: at + 1, part, hunks: [], git: parsed.value.header });
      at = parsed.value.next;
      wary = false;
    } else if (isFileHeader(lines, at)) {
      const named = nameSection(lines, at, current, part);
      if (!named.ok) return named;
      if (named.value !== current) sections.push(named.value);
      at += 2;
      wary = false;
      const bare = isBareBody(lines, at) ? parseBare(lines, at, isEnd) : null;
      if (bare && !bare.ok) return bare;
      if (bare) {
        sections.at(-1)!.hunks.push(bare.value.hunk);
        at = bare.value.next;
      }
    } else if (line === "") at++;
    else {
      const foreign = foreignPart(lines, at);
      if (foreign) return malformed(foreign, at + 1);
      if (wary && /^[-+]/.test(line) && !isSignature(lines, at))
        return malformed("a changed line outside any hunk", at + 1);
      if (/^\s*(?:```|~~~)/.test(line)) fence = !fence;
      if (/^From [0-9a-f]{40} /.test(line)) part++;
      at++;
    }
    const many = tooMany(sections.length, "files");
    if (many) return many;
  }
  return accept(sections);
}

type OpenSection = Section & { hunks: Hunk[] };

function parseHunk(
  lines: PatchLines,
  at: number,
  isEnd: (at: number) => boolean,
): Outcome<{ hunk: Hunk; next: number; sure: boolean }> {
  const header = parseHunkHeader(lines.at(at)!, at + 1);
  if (!header.ok) return header;
  const body = parseBody(lines, at + 1, header.value.counts, isEnd);
  if (!body.ok) return body;
  const hunk = makeHunk(header.value, body.value.lines, at + 1);
  return hunk.ok ? accept({ hunk: hunk.value, next: body.value.next, sure: body.value.sure }) : hunk;
}

/** Whether the changed lines follow the names of the file without a `@@` line. */
function isBareBody(lines: PatchLines, at: number): boolean {
  let next = at;
  while (next < lines.length && /^ /.test(lines.at(next)!)) next++;
  return /^[-+](?![-+]{2} )/.test(lines.at(next) ?? "");
}

/** One hunk without a header: its lines determine its place. */
function parseBare(
  lines: PatchLines,
  at: number,
  isEnd: (at: number) => boolean,
): Outcome<{ hunk: Hunk; next: number }> {
  const body = parseBody(lines, at, undefined, isEnd);
  if (!body.ok) return body;
  const hunk = makeHunk({}, body.value.lines, at + 1);
  return hunk.ok ? accept({ hunk: hunk.value, next: body.value.next }) : hunk;
}

/** Whether a line can only begin something else, or end the patch. */
function endsHunk(lines: PatchLines, at: number, fence: boolean): boolean {
  const line = lines.at(at)!;
  if (line.length < 2) return false;
  if (line.startsWith("@@") || line.startsWith("diff ") || line.startsWith("Index: ")) return true;
  if (line.startsWith("GIT binary patch") || line.startsWith("Binary files ")) return true;
  if (/^From [0-9a-f]{40} /.test(line)) return true;
  if (fence && /^\s*(?:```|~~~)/.test(line)) return true;
  if (isFileHeader(lines, at)) return at + 2 >= lines.length || lines.at(at + 2)!.startsWith("@@");
  return isSignature(lines, at);
}

function isFileHeader(lines: PatchLines, at: number): boolean {
  return lines.at(at)!.startsWith("--- ") && lines.at(at + 1)?.startsWith("+++ ") === true;
}

/** The line with which mail ends a patch: two dashes, then perhaps the version of git. */
function isSignature(lines: PatchLines, at: number): boolean {
  if (!/^-- ?\r?$/.test(lines.at(at)!)) return false;
  let next = at + 2;
  while (next < lines.length && lines.at(next)!.trim() === "") next++;
  return (
    /^\d+\.\d[\w.-]*\s*$/.test(lines.at(at + 1) ?? "0.0") &&
    (next >= lines.length || !/^[-+ ]/.test(lines.at(next)!))
  );
}

/** Gives the current section its names, or begins a new one. */
function nameSection(
  lines: PatchLines,
  at: number,
  current: OpenSection | undefined,
  part: number,
): Outcome<OpenSection> {
  const old = parseHeaderName(lines.at(at)!.slice(4));
  const now = parseHeaderName(lines.at(at + 1)!.slice(4));
  if (!old || !now) return malformed("a file name that cannot be read", old ? at + 2 : at + 1);
  if (old.name === null && now.name === null) return malformed("a patch from nothing to nothing", at + 1);
  const names = { old: old.name, new: now.name };
  const epoch = { old: old.epoch, new: now.epoch };
  if (current?.git && !current.names && current.hunks.length === 0) {
    current.names = names;
    return accept(current);
  }
  return accept({ line: at + 1, part, hunks: [], names, epoch });
}

/** The name of another kind of patch that begins here: it must be refused, not passed over as prose. */
function foreignPart(lines: PatchLines, at: number): string | null {
  const line = lines.at(at)!;
  if (line.startsWith("GIT binary patch") || isBinaryNotice(line)) return "a binary patch";
  if (line.startsWith("***************")) return "a context diff";
  if (/^\d+(?:,\d+)?[acd]\d+(?:,\d+)?\s*$/.test(line) && /^[<>] ?/.test(lines.at(at + 1) ?? ""))
    return "a normal diff";
  return null;
}

function isBinaryNotice(line: string): boolean {
  return line.startsWith("Binary files ") && line.trimEnd().endsWith(" differ");
}

function refuseOtherFormat(lines: PatchLines): Refused {
  const all = [...lines];
  const script = all.findIndex((line) => /^\d+(?:,\d+)?[acdi]\s*$/.test(line));
  const ends = all.some((line) => /^\.\s*$/.test(line)) || /d\s*$/.test(all[script] ?? "");
  return script >= 0 && ends ? malformed("an ed script", script + 1) : malformed("no hunk in the patch");
}
