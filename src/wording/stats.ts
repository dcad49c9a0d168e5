import type { Acceptance, Cost, Stats } from "../docs/record/stats.ts";
import { plural } from "./sentences.ts";

/** The figures for a person: a line each, with bars where figures are compared. */
export function printStats(stats: Stats): string {
  if (stats.entries === 0 && stats.runs === 0) return "Nothing has been recorded here yet.";
  const sections = [
    adoptionLines(stats),
    table("Edits kept, by rule", acceptanceRows(stats.rules)),
    table("Edits kept, by model", acceptanceRows(stats.models)),
    table("Runs", commandRows(stats)),
    table("Tool calls", barRows(Object.entries(stats.toolCalls))),
    table(
      "Edits over time",
      barRows(stats.overTime.map(({ start, edits, rewrites }) => [start, edits + rewrites] as const)),
    ),
    costLines(stats),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function adoptionLines({ entries, runs, adoption, since }: Stats): string[] {
  const { edits, rewrites, created, share } = adoption;
  const when = since === null ? "" : ` since ${since.slice(0, 10)}`;
  return [
    `${plural(entries, "transaction")} and ${plural(runs, "run")}${when}`,
    ...table(
      "Files changed",
      barRows([
        ["edits", edits],
        ["whole files", rewrites],
        ["new files", created],
      ]),
    ),
    ...(share === null ? [] : [`  ${percent(share)} of the changes to existing files were edits`]),
  ];
}

function acceptanceRows(groups: Readonly<Record<string, Acceptance>>): string[][] {
  const shown = Object.entries(groups).filter(([, { share }]) => share !== null);
  return shown.map(([name, { kept, undone, rejected, share }]) => [
    name,
    bar(share!, 1),
    `${percent(share!)}  ${kept} kept, ${undone} undone, ${rejected} rejected`,
  ]);
}

function commandRows({ commands }: Stats): string[][] {
  return Object.entries(commands).map(([name, { runs, edits, pages, ...cost }]) => [
    name,
    `${plural(runs, "run")}, ${plural(edits, "edit")}`,
    `${pages.updated} updated, ${pages.unchanged} unchanged, ${pages.skipped} skipped, ${pages.error} failed${costText(cost)}`,
  ]);
}

function costLines({ cost, unreadable }: Stats): string[] {
  const words = costText(cost).replace(/^, /, "");
  return [
    ...(words === "" ? [] : [`Cost: ${words}`]),
    ...(unreadable === 0
      ? []
      : [
          `${plural(unreadable, "record")} could not be read and ${unreadable === 1 ? "is" : "are"} not counted`,
        ]),
  ];
}

function costText({ inputTokens, outputTokens, costUsd, unpriced }: Cost): string {
  if (inputTokens + outputTokens === 0) return "";
  const dollars = costUsd > 0 ? `, $${costUsd.toFixed(costUsd < 1 ? 4 : 2)}` : "";
  const open = unpriced > 0 ? `, ${plural(unpriced, "run")} without a known price` : "";
  return `, ${inputTokens} tokens in, ${outputTokens} out${dollars}${open}`;
}

function barRows(counts: readonly (readonly [string, number])[]): string[][] {
  const most = Math.max(1, ...counts.map(([, count]) => count));
  return counts.map(([name, count]) => [name, bar(count, most), String(count)]);
}

const width = 24;

function bar(value: number, most: number): string {
  const eighths = Math.round((value / most) * width * 8);
  const part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]!;
  return `${"█".repeat(Math.floor(eighths / 8))}${part}`;
}

function table(title: string, rows: readonly string[][]): string[] {
  if (rows.length === 0) return [];
  const columns = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return [
    title,
    ...rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(columns[i]!)).join("  ")}`.trimEnd()),
  ];
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
