import { addUsage, nothingUsed, type Usage } from "./prices.ts";

/** Money set aside for one call. Without usage, `settle` returns all of it; a second call does nothing. */
export type Reservation = { settle(usage?: Usage): void };

/**
 * Counts tokens and money. A call reserves its worst case first and settles its real cost later, so parallel calls
 * cannot exceed the limit together.
 */
export class CostBudget {
  readonly #maxCostUsd: number | undefined;
  readonly #parent: CostBudget | undefined;
  #spent = nothingUsed;
  #reserved = 0;

  constructor(options: { readonly maxCostUsd?: number | undefined; readonly parent?: CostBudget } = {}) {
    this.#maxCostUsd = options.maxCostUsd;
    this.#parent = options.parent;
  }

  /** `null`: the limit leaves no room, or there is a limit and the price is unknown. */
  reserve(worstUsd: number | null): Reservation | null {
    const outer = this.#hasRoom(worstUsd) ? this.#parent?.reserve(worstUsd) : null;
    if (outer === null) return null;
    const amount = worstUsd ?? 0;
    let open = true;
    this.#reserved += amount;
    return {
      settle: (usage) => {
        if (!open) return;
        open = false;
        this.#reserved -= amount;
        outer?.settle(usage);
        if (usage) this.#spent = addUsage(this.#spent, usage);
      },
    };
  }

  total(): Usage {
    return this.#spent;
  }

  /** A separate count for one page or task. Its sums count here too. */
  child(): CostBudget {
    return new CostBudget({ parent: this });
  }

  #hasRoom(worstUsd: number | null): boolean {
    if (this.#maxCostUsd === undefined) return true;
    if (worstUsd === null || this.#spent.costUsd === null) return false;
    return this.#spent.costUsd + this.#reserved + worstUsd <= this.#maxCostUsd;
  }
}
