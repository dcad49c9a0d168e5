import { expect, inject } from "vitest";
import { locatePart } from "../../torture/parts.ts";
import { newTally, type Tally } from "../../torture/tally.ts";

/** A machine with better things to do must not fail them. */
export const patiently = { timeout: 1_200_000 };

/** Runs the short form of a part, prints what it counted, and expects that nothing bad came of it. */
export async function runPart(name: string): Promise<Tally["counts"]> {
  const tally = newTally();
  await locatePart(name).run(tally, { form: "short", scale: 1, seed: inject("seed") });
  const counts = Object.entries(tally.counts).map(([what, number]) => `${what} ${number}`);
  console.log([`${name}: ${counts.join(", ")}`, ...new Set(tally.skipped)].join("\n  skipped: "));
  expect(tally.bad.slice(0, 20)).toEqual([]);
  return tally.counts;
}
