import { isDistinct } from "../../drift/change/names.ts";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import { indexLines, lineAt } from "../../text/model/lines.ts";
import type { PageOutline } from "../prompts/find-passages.ts";
import type { NameWeights } from "./changed-names.ts";
import { namesIn } from "./notice-terms.ts";

const usualLength = 1500;
const longestLine = 400;

type OutlineLine = {
  readonly number: number;
  readonly text: string;
  readonly weight: number;
  readonly isHeading: boolean;
  /** The heading above it. */
  readonly heading: OutlineLine | undefined;
};

/**
 * A page as far as a question about changed names shows it: the lines that hold one, and headings. Where there is no room
 * for all of them, lines with weighty names that are rare on the page come first: a name that is everywhere tells little.
 */
export function outlinePage(
  path: string,
  text: string,
  names: NameWeights,
  { length = usualLength }: { readonly length?: number } = {},
): PageOutline {
  const { holding, headings } = weighLines(text.split("\n"), names, findHeadings(path, text));
  const shown = chooseLines(holding, headings, length);
  const missing = holding.filter((line) => !shown.has(line)).length;
  const kept = [...shown].sort((a, b) => a.number - b.number).map((line) => line.text);
  return { path, lines: [...kept, ...notShown(missing)].join("\n") };
}

/** The lines of the headings, from 0. A comment in a sample is none. */
function findHeadings(path: string, text: string): ReadonlySet<number> {
  const known = indexLines(text);
  const headings = outlineDocument(path, text).blocks.filter(({ kind }) => kind === "heading");
  return new Set(headings.map(({ content }) => lineAt(known, content.start)));
}

/** The lines that hold a name, the weightiest first, and the headings. */
function weighLines(
  lines: readonly string[],
  names: NameWeights,
  headingLines: ReadonlySet<number>,
): { readonly holding: readonly OutlineLine[]; readonly headings: readonly OutlineLine[] } {
  const counts = new Map<string, number>();
  for (const name of lines.flatMap(namesIn)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const holding: OutlineLine[] = [];
  const headings: OutlineLine[] = [];
  for (const [number, line] of lines.entries()) {
    const weight = namesIn(line).reduce(
      (sum, name) => sum + (weightIn(line, name) * (names.get(name) ?? 0)) / (counts.get(name) ?? 1),
      0,
    );
    const isHeading = headingLines.has(number);
    const one = { number, text: cutLine(line), weight, isHeading, heading: headings.at(-1) };
    if (weight > 0) holding.push(one);
    if (isHeading) headings.push(one);
  }
  return { holding: holding.sort((a, b) => b.weight - a.weight), headings };
}

/** A plain word counts in full only where the page writes it as code. */
function weightIn(line: string, name: string): number {
  if (isDistinct(name)) return 1;
  const spans = line.split("`").filter((_, i) => i % 2 === 1);
  return spans.some((code) => namesIn(code).includes(name)) ? 1 : 0.2;
}

/** The best lines, each with the heading above it, and then other headings, within the budget. */
function chooseLines(
  holding: readonly OutlineLine[],
  headings: readonly OutlineLine[],
  budget: number,
): ReadonlySet<OutlineLine> {
  const shown = new Set<OutlineLine>();
  let left = budget;
  for (const line of [...holding, ...headings]) {
    const group = line.isHeading || line.heading === undefined ? [line] : [line.heading, line];
    const fresh = group.filter((one) => !shown.has(one));
    const length = fresh.reduce((sum, one) => sum + one.text.length + 1, 0);
    if (length > left) continue;
    for (const one of fresh) shown.add(one);
    left -= length;
  }
  return shown;
}

function cutLine(line: string): string {
  return line.length <= longestLine ? line : `${line.slice(0, longestLine)} …`;
}

function notShown(missing: number): string[] {
  if (missing === 0) return [];
  return [`(${missing} more ${missing === 1 ? "line" : "lines"} with changed names not shown)`];
}
