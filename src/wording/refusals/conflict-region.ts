import type { Versions } from "../../text/model/outcome.ts";

const shortText = 40;
const context = 3;
const mostLines = 60;
const longestLine = 500;

/** Two versions of a file, each cut to the lines where they differ and a few around them. */
export function conflictRegion({ ours, theirs }: Versions): Versions {
  if (ours === null || theirs === null)
    return { ours: ours && cut(ours.split("\n")), theirs: theirs && cut(theirs.split("\n")) };
  const [mine, other] = [ours.split("\n"), theirs.split("\n")];
  if (Math.max(mine.length, other.length) <= shortText && isNarrow([...mine, ...other]))
    return { ours, theirs };
  const shortest = Math.min(mine.length, other.length);
  let head = 0;
  while (head < shortest && mine[head] === other[head]) head++;
  let tail = 0;
  while (tail < shortest - head && mine.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const [above, below] = [Math.max(0, head - context), Math.max(0, tail - context)];
  const show = (lines: readonly string[]): string => {
    const region = cut(lines.slice(above, lines.length - below));
    return [...note(above, "above"), region, ...note(below, "below")].join("\n");
  };
  return { ours: show(mine), theirs: show(other) };
}

function isNarrow(lines: readonly string[]): boolean {
  return lines.every((line) => line.length <= longestLine);
}

function note(count: number, where: "above" | "below"): string[] {
  return count === 0 ? [] : [`(${count} equal ${count === 1 ? "line" : "lines"} ${where})`];
}

function cut(lines: readonly string[]): string {
  const shown = lines
    .slice(0, mostLines)
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line));
  const rest = lines.length - shown.length;
  return [...shown, ...(rest > 0 ? [`(${rest} more ${rest === 1 ? "line" : "lines"})`] : [])].join("\n");
}
