import type { Truth } from "./claim.ts";

/** How many claims were asked, and why some of them could not be decided. */
export type Asked = {
  readonly claims: number;
  readonly undecidable: readonly { readonly why: string; readonly count: number }[];
};

/** Counts the claims of a search. */
export class Tally {
  #claims = 0;
  readonly #reasons = new Map<string, number>();

  /** Counts a claim; null where only drift was asked for, not the truth as things stand. */
  count(truth: Truth | null): void {
    this.#claims++;
    if (truth?.is === "undecidable") this.#reasons.set(truth.why, (this.#reasons.get(truth.why) ?? 0) + 1);
  }

  /** The counts, the most frequent reason first. */
  total(): Asked {
    const reasons = [...this.#reasons].map(([why, count]) => ({ why, count }));
    return { claims: this.#claims, undecidable: reasons.sort((a, b) => b.count - a.count) };
  }
}
