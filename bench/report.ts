/** The middle of the figures of several rounds. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Rows under their headings, every column as wide as it needs to be; the first to the left, the others right. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const print = (row: readonly string[]): string =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  ");
  return [print(headings), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(print)].join(
    "\n",
  );
}

export type Target = {
  readonly name: string;
  readonly limit: number;
  readonly actual: number;
  readonly unit: string;
};

/** One line for each target: what was asked, what was measured, met or missed. */
export function printTargets(targets: readonly Target[]): string {
  const rows = targets.map(({ name, limit, actual, unit }) => [
    name,
    `≤ ${limit} ${unit}`,
    `${figure(actual)} ${unit}`,
    actual <= limit ? "met" : "MISSED",
  ]);
  return printTable(["target", "asked", "measured", ""], rows);
}

/** A figure with three digits that count. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

/** Milliseconds of CPU time. */
export function milliseconds(value: number): string {
  return `${figure(value)} ms`;
}
