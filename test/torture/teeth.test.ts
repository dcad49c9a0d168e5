import { expect, inject, test } from "vitest";
import { teeth } from "../../torture/teeth.ts";

// The parts themselves show that the intact engine passes. The short form has no power cuts.
const short = teeth.filter(({ part }) => part !== "power");

test.each(short.map((tooth) => [tooth.part, tooth.broken, tooth] as const))(
  "the part %s objects when %s",
  { timeout: 600_000 },
  async (_part, _broken, { bite }) => {
    expect(await bite(inject("seed"))).toBeGreaterThan(0);
  },
);
