import { isCodePath } from "../../../syntax/file-kinds.ts";
import { defined } from "../../../text/model/defined.ts";
import { findGaps } from "../../change/align.ts";
import type { ChangeModel, DocumentPage } from "../../change/change-model.ts";
import { fileKind } from "../../change/file-kind.ts";
import { isCommon } from "../../change/names.ts";
import { isLayoutOnly, splitLines, tokenise } from "../../change/tokens.ts";
import { createPageFinder } from "../../pages/mentions.ts";
import type { State } from "../../state/state.ts";
import type { Claim, Drift, PastStates, Truth } from "../claim.ts";

/** The lines of a fence are those of a file, indentation aside. */
export type FenceClaim = Claim & {
  readonly fence: readonly string[];
  /** The file that the page names, as written. */
  readonly file?: string;
};

/** Where a file has the lines of a fence. */
type CopiedLines = { readonly path: string; readonly lines: readonly string[]; readonly start: number };

/** A fence with fewer names is no copy that can be told from others. */
const LEAST_NAMES = 4;
/** More files than this hold all names of a fence only where the names are everyday words. */
const MOST_FILES = 20;

/** The fences of a page that name their file, or that have names enough to be found in one. */
export function readFences(page: DocumentPage): FenceClaim[] {
  return page.outline().blocks.flatMap(({ kind, region: { start }, content }) => {
    if (kind !== "code-fence" || content.end <= content.start) return [];
    const all = splitLines(page.text.slice(content.start, content.end));
    const own = FILE_OF_LINE.exec(all[0]!)?.[1];
    const fence = own === undefined ? all : all.slice(1);
    const file = own ?? fileOf(page, start);
    if (fence.length === 0 || (file === undefined && fence.flatMap(namesOf).length < LEAST_NAMES)) return [];
    const from = own === undefined ? content.start : page.text.indexOf("\n", content.start) + 1;
    const after = page.text.indexOf("\n", content.end);
    const region = { start: from, end: after < 0 ? page.text.length : after + 1 };
    return [{ page, region, words: region, fence, ...defined({ file }) }];
  });
}

/** `file=src/a.ts` after the fence's language; a comment, a title or a link directly above it. */
function fileOf({ text }: DocumentPage, start: number): string | undefined {
  const above = text.slice(Math.max(0, start - LONGEST_MARK), start).split("\n");
  const comment = above.findLast((line) => !DELIMITER.test(line)) ?? "";
  const opening = text.slice(start, text.indexOf("\n", start));
  const forms = [FILE_OF_COMMENT, FILE_OF_TITLE, FILE_OF_LINK].map((form) => form.exec(comment));
  const said = [FILE_OF_FENCE.exec(opening), ...forms].find(Boolean)?.[1];
  return said?.replace(/^(?:\.{0,2}\/)+/, "").replace(/[#:].*$/, "") || undefined;
}

const LONGEST_MARK = 300;
/** A blank line, or the attributes and the opening line of a block. */
const DELIMITER = /^\s*(?:\[[^\]]*\]|-{4,}|\.{4,})?\s*$/;
/** The title of a block that is the name of a file: `.deploy/app.yml`. */
const FILE_OF_TITLE = /^\.((?:[\w-]+\/)*[\w-][\w.-]*\.\w+)\s*$/;
/** A first line that only names the file: `// src/a.ts`. */
const FILE_OF_LINE = /^\s*(?:\/\/|#|--|\/\*|<!--)\s*((?:[\w.-]+\/)+[\w-]+\.\w+)\s*(?:\*\/|-->)?\s*$/;
const FILE_OF_FENCE = /\b(?:file|src|source|path)=["']?([^\s"'}]+)/;
const FILE_OF_COMMENT =
  /^\s*(?:<!--|\{\/\*)\s*(?:embed(?:me|md)?|include|snippet|code|file|source)\b[\s:=("']*([^\s"')*]+)/i;

/** A link to the file ends the line above: "It is built by [build.yml](../build.yml):". */
const FILE_OF_LINK = /\]\(((?:\.{0,2}\/)*[\w./-]+\.\w+)\)[^[\]]{0,20}:\s*$/;

function namesOf(line: string): string[] {
  return tokenise(line)
    .filter(({ kind, text }) => kind === "name" && text.length > 2 && !isCommon(text))
    .map(({ text }) => text);
}

/** The fences that have a line which the change rewrote, or a line next to an added one. */
export function touchedFences({ comparisons, pages }: ChangeModel): FenceClaim[] {
  const touched = new Set<string>();
  for (const { before, after, rewrites } of comparisons) {
    if (before === null || after === null || rewrites.length === 0) continue;
    const old = splitLines(before);
    for (const { gap } of rewrites)
      for (let at = Math.max(0, gap.oldStart - 1); at <= gap.oldEnd && at < old.length; at++)
        if (namesOf(old[at]!).length > 0) touched.add(old[at]!.trim());
  }
  const mayTouch = createPageFinder([...touched].flatMap((line) => namesOf(line).slice(0, 1)));
  return pages
    .filter((page) => touched.size > 0 && MAY_FENCE.test(page.text) && mayTouch(page).length > 0)
    .flatMap(readFences)
    .filter(({ fence }) => fence.some((line) => touched.has(line.trim())));
}

const MAY_FENCE = /`{3}|~{3}|::|^-{4}/m;

export async function isCopyIn(claim: FenceClaim, state: State): Promise<Truth> {
  if ((await placesIn(claim, state)).length > 0) return { is: "true" };
  if (!namedBy(claim).some((path) => state.files().has(path)))
    return { is: "none", why: "no file has these lines" };
  return { is: "false", evidence: [] };
}

/** The places where files of a state have the lines of a fence. */
async function placesIn(claim: FenceClaim, state: State): Promise<CopiedLines[]> {
  const places: CopiedLines[] = [];
  for (const path of await filesOf(claim, state)) {
    const lines = splitLines((await state.text(path)) ?? "");
    for (const start of startsOf(claim.fence, lines)) places.push({ path, lines, start });
  }
  return places;
}

/** The file that the page names, or the files that hold all names of the fence. */
async function filesOf(claim: FenceClaim, state: State): Promise<readonly string[]> {
  const named = namedBy(claim).filter((path) => state.files().has(path));
  return named.length > 0 ? named : filesHolding(claim, state);
}

/** The paths that a page may mean: they may be relative to any folder above it. */
function namedBy({ page, file }: FenceClaim): string[] {
  return file === undefined ? [] : foldersAbove(page.path).map((folder) => folder + file);
}

async function filesHolding({ fence }: FenceClaim, state: State): Promise<readonly string[]> {
  const names = [...new Set(fence.flatMap(namesOf))];
  const [first = [], ...others] = [...(await state.holders(names)).values()].sort(
    (a, b) => a.length - b.length,
  );
  const rest = others.map((held) => new Set(held));
  const files = first.filter((path) => isCopied(path) && rest.every((held) => held.has(path)));
  return files.length > MOST_FILES ? [] : files;
}

/** Lines of a manifest or a workflow say what this project needs or does; a sample with the same lines is the reader's. */
function isCopied(path: string): boolean {
  return isCodePath(path) && fileKind(path) !== "manifest" && fileKind(path) !== "automation";
}

/** The folders above a page, each with its slash, and the root. */
function foldersAbove(path: string): string[] {
  const pieces = path.split("/").slice(0, -1);
  return [...pieces.map((_, at) => `${pieces.slice(0, at + 1).join("/")}/`), ""];
}

/** Where a text has the lines of a fence, one below the other. */
function startsOf(fence: readonly string[], lines: readonly string[]): number[] {
  const [first, ...rest] = fence.map((line) => line.trim());
  return lines.flatMap((line, start) => {
    const isHere = line.trim() === first && rest.every((one, at) => lines[start + 1 + at]?.trim() === one);
    return isHere && shiftOf(fence, lines.slice(start, start + fence.length)) ? [start] : [];
  });
}

/** A copy is bound to the one place that had its lines, and is repaired if the change stayed within them. */
export async function judgeFence(
  claim: FenceClaim,
  { base, head }: PastStates,
): Promise<Drift<FenceClaim> | null> {
  if (base === null) return null;
  const [place, second] = await placesIn(claim, base);
  if (!place || second) return null;
  const path = head.files().has(place.path) ? place.path : (await head.movedTo?.(place.path))?.to;
  const text = path && (await head.text(path));
  if (!path || !text || startsOf(claim.fence, splitLines(text)).length > 0) return null;
  const stretch = changedStretch(claim, place, splitLines(text));
  if (stretch === null) return null;
  const { old, fresh, line, where, repair } = stretch;
  return {
    claim,
    tier: namedBy(claim).includes(place.path) ? "certain" : "likely",
    tierWithoutChange: "likely",
    message: { what: "rewritten", old: old.trim(), new: repair.trim() },
    evidence: [
      {
        path,
        revision: head.revision,
        startLine: line,
        endLine: line + Math.max(0, fresh.length - 1),
        before: old,
        after: fresh.join("\n"),
      },
    ],
    cause: `copy:${path}:${line}`,
    where,
    repair,
  };
}

type Stretch = {
  /** The lines of the file before and after. */
  readonly old: string;
  readonly fresh: readonly string[];
  /** The first line of the file now, counted from 1. */
  readonly line: number;
  readonly where: Claim["region"];
  readonly repair: string;
};

/** The copied lines from the first to the last that changed; null if the change reaches over an end of the copy. */
function changedStretch(
  { page, region, fence, file }: FenceClaim,
  { lines, start }: CopiedLines,
  now: readonly string[],
): Stretch | null {
  const last = start + fence.length;
  const isWhole = file !== undefined && start === 0 && lines.slice(last).every((line) => line === "");
  const inside = findGaps(lines, now).filter(
    ({ oldStart, oldEnd }) =>
      oldEnd > start && oldStart < last && !(oldStart === oldEnd && oldStart === start),
  );
  const [first] = inside;
  const end = inside.at(-1);
  if (!first || !end || first.oldStart < start || (end.oldEnd > last && !isWhole)) return null;
  const shift = shiftOf(fence, lines.slice(start, last))!;
  const fresh = now.slice(first.newStart, end.newEnd);
  const shown = fresh.map((line) => indent(line, shift));
  if (shown.some((line) => line === null)) return null;
  const read = page.read();
  const opening = read.lines.findIndex(({ start: at }) => at === region.start);
  const offsetOf = (line: number): number => read.lines[opening + line - start]?.start ?? page.text.length;
  const where = { start: offsetOf(first.oldStart), end: offsetOf(Math.min(end.oldEnd, last)) };
  const ending = page.text.includes("\r\n") ? "\r\n" : "\n";
  const repair = shown.map((line) => `${line}${ending}`).join("");
  const before = page.text.slice(where.start, where.end);
  if (before === repair || (file === undefined && isLayoutOnly(before, repair))) return null;
  return {
    old: lines.slice(first.oldStart, end.oldEnd).join("\n"),
    fresh,
    line: Math.min(first.newStart + 1, now.length),
    where,
    repair,
  };
}

/** The difference in indentation between the page and the code; null if it is not the same for all lines. */
function shiftOf(fence: readonly string[], code: readonly string[]): { cut: string; add: string } | null {
  let shift: { cut: string; add: string } | null = null;
  for (const [at, line] of fence.entries()) {
    if (!line.trim()) continue;
    const here = /^\s*/.exec(line)![0];
    const there = /^\s*/.exec(code[at]!)![0];
    const one = there.endsWith(here)
      ? { cut: there.slice(0, there.length - here.length), add: "" }
      : here.endsWith(there)
        ? { cut: "", add: here.slice(0, here.length - there.length) }
        : null;
    if (!one || (shift && (shift.cut !== one.cut || shift.add !== one.add))) return null;
    shift = one;
  }
  return shift ?? { cut: "", add: "" };
}

function indent(line: string, { cut, add }: { cut: string; add: string }): string | null {
  if (!line.trim()) return "";
  return line.startsWith(cut) ? add + line.slice(cut.length) : null;
}
