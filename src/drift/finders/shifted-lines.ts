import { createWordFinder } from "../../syntax/words/words.ts";
import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import type { Comparison } from "../change/comparison.ts";
import { splitLines } from "../change/tokens.ts";
import type { Notice } from "../findings.ts";

/** A place on a page that shows or links to lines of a file, or to a marked part of it. */
type IncludedLines = {
  readonly page: DocumentPage;
  readonly line: number;
  /** The path as written. */
  readonly path: string;
  /** The lines, counted from 1, and the regions of their numbers on the page; or the name of the part. */
  readonly lines?: { readonly first: Numeral; readonly last: Numeral };
  readonly part?: string;
  readonly isLink: boolean;
};

/** A number as a page writes it. */
type Numeral = { readonly value: number; readonly start: number; readonly end: number };

const RANGE = String.raw`(?<first>\d+)(?:(?<joint>\s*(?:[:,-]|\.\.|-L)\s*)(?<last>\d+))?`;
const PATH = String.raw`(?<path>[\w@.+/-]*\w\.\w+)`;

/** How site generators include lines or parts of a file, and how code hosts address lines. */
const FORMS: readonly { readonly shape: RegExp; readonly isLink?: boolean }[] = [
  {
    shape: new RegExp(
      String.raw`\{\{\s*#\w*include\s+${PATH}:(?:${RANGE}|(?<part>[A-Za-z][\w-]*))\s*\}\}`,
      "d",
    ),
  },
  { shape: new RegExp(String.raw`-+8<-+\s+["']${PATH}:(?:${RANGE}|(?<part>[A-Za-z][\w-]*))["']`, "d") },
  { shape: new RegExp(String.raw`\binclude::${PATH}\[[^\]]*\blines=["']?${RANGE}["']?[^;,\d]*\]`, "d") },
  { shape: new RegExp(String.raw`\binclude::${PATH}\[[^\]]*\btags?=(?<part>[\w-]+)[^\]]*\]`, "d") },
  { shape: new RegExp(String.raw`@include:\s*${PATH}\{${RANGE}\}`, "d") },
  { shape: new RegExp(String.raw`<<<\s*[@~]?/?${PATH}#(?<part>[\w-]+)`, "d") },
  {
    shape: new RegExp(`/blob/(?:main|master|HEAD|develop|trunk)/${PATH}#L${RANGE}`, "d"),
    isLink: true,
  },
];
const LITERAL = new RegExp(String.raw`^\s*\.\. literalinclude::\s*/?${PATH}\s*$`);
const LITERAL_LINES = new RegExp(String.raw`^\s+:lines:\s*${RANGE}\s*$`, "d");

/**
 * A page includes lines of a file by their numbers, and the change moved those lines: the page now shows others. Or it
 * includes a marked part of a file, and the marks are gone.
 */
export async function findShiftedLines(change: ChangeModel): Promise<Notice[]> {
  const files = Map.groupBy(
    change.comparisons.filter(({ before, after }) => before !== null && after !== null),
    ({ from }) => lastName(from),
  );
  if (!files.size) return [];
  const find = createWordFinder([...files.keys()]);
  return change.pages
    .filter(({ text }) => MAY_EXCERPT.test(text) && find(text).length > 0)
    .flatMap((page) => findExcerpts(page))
    .flatMap((excerpt) => {
      const file = resolveFile(excerpt, files.get(lastName(excerpt.path)) ?? []);
      return file ? (judge(change, excerpt, file) ?? []) : [];
    });
}

const MAY_EXCERPT = /include|8<|<<<|\/blob\//;

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function findExcerpts(page: DocumentPage): IncludedLines[] {
  const { lines } = page.read();
  return lines.flatMap(({ text, start }, line) => {
    if (text.length > 2000) return [];
    const literal = LITERAL.exec(text)?.groups?.path;
    if (literal) return literalExcerpt(page, line, literal);
    for (const { shape, isLink = false } of FORMS) {
      const match = shape.exec(text);
      if (match) return [toExcerpt({ page, line, match, start, path: match.groups!.path!, isLink })];
    }
    return [];
  });
}

/** `:lines:` among the options right below a directive. */
function literalExcerpt(page: DocumentPage, line: number, path: string): IncludedLines[] {
  const { lines } = page.read();
  for (let at = line + 1; at < lines.length && /^\s+:/.test(lines[at]!.text); at++) {
    const match = LITERAL_LINES.exec(lines[at]!.text);
    if (match) return [toExcerpt({ page, line: at, match, start: lines[at]!.start, path, isLink: false })];
  }
  return [];
}

type FoundLines = {
  readonly page: DocumentPage;
  readonly line: number;
  readonly match: RegExpExecArray;
  readonly start: number;
  readonly path: string;
  readonly isLink: boolean;
};

function toExcerpt({ page, line, match, start, path, isLink }: FoundLines): IncludedLines {
  const numeral = (name: string): Numeral | undefined => {
    const place = match.indices?.groups?.[name];
    return place && { value: Number(match.groups![name]), start: start + place[0], end: start + place[1] };
  };
  const first = numeral("first");
  const part = match.groups?.part;
  return {
    page,
    line,
    path,
    isLink,
    ...(first && { lines: { first, last: numeral("last") ?? first } }),
    ...(part !== undefined && { part }),
  };
}

/** The changed file that a path on a page means: relative to the page or the root, or the only file with that ending. */
function resolveFile({ path, page }: IncludedLines, files: readonly Comparison[]): Comparison | null {
  const folder = page.path.split("/").slice(0, -1);
  const parts = [...folder];
  for (const part of path.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  const plain = path.replace(/^(?:\.{0,2}\/)+/, "");
  const exact = files.find(({ from }) => from === parts.join("/") || from === plain);
  const ending = files.filter(({ from }) => from.endsWith(`/${plain}`));
  return exact ?? (ending.length === 1 ? ending[0]! : null);
}

function judge(change: ChangeModel, excerpt: IncludedLines, file: Comparison): Notice | null {
  if (excerpt.lines) return judgeLines(change, excerpt, excerpt.lines, file);
  return excerpt.part === undefined ? null : judgePart(change, excerpt, excerpt.part, file);
}

function judgeLines(
  change: ChangeModel,
  { page, line, isLink }: IncludedLines,
  { first, last }: NonNullable<IncludedLines["lines"]>,
  file: Comparison,
): Notice | null {
  if (isLink && !isAbout({ page, line }, splitLines(file.before!).slice(first.value - 1, last.value)))
    return null;
  const [from, to] = [placeAfter(file, first.value), placeAfter(file, last.value)];
  if (from === null || to === null || to < from || (from === first.value && to === last.value)) return null;
  const region = { start: first.start, end: last.end };
  const old = page.text.slice(region.start, region.end);
  const joint = page.text.slice(first.end, last.start);
  const fresh = first === last ? String(from) : `${from}${joint}${to}`;
  return {
    page,
    line,
    endLine: line,
    tier: "certain",
    kind: "snippet",
    cause: `lines:${file.path}:${old}`,
    message: { what: "moved", old: `${file.path}:${old}`, new: `${file.path}:${fresh}` },
    evidence: [
      {
        path: file.path,
        revision: change.input.head,
        startLine: from,
        endLine: to,
        after: splitLines(file.after!)[from - 1] ?? "",
      },
    ],
    splice: { region, text: fresh },
  };
}

/**
 * Whether linked lines hold a word of the passage around the link, or of its heading: then the link led where it says. One
 * that led to any other line was stale before.
 */
function isAbout({ page, line }: Pick<IncludedLines, "page" | "line">, linked: readonly string[]): boolean {
  const { lines } = page.read();
  const heading = page
    .outline()
    .blocks.findLast(({ kind, content }) => kind === "heading" && content.start <= lines[line]!.start);
  const title = heading ? page.text.slice(heading.content.start, heading.content.end) : "";
  const passage = `${title} ${lines[line - 1]?.text ?? ""} ${lines[line]!.text.replace(/\S*\/\/\S*/g, "")}`;
  const words = new Set(passage.match(/[\p{L}_][\p{L}\p{N}_]{3,}/gu));
  return linked.some((text) => text.match(/[\p{L}_][\p{L}\p{N}_]{3,}/gu)?.some((word) => words.has(word)));
}

/** The number of an old line in the new file; null if the change rewrote it or it did not exist. */
function placeAfter({ before, rewrites }: Comparison, line: number): number | null {
  if (line < 1 || line > splitLines(before!).length) return null;
  let shift = 0;
  for (const { gap } of rewrites) {
    if (gap.oldStart >= line) break;
    if (gap.oldEnd >= line) return null;
    shift += gap.newEnd - gap.newStart - (gap.oldEnd - gap.oldStart);
  }
  return line + shift;
}

function judgePart(
  change: ChangeModel,
  { page, line }: IncludedLines,
  part: string,
  { path, from, before, after }: Comparison,
): Notice | null {
  const mark = new RegExp(
    String.raw`(?:ANCHOR:\s*|tag::|#?region:?\s+|\[start:)${part.replace(/-/g, "\\-")}(?![\w-])`,
  );
  const lines = splitLines(before!);
  const at = lines.findIndex((text) => mark.test(text));
  if (at < 0 || mark.test(after!)) return null;
  return {
    page,
    line,
    endLine: line,
    tier: "certain",
    kind: "snippet",
    cause: `part:${path}:${part}`,
    message: { what: "removed", old: `${path}:${part}` },
    evidence: [
      { path: from, revision: change.input.base, startLine: at + 1, endLine: at + 1, before: lines[at]! },
    ],
  };
}
