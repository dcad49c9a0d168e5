import { printTable } from "../report.ts";

/** What became of an edit. `refused, then right`: the corrected call of the refusal gave the right text. */
export type Fate = (typeof fates)[number];

const fates = [
  "right",
  "refused, then right",
  "refused, then wrong",
  "refused, helped",
  "refused",
  "wrong",
] as const;

/** How often each row had which fate, with the first examples of those that need a look. */
export class Tally {
  readonly #rows = new Map<string, Map<Fate, number>>();
  readonly #examples = new Map<string, string[]>();

  add(row: string, fate: Fate, example?: () => string): void {
    const counts = this.#rows.get(row) ?? new Map<Fate, number>();
    counts.set(fate, (counts.get(fate) ?? 0) + 1);
    this.#rows.set(row, counts);
    if (!example) return;
    const known = this.#examples.get(`${row}: ${fate}`) ?? [];
    if (known.length < mostExamples) known.push(example());
    this.#examples.set(`${row}: ${fate}`, known);
  }

  /** How many of all rows whose name passes had a fate. */
  count(fate: Fate, isMeant: (row: string) => boolean = () => true): number {
    return [...this.#rows]
      .filter(([row]) => isMeant(row))
      .reduce((sum, [, counts]) => sum + (counts.get(fate) ?? 0), 0);
  }

  print(): void {
    const shown = fates.filter((fate) => this.count(fate) > 0 || fate === "right" || fate === "wrong");
    const rows = [...this.#rows].map(([row, counts]) => {
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const right = counts.get("right") ?? 0;
      return [row, ...shown.map((fate) => String(counts.get(fate) ?? 0)), `${percent(right, total)} %`];
    });
    console.log(printTable(["", ...shown, "right, share"], rows));
    for (const [row, examples] of this.#examples)
      for (const example of examples) console.log(`${row}: ${example}`);
  }
}

const mostExamples = 5;

function percent(part: number, total: number): string {
  return total === 0 ? "–" : ((100 * part) / total).toFixed(1);
}
