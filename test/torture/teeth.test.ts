import { expect, inject, test } from "vitest";
import { teeth } from "../../torture/teeth.ts";

// What passes unbroken is shown by the parts themselves.
test.each(teeth.map((tooth) => [tooth.part, tooth.broken, tooth] as const))(
  "the part %s objects when %s",
  { timeout: 600_000 },
  async (_part, _broken, { bite }) => {
    expect(await bite(inject("seed"))).toBeGreaterThan(0);
  },
);
