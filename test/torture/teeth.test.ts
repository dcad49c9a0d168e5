import { expect, inject, test } from "vitest";
import { teeth } from "../../torture/teeth.ts";

// What passes unbroken is shown by the parts themselves. Power cuts are not among the short ones.
const short = teeth.filter(({ part }) => part !== "power");

test.each(short.map((tooth) => [tooth.part, tooth.broken, tooth] as const))(
  "the part %s objects when %s",
  { timeout: 600_000 },
  async (_part, _broken, { bite }) => {
    expect(await bite(inject("seed"))).toBeGreaterThan(0);
  },
);
