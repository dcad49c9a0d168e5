/** The counts and the bad outcomes of one part of the rig. */
export type Tally = {
  readonly counts: Record<string, number>;
  /** Outcomes that must not happen. */
  readonly bad: string[];
  /** Tests that are impossible on this machine, and why. */
  readonly skipped: string[];
};

export function newTally(): Tally {
  return { counts: {}, bad: [], skipped: [] };
}

export function count(tally: Tally, what: string, by = 1): void {
  tally.counts[what] = (tally.counts[what] ?? 0) + by;
}

/** Adds the counts of another tally. */
export function addTally(tally: Tally, { counts, bad, skipped }: Tally): void {
  for (const [what, by] of Object.entries(counts)) count(tally, what, by);
  tally.bad.push(...bad);
  tally.skipped.push(...skipped);
}

export function blame(tally: Tally, label: string, bad: readonly string[]): void {
  for (const each of bad) tally.bad.push(`${label}: ${each}`);
}
