import { defined } from "../../../text/model/defined.ts";
import { findGaps } from "../../change/align.ts";
import type { ChangeModel, DocumentPage } from "../../change/change-model.ts";
import { splitLines } from "../../change/tokens.ts";
import { createPageFinder } from "../../pages/mentions.ts";
import { lineAt } from "../../pages/page.ts";
import type { State } from "../../state/state.ts";
import type { Claim, Drift, PastStates, Truth } from "../claim.ts";

/** A place on a page that includes or links to lines of a file, or to a marked part of it. */
export type LinesClaim = Claim & {
  /** The path as written. */
  readonly file: string;
  /** The lines, counted from 1, and how the page joins their numbers; or the name of the part. */
  readonly lines?: { readonly first: number; readonly last: number; readonly joint: string };
  readonly part?: string;
  readonly isLink: boolean;
};

const RANGE = String.raw`(?<first>\d+)(?:(?<joint>\s*(?:[:,-]|\.\.|-L)\s*)(?<last>\d+))?`;
const PATH = String.raw`(?<path>[\w@.+/-]*\w\.\w+)`;
const PART = String.raw`(?<part>[A-Za-z][\w-]*)`;

/** How site generators include lines or parts of a file, and how code hosts address lines. */
const FORMS = [
  String.raw`\{\{\s*#\w*include\s+${PATH}:(?:${RANGE}|${PART})\s*\}\}`,
  String.raw`-+8<-+\s+["']${PATH}:(?:${RANGE}|${PART})["']`,
  String.raw`\binclude::${PATH}\[[^[\]]*\blines=["']?${RANGE}["']?[^;,\d[\]]*\]`,
  String.raw`\binclude::${PATH}\[[^[\]]*\btags?=(?<part>[\w-]+)[^[\]]*\]`,
  String.raw`@include:\s*${PATH}\{${RANGE}\}`,
  String.raw`<<<\s*[@~]?/?${PATH}#(?<part>[\w-]+)`,
  `/blob/(?:main|master|HEAD|develop|trunk)/${PATH}#L${RANGE}`,
].map((shape) => new RegExp(shape, "d"));
const LITERAL = new RegExp(String.raw`^\s*\.\. literalinclude::\s*/?${PATH}\s*$`);
const LITERAL_LINES = new RegExp(String.raw`^\s+:lines:\s*${RANGE}\s*$`, "d");

const MAY_EXCERPT = /include|8<|<<<|\/blob\//;

export function readExcerpts(page: DocumentPage): LinesClaim[] {
  if (!MAY_EXCERPT.test(page.text)) return [];
  return page.read().lines.flatMap(({ text, start }, line) => {
    if (text.length > 2000) return [];
    const literal = LITERAL.exec(text)?.groups?.path;
    if (literal) return literalExcerpt(page, line, literal);
    for (const shape of FORMS) {
      const match = shape.exec(text);
      if (match) return toExcerpt(page, match, { start, file: match.groups!.path! });
    }
    return [];
  });
}

/** `:lines:` among the options right below a directive. */
function literalExcerpt(page: DocumentPage, line: number, file: string): LinesClaim[] {
  const { lines } = page.read();
  for (let at = line + 1; at < lines.length && /^\s+:/.test(lines[at]!.text); at++) {
    const match = LITERAL_LINES.exec(lines[at]!.text);
    if (match) return toExcerpt(page, match, { start: lines[at]!.start, file });
  }
  return [];
}

function toExcerpt(
  page: DocumentPage,
  { 0: all, groups, indices }: RegExpExecArray,
  { start, file }: { readonly start: number; readonly file: string },
): LinesClaim[] {
  const { first, last = first, joint = "", part } = groups!;
  const [from, end] = indices!.groups![part === undefined ? "first" : "part"]!;
  const to = indices!.groups!.last?.[1] ?? end;
  const region = { start: start + from, end: start + to };
  const lines = part === undefined && { lines: { first: Number(first), last: Number(last), joint } };
  return [
    {
      page,
      region,
      file,
      isLink: all.startsWith("/blob/"),
      ...lines,
      ...defined({ part: part || undefined }),
    },
  ];
}

/** The places that name a changed file. */
export function touchedExcerpts({ comparisons, pages }: ChangeModel): LinesClaim[] {
  const changed = comparisons.filter(({ before, after }) => before !== null && after !== null);
  const names = new Set(changed.map(({ from }) => lastName(from)));
  const mayName = createPageFinder(names);
  return pages
    .filter((page) => names.size > 0 && MAY_EXCERPT.test(page.text) && mayName(page).length > 0)
    .flatMap(readExcerpts)
    .filter(({ file }) => names.has(lastName(file)));
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The file that a path on a page means: relative to the page or the root, or the only file with that ending. */
function fileIn({ file, page }: LinesClaim, state: State): string | null {
  const parts = page.path.split("/").slice(0, -1);
  for (const part of file.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  const plain = file.replace(/^(?:\.{0,2}\/)+/, "");
  const exact = [parts.join("/"), plain].find((path) => state.files().has(path));
  if (exact !== undefined) return exact;
  const [only, second] = [...state.files()].filter((path) => path.endsWith(`/${plain}`));
  return second === undefined ? (only ?? null) : null;
}

export async function evaluateExcerpt(claim: LinesClaim, state: State): Promise<Truth> {
  const path = fileIn(claim, state);
  const text = path && (await state.text(path));
  if (!path || !text) return { is: "none", why: "the project has no such file" };
  const lines = splitLines(text);
  const isThere =
    claim.part === undefined ? lines.length >= claim.lines!.last : markOf(lines, claim.part) > 0;
  return isThere ? { is: "true" } : { is: "false", evidence: [] };
}

/** The lines of the base, found again at the head; or the mark of a part, which is gone. */
export async function judgeExcerpt(
  claim: LinesClaim,
  { base, head }: PastStates,
): Promise<Drift<LinesClaim> | null> {
  const from = base && fileIn(claim, base);
  const path = from && (head.files().has(from) ? from : (await head.movedTo?.(from))?.to);
  const [before, after] = [from && (await base.text(from)), path && (await head.text(path))];
  if (!base || !from || !path || !before || !after || before === after) return null;
  const [old, now] = [splitLines(before), splitLines(after)];
  if (claim.part !== undefined) {
    const mark = markOf(old, claim.part);
    if (mark === 0 || markOf(now, claim.part) > 0) return null;
    const evidence = {
      path: from,
      revision: base.revision,
      startLine: mark,
      endLine: mark,
      before: old[mark - 1]!,
    };
    return {
      claim,
      tier: "certain",
      cause: `part:${path}:${claim.part}`,
      message: { what: "removed", old: `${path}:${claim.part}` },
      evidence: [evidence],
    };
  }
  return judgeLines(claim, { path, old, now, revision: head.revision });
}

type BothTexts = {
  readonly path: string;
  readonly old: readonly string[];
  readonly now: readonly string[];
  readonly revision: string;
};

function judgeLines(claim: LinesClaim, { path, old, now, revision }: BothTexts): Drift<LinesClaim> | null {
  const { first, last, joint } = claim.lines!;
  if (claim.isLink && !isAbout(claim, old.slice(first - 1, last))) return null;
  const place = createPlaces(old, now);
  const [from, to] = [place(first), place(last)];
  if (from === null || to === null || to < from || (from === first && to === last)) return null;
  const written = claim.page.text.slice(claim.region.start, claim.region.end);
  const repair = joint === "" ? String(from) : `${from}${joint}${to}`;
  return {
    claim,
    tier: "certain",
    cause: `lines:${path}:${written}`,
    message: { what: "moved", old: `${path}:${written}`, new: `${path}:${repair}` },
    evidence: [{ path, revision, startLine: from, endLine: to, after: now[from - 1] ?? "" }],
    repair,
  };
}

/** The number of an old line in the new file; null if the change rewrote it or it did not exist. */
function createPlaces(old: readonly string[], now: readonly string[]): (line: number) => number | null {
  const gaps = findGaps(old, now);
  return (line) => {
    if (line < 1 || line > old.length || gaps.some((gap) => gap.oldStart < line && line <= gap.oldEnd))
      return null;
    const { oldEnd = 0, newEnd = 0 } = gaps.findLast((gap) => gap.oldStart < line) ?? {};
    return line + newEnd - oldEnd;
  };
}

/**
 * Whether linked lines hold a word of the passage around the link, or of its heading: then the link led where it says. One
 * that led to any other line was stale before.
 */
function isAbout({ page, region }: LinesClaim, linked: readonly string[]): boolean {
  const read = page.read();
  const line = lineAt(read, region.start);
  const heading = page
    .outline()
    .blocks.findLast(({ kind, content }) => kind === "heading" && content.start <= region.start);
  const title = heading ? page.text.slice(heading.content.start, heading.content.end) : "";
  const here = read.lines[line]!.text.replace(/\S*\/\/\S*/g, "");
  const words = new Set(wordsOf(`${title} ${read.lines[line - 1]?.text ?? ""} ${here}`));
  return linked.some((text) => wordsOf(text).some((word) => words.has(word)));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}_][\p{L}\p{N}_]{3,}/gu) ?? [];
}

/** The line, counted from 1, that begins a part; 0 if there is none. */
function markOf(lines: readonly string[], part: string): number {
  const mark = new RegExp(String.raw`(?:ANCHOR:\s*|tag::|#?region:?\s+|\[start:)${part}(?![\w-])`);
  return lines.findIndex((text) => mark.test(text)) + 1;
}
