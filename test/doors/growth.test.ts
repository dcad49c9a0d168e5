import { expect, test } from "vitest";
import { judgeChange } from "../../src/drift/find-drift.ts";
import { toInput } from "../../src/drift/test-case.ts";
import { type CraftedInput, craftedInputs } from "./crafted-inputs.ts";

const small = 750;
/** Of the growth of CPU time with length. A busy machine adds to it; what is quadratic has 2. */
const steepest = 1.5;
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

async function cost(
  { page, before, after, path = "docs/page.md" }: CraftedInput,
  n: number,
): Promise<number> {
  const sources: [string, string] = [
    `export function loadThing() {}\n${before?.(n) ?? ""}`,
    `export function readThing() {}\n${after?.(n) ?? ""}`,
  ];
  const change = toInput({
    files: { "src/a.js": sources },
    docs: { [path]: page(n), "README.md": "# Tool\n" },
  });
  const start = process.cpuUsage();
  await judgeChange(change);
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
