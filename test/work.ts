/**
 * Work, for tests that limit it: CPU time as a multiple of a fixed calculation that runs beside it in the same process.
 * A slow or busy machine slows both, so a limit holds everywhere. One unit is about ten milliseconds of a fast core.
 */
export function measureWork(run: () => unknown): number {
  const before = cpuOfReference();
  const spent = cpuOf(run);
  return spent / Math.max(before, cpuOfReference());
}

export async function measureAsyncWork(run: () => Promise<unknown>): Promise<number> {
  const before = cpuOfReference();
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / Math.max(before, cpuOfReference());
}

function cpuOf(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

let reference = { taken: Number.NEGATIVE_INFINITY, spent: 0 };

/** Microseconds of the calculation; a reading is good for the next third of a second of CPU time. */
function cpuOfReference(): number {
  const { user, system } = process.cpuUsage();
  if (user + system - reference.taken < 300_000) return reference.spent;
  calculate(20_000); // compiles the loop
  reference = { taken: user + system, spent: cpuOf(() => calculate(3_600_000)) };
  return reference.spent;
}

/** Reads characters and mixes numbers, as scanners and hashes do; the result keeps the loop from being removed. */
function calculate(steps: number): number {
  let state = 1;
  for (let i = 0; i < steps; i++) state = Math.imul(state ^ sample.charCodeAt(i & 1023), 16_777_619) >>> 0;
  return state;
}

const sample = "a line of text 0123456789 (with, some; marks)\n".repeat(24);
