import type { Block, Outline } from "../../syntax/formats/document.ts";
import { formatAt } from "../../syntax/formats/registry.ts";
import { contentEnd, indexLines, type Lines, lineAt, lineEnd } from "../../text/model/lines.ts";
import type { Region } from "../../text/model/region.ts";
import { applySplices, type Splice } from "../../text/model/splice.ts";
import type { Excerpt } from "./view.ts";

/** A page, parsed once for all its excerpts. */
export type OpenPage = {
  readonly path: string;
  readonly text: string;
  readonly lines: Lines;
  readonly outline: Outline | null;
};

export function openPage(path: string, text: string): OpenPage {
  const format = formatAt(path);
  return {
    path,
    text,
    lines: indexLines(text),
    outline: format.isMarkdown ? format.outline(text) : null,
  };
}

/** The lines that some splices change, from the start of the first to before the ending of the last. */
export function passageRegion({ text, lines }: OpenPage, splices: readonly Splice[]): Region {
  if (lines.starts.length === 0 || splices.length === 0) return { start: 0, end: text.length };
  const first = lineAt(lines, splices[0]!.region.start);
  const end = splices.at(-1)!.region.end;
  return { start: lines.starts[first]!, end: Math.max(end, contentEnd(lines, lineAt(lines, end))) };
}

/** The lines of a region of line numbers, counted from 1. */
export function linesRegion({ text, lines }: OpenPage, startLine: number, endLine: number): Region {
  const count = lines.starts.length;
  if (count === 0) return { start: 0, end: text.length };
  const clamp = (line: number): number => Math.min(Math.max(line - 1, 0), count - 1);
  return { start: lines.starts[clamp(startLine)]!, end: contentEnd(lines, clamp(endLine)) };
}

/** The new text of a part of a page that contains all splices. */
export function after({ text }: OpenPage, { start, end }: Region, splices: readonly Splice[]): string {
  const inner = splices.map(({ region, text: inserted }) => ({
    region: { start: region.start - start, end: region.end - start },
    text: inserted,
  }));
  return applySplices(text.slice(start, end), inner);
}

/** A longer excerpt is cut, unless the person asks for all of it. */
const mostLines = 1500;
const mostCharacters = 120_000;
const shownAnyway = 200;

/**
 * The changed lines with their context: the whole blocks that contain them, so that they can be rendered, and three
 * more lines on each side.
 */
export function excerptOf(
  page: OpenPage,
  passage: Region,
  splices: readonly Splice[],
  { whole }: { readonly whole: boolean },
): Excerpt {
  const region = widen(page, passage);
  const [before, then] = [page.text.slice(region.start, region.end), after(page, region, splices)];
  const startLine = page.lines.starts.length === 0 ? 1 : lineAt(page.lines, region.start) + 1;
  const shared = { startLine, markdown: page.outline !== null, ...markedLines(page, passage, splices) };
  const [cutBefore, cutAfter] = [cutTo(before), cutTo(then)];
  const cut = cutBefore.cut + cutAfter.cut;
  if (whole || cut === 0) return { ...shared, before, after: then, cut: 0 };
  return { ...shared, before: cutBefore.text, after: cutAfter.text, cut };
}

/** The lines to mark: those that a finding points at without changing them. */
function markedLines(
  { lines }: OpenPage,
  { start, end }: Region,
  splices: readonly Splice[],
): Pick<Excerpt, "marked"> {
  if (splices.length > 0 || lines.starts.length === 0) return {};
  return { marked: { startLine: lineAt(lines, start) + 1, endLine: lineAt(lines, end) + 1 } };
}

/** The text of the heading above an offset. */
export function sectionAt({ outline, text }: OpenPage, offset: number): string | null {
  const block = outline?.blocks.findLast(({ region }) => region.start <= offset);
  const heading = block?.kind === "heading" ? block : outline?.blocks[block?.section ?? -1];
  return heading ? text.slice(heading.content.start, heading.content.end).slice(0, 300) : null;
}

const mostContext = 60;

function widen(page: OpenPage, passage: Region): Region {
  const { lines, outline } = page;
  if (lines.starts.length === 0) return passage;
  const [first, last] = [lineAt(lines, passage.start), lineAt(lines, passage.end)];
  let [top, bottom] = [first, last];
  for (const block of outline ? holders(outline, passage) : []) {
    top = Math.min(top, lineAt(lines, block.region.start));
    bottom = Math.max(bottom, lineAt(lines, Math.max(block.region.start, block.region.end - 1)));
  }
  if (first - top > mostContext) top = first;
  if (bottom - last > mostContext) bottom = last;
  const from = Math.max(0, top - 3);
  const to = Math.min(lines.starts.length - 1, bottom + 3);
  return { start: lines.starts[from]!, end: lineEnd(lines, to) };
}

/** The outermost blocks that a region touches. A table row brings its whole table. */
function holders({ blocks }: Outline, { start, end }: Region): Block[] {
  const touched = blocks.filter(
    ({ region, parent }) => parent === undefined && region.start <= end && start <= region.end,
  );
  const tables = new Set(touched.flatMap(({ table }) => (table === undefined ? [] : table)));
  if (tables.size === 0) return touched;
  return [...touched, ...blocks.filter(({ table, kind }) => kind === "table-row" && tables.has(table!))];
}

function cutTo(text: string): { readonly text: string; readonly cut: number } {
  const { starts } = indexLines(text);
  const long = text.length > mostCharacters;
  if (starts.length <= mostLines && !long) return { text, cut: 0 };
  const end = Math.min(starts[shownAnyway] ?? text.length, 20_000);
  const shown = text.slice(0, end);
  return { text: shown, cut: Math.max(1, starts.length - indexLines(shown).starts.length) };
}
