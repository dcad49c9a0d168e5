import { defined } from "../../text/model/defined.ts";
import type { Truth } from "./claim.ts";

/** How many claims were asked, how many of them are true and false, and why others could not be decided. */
export type Asked = {
  readonly claims: number;
  /** Absent where only drift was asked for, not the truth as things stand. */
  readonly true?: number;
  readonly false: number;
  readonly undecidable: readonly { readonly why: string; readonly count: number }[];
};

/** Counts the claims of a search. Words that are no claim about the project do not count. */
export class Tally {
  #claims = 0;
  #true: number | undefined;
  #false = 0;
  readonly #reasons = new Map<string, number>();

  /** Counts a claim; null where only drift was asked for and none was found. */
  count(truth: Truth | null): void {
    if (truth?.is === "none") return;
    this.#claims++;
    if (truth?.is === "true") this.#true = (this.#true ?? 0) + 1;
    if (truth?.is === "false") this.#false++;
    if (truth?.is === "undecidable") this.#reasons.set(truth.why, (this.#reasons.get(truth.why) ?? 0) + 1);
  }

  /** The counts, the most frequent reason first. */
  total(): Asked {
    const reasons = [...this.#reasons].map(([why, count]) => ({ why, count }));
    return {
      claims: this.#claims,
      ...defined({ true: this.#true }),
      false: this.#false,
      undecidable: reasons.sort((a, b) => b.count - a.count),
    };
  }
}
