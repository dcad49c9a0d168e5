import fc from "fast-check";
import { expect, test } from "vitest";
import { CostBudget } from "./budget.ts";

test("money set aside and money spent never pass the ceiling, whatever the order", () => {
  const step = fc.record({
    worst: fc.integer({ min: 0, max: 50 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    late: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), fc.array(step, { maxLength: 40 }), (ceiling, steps) => {
      const budget = new CostBudget({ maxCostUsd: ceiling });
      const pages = [budget.child(), budget.child().child()];
      const later: (() => void)[] = [];
      let spent = 0;
      for (const [i, { worst, share, late }] of steps.entries()) {
        const reservation = pages[i % 2]!.reserve(worst);
        if (!reservation) continue;
        const settle = () => {
          spent += worst * share;
          reservation.settle({ inputTokens: 1, outputTokens: 1, costUsd: worst * share });
          reservation.settle({ inputTokens: 1, outputTokens: 1, costUsd: 1000 });
        };
        if (late) later.push(settle);
        else settle();
      }
      for (const settle of later) settle();
      expect(budget.total().costUsd!).toBeLessThanOrEqual(ceiling + 1e-9);
      expect(budget.total().costUsd!).toBeCloseTo(spent, 6);
    }),
  );
});

test("what is given back can be set aside again", () => {
  const budget = new CostBudget({ maxCostUsd: 1 });
  const first = budget.reserve(1)!;
  expect(budget.reserve(0.1)).toBeNull();
  first.settle();
  expect(budget.reserve(1)).not.toBeNull();
});

test("without a ceiling an unknown price is no obstacle, and the sum says that it is unknown", () => {
  const budget = new CostBudget();
  budget.reserve(null)!.settle({ inputTokens: 5, outputTokens: 6, costUsd: null });
  expect(budget.total()).toEqual({ inputTokens: 5, outputTokens: 6, costUsd: null });
  expect(new CostBudget({ maxCostUsd: 1 }).reserve(null)).toBeNull();
});
