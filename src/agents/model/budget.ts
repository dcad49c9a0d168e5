import { addUsage, nothingUsed, type Usage } from "./prices.ts";

/**
 * Counts tokens and money. Worst cases are set aside before a call and replaced by what it really cost, so calls
 * that run side by side cannot pass the ceiling together.
 */
export type Ledger = {
  /** Sets money aside; `null` when the ceiling leaves no room for it, or nobody knows the price. */
  reserve(worstUsd: number | null): Reservation | null;
  total(): Usage;
  /** A ledger of its own for one page or task, whose sums count here too. */
  sub(): Ledger;
};

export type Reservation = {
  /** What it really was; the rest is free again. Without usage, everything is given back. */
  settle(usage?: Usage): void;
};

export function openLedger(
  options: { readonly maxCostUsd?: number | undefined; readonly above?: Ledger } = {},
): Ledger {
  const { maxCostUsd, above } = options;
  let spent = nothingUsed;
  let held = 0;

  const hasRoom = (worstUsd: number | null): boolean =>
    maxCostUsd === undefined ||
    (worstUsd !== null && (spent.costUsd ?? Infinity) + held + worstUsd <= maxCostUsd);

  const ledger: Ledger = {
    reserve: (worstUsd) => {
      const outer = hasRoom(worstUsd) ? above?.reserve(worstUsd) : null;
      if (outer === null) return null;
      const amount = worstUsd ?? 0;
      let open = true;
      held += amount;
      return {
        settle: (usage) => {
          if (!open) return;
          open = false;
          held -= amount;
          outer?.settle(usage);
          if (usage) spent = addUsage(spent, usage);
        },
      };
    },
    total: () => spent,
    sub: () => openLedger({ above: ledger }),
  };
  return ledger;
}
