import type { ReportedFinding } from "../../docs/check/report.ts";
import type { Block } from "../../syntax/formats/document.ts";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import { indexLines, type Lines, lineAt, lineEnd } from "../../text/model/lines.ts";
import type { Region } from "../../text/model/region.ts";
import { headingTitle } from "../context/heading-title.ts";

/** A finding that a model is asked about. */
export type OpenFinding = Pick<
  ReportedFinding,
  "id" | "path" | "startLine" | "endLine" | "kind" | "tier" | "message" | "evidence" | "edits"
>;

/** The part of a page that one question is about: whole lines, with the findings in them. */
export type SourceExcerpt = {
  readonly region: Region;
  /** The headings above it, from the top of the page. */
  readonly headings: readonly string[];
  /** The header of the table that the excerpt begins in; empty where there is none. */
  readonly tableHeader: string;
  readonly findings: readonly OpenFinding[];
};

const longestSection = 5000;
const linesAround = 10;

/**
 * The questions of one page: one for each section that has findings. Of a section that is too long for one question,
 * the lines around its findings.
 */
export function findExcerpts(path: string, text: string, findings: readonly OpenFinding[]): SourceExcerpt[] {
  const lines = indexLines(text);
  const { blocks } = outlineDocument(path, text);
  const headings = blocks.filter(({ kind }) => kind === "heading");
  const starts = [0, ...headings.map(({ region }) => lines.starts[lineAt(lines, region.start)] ?? 0)];
  const bySection = Map.groupBy(findings, ({ startLine }) =>
    starts.findLastIndex((start) => start <= startOf(lines, startLine)),
  );
  return [...bySection]
    .sort(([a], [b]) => a - b)
    .flatMap(([section, here]) => {
      const whole = { start: starts[section] ?? 0, end: starts[section + 1] ?? text.length };
      const isShort = whole.end - whole.start <= longestSection;
      const samples = blocks.filter(({ kind }) => kind === "code-fence").map(({ region }) => region);
      const parts = isShort
        ? [{ region: whole, findings: here }]
        : cutWindows({ lines, samples }, whole, here);
      return parts.map((part) => ({
        ...part,
        headings: headingPath(text, headings.slice(0, section)),
        tableHeader: tableHeaderAt(text, blocks, part.region),
      }));
    });
}

/** Characters of a page that one question shows. */
const longestQuestion = 8000;

/**
 * The sections of each question of a page, in the order in which they are asked: all in one, as far as they fit. Otherwise
 * a list of contents comes last, so that it may link to what the others add.
 */
export function groupExcerpts(page: string, excerpts: readonly SourceExcerpt[]): SourceExcerpt[][] {
  const lengthOf = (some: readonly SourceExcerpt[]): number =>
    some.reduce((sum, { region }) => sum + region.end - region.start, 0);
  if (lengthOf(excerpts) <= longestQuestion) return [[...excerpts]];
  const groups: SourceExcerpt[][] = [];
  const isLast = ({ region }: SourceExcerpt): boolean => isContents(page.slice(region.start, region.end));
  for (const one of excerpts.filter((each) => !isLast(each))) {
    const last = groups.at(-1);
    if (last && lengthOf([...last, one]) <= longestQuestion) last.push(one);
    else groups.push([one]);
  }
  return [...groups, ...excerpts.filter(isLast).map((one) => [one])];
}

/** Whether most lines of a section lead to headings of its own page. */
export function isContents(section: string): boolean {
  const lines = section.split("\n").filter((line) => line.trim() !== "");
  const links = lines.filter((line) => /\]\(#[^()]+\)/.test(line));
  return links.length >= 3 && links.length * 2 >= lines.length;
}

type Window = { readonly region: Region; readonly findings: OpenFinding[] };

/** Windows of some lines around each finding, with whole samples. Windows that meet are one. */
function cutWindows(
  { lines, samples }: { readonly lines: Lines; readonly samples: readonly Region[] },
  section: Region,
  findings: readonly OpenFinding[],
): Window[] {
  const windows: Window[] = [];
  const ordered = [...findings].sort((a, b) => a.startLine - b.startLine);
  for (const finding of ordered) {
    const { start, end } = withSamples(samples, {
      start: Math.max(section.start, startOf(lines, finding.startLine - linesAround)),
      end: Math.min(section.end, endOf(lines, finding.endLine + linesAround)),
    });
    const last = windows.at(-1);
    const joined = last && start <= last.region.end && end - last.region.start <= 2 * longestSection;
    if (last && joined) {
      windows[windows.length - 1] = {
        region: { start: last.region.start, end: Math.max(end, last.region.end) },
        findings: [...last.findings, finding],
      };
    } else windows.push({ region: { start, end }, findings: [finding] });
  }
  return windows;
}

/** A region widened so that it cuts no sample in two; one that is too long for a question stays cut. */
function withSamples(samples: readonly Region[], region: Region): Region {
  let { start, end } = region;
  for (const sample of samples) {
    const isCut = sample.start < end && sample.end > start && (sample.start < start || sample.end > end);
    if (!isCut || sample.end - sample.start > longestSection) continue;
    start = Math.min(start, sample.start);
    end = Math.max(end, sample.end);
  }
  return { start, end };
}

/** The start of a line, counted from 1; lines outside the text are its ends. */
function startOf(lines: Lines, line: number): number {
  return lines.starts[Math.min(Math.max(line - 1, 0), Math.max(lines.starts.length - 1, 0))] ?? 0;
}

function endOf(lines: Lines, line: number): number {
  return lineEnd(lines, Math.min(Math.max(line - 1, 0), Math.max(lines.starts.length - 1, 0)));
}

function headingPath(text: string, before: readonly Block[]): string[] {
  const path: { depth: number; title: string }[] = [];
  for (const { depth = 1, content } of before) {
    while (path.length > 0 && path.at(-1)!.depth >= depth) path.pop();
    path.push({ depth, title: headingTitle(text.slice(content.start, content.end)) });
  }
  return path.map(({ title }) => title);
}

function tableHeaderAt(text: string, blocks: readonly Block[], { start }: Region): string {
  const row = blocks.find(
    ({ kind, region, table }) =>
      kind === "table-row" && table !== undefined && region.start <= start && start <= region.end,
  );
  const header = row?.table === undefined ? undefined : blocks[row.table];
  return !header || header.region.start >= start ? "" : text.slice(header.region.start, header.region.end);
}
