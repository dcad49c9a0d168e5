import { isDistinct } from "../../drift/change/names.ts";
import type { PageOutline } from "../prompts/find-passages.ts";
import { namesIn } from "./notice-terms.ts";

const longestOutline = 1500;
const longestLine = 400;

/** Changed names, each with its weight. */
export type NameWeights = ReadonlyMap<string, number>;

/**
 * A page as far as a question about changed names shows it: the lines that hold one, and headings. Where there is no room
 * for all of them, lines with weighty names that are rare on the page come first: a name that is everywhere tells little.
 */
export function outlinePage(path: string, text: string, names: NameWeights): PageOutline {
  const lines = text.split("\n");
  const held = lines.map((line) => namesIn(line).filter((name) => names.has(name)));
  const counts = new Map<string, number>();
  for (const name of held.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const weights = held.map((found, i) =>
    found.reduce((sum, name) => sum + (weightIn(lines[i]!, name) * names.get(name)!) / counts.get(name)!, 0),
  );
  const headings = [...lines.keys()].filter((i) => /^#{1,6}\s/.test(lines[i]!));
  const holding = [...lines.keys()].filter((i) => weights[i]! > 0).sort((a, b) => weights[b]! - weights[a]!);
  const shown = chooseLines(lines, { holding, headings });
  const missing = holding.filter((i) => !shown.has(i)).length;
  const kept = [...shown].sort((a, b) => a - b).map((i) => cutLine(lines[i]!));
  return { path, lines: [...kept, ...notShown(missing)].join("\n") };
}

/** A plain word counts in full only where the page writes it as code. */
function weightIn(line: string, name: string): number {
  if (isDistinct(name)) return 1;
  const isCode = Array.from(line.matchAll(/`([^`]+)`/g)).some(([, code]) => namesIn(code!).includes(name));
  return isCode ? 1 : 0.2;
}

/** The best lines, each with the heading above it, and then other headings, within the budget. */
function chooseLines(
  lines: readonly string[],
  { holding, headings }: { readonly holding: readonly number[]; readonly headings: readonly number[] },
): Set<number> {
  const shown = new Set<number>();
  let left = longestOutline;
  const wanted = [
    ...holding.map((i) => [headings.findLast((heading) => heading < i) ?? i, i]),
    ...headings.map((i) => [i]),
  ];
  for (const group of wanted) {
    const fresh = [...new Set(group)].filter((i) => !shown.has(i));
    const length = fresh.reduce((sum, i) => sum + cutLine(lines[i]!).length + 1, 0);
    if (length > left) continue;
    for (const i of fresh) shown.add(i);
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
