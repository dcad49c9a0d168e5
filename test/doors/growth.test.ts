import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { check } from "../../src/docs/check/check.ts";
import { openProject } from "../../src/docs/project.ts";
import { type CraftedInput, craftedInputs, craftRepository } from "./crafted-inputs.ts";

const small = 1000;
/** Of the growth of CPU time with length. A busy machine adds to it; what is quadratic has 2. */
const steepest = 1.3;
/** Less is noise. In microseconds. */
const least = 100_000;

test.each(craftedInputs.map((input) => [input.name, input] as const))(
  "a check of %s takes time in proportion to its length",
  async (name, input) => {
    await cost(input, 10);
    let exponent = Number.POSITIVE_INFINITY;
    // Another process may have cost the first times.
    for (let round = 0; round < 4 && exponent > steepest; round++) {
      const [few, many] = [await cost(input, small), await cost(input, small * 4)];
      exponent = many < least ? 0 : Math.log(many / Math.max(few, least / 8)) / Math.log(4);
    }
    if (process.env.SUTURE_GROWTH) console.log(`${name}: exponent ${exponent.toFixed(2)}`);
    expect(exponent).toBeLessThanOrEqual(steepest);
  },
);

/** The CPU time of a check as every door makes it, without that of git. */
async function cost(input: CraftedInput, n: number): Promise<number> {
  const root = craftRepository(input, n);
  const opened = await openProject({ root });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  const start = process.cpuUsage();
  const { ok } = await check(opened.value, { base: "HEAD~1" });
  const { user, system } = process.cpuUsage(start);
  expect(ok).toBe(true);
  rmSync(root, { recursive: true });
  return user + system;
}
