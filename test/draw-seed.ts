import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    seed: number;
  }
}

/** One seed for every law of a run, printed so that the run can be repeated. */
export default function drawSeed(project: TestProject): void {
  const given = process.env.FAST_CHECK_SEED;
  const seed = given ? Number(given) : Math.floor(Math.random() * 2 ** 31);
  if (!Number.isInteger(seed)) throw new Error(`FAST_CHECK_SEED must be an integer, not ${given}`);
  console.log(`laws run with seed ${seed}; FAST_CHECK_SEED=${seed} npm test repeats them`);
  project.provide("seed", seed);
}
