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

/** The targets that `printTargets` printed somewhere in `text`. */
export function readTargets(text: string): Target[] {
  const row =
    /^(?<name>\S.*?) {2,}≤ (?<limit>[\d.]+) (?<unit>\S.*?) {2,}(?<actual>[\d.]+) .*(?:met|MISSED)$/gm;
  return [...text.matchAll(row)].map(({ groups }) => ({
    name: groups!.name!,
    limit: Number(groups!.limit),
    actual: Number(groups!.actual),
    unit: groups!.unit!,
  }));
}

/** A ratio may be this much over its limit before a target that was met counts as lost: machines are noisy. */
const tolerance = 1.2;

/**
 * The targets that an earlier run met and that are lost now. Only ratios count, because both sides of a ratio ran on the
 * same machine; a target that is no longer measured is lost, too.
 */
export function lostTargets(before: readonly Target[], now: readonly Target[]): string[] {
  const met = before.filter(({ unit, actual, limit }) => unit.startsWith("×") && actual <= limit);
  return met.flatMap(({ name, limit, unit, actual }) => {
    const fresh = now.find((target) => target.name === name);
    if (!fresh) return [`${name}: not measured`];
    if (fresh.actual <= fresh.limit * tolerance) return [];
    return [`${name}: ${figure(fresh.actual)} ${unit}, asked ≤ ${limit}, once ${figure(actual)}`];
  });
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
