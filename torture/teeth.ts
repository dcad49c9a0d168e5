import { countHarm } from "./closing.ts";
import { misuseNames } from "./closing-again.ts";
import { checkCrashStates, type StateOptions } from "./crash-states.ts";
import { flushIgnorers, injectErrors } from "./errors.ts";
import { overwritingUndo, playHistory } from "./histories.ts";
import { changeHistory, leaveAsItIs } from "./journals.ts";
import { killNaively } from "./kill.ts";
import { takeTurns } from "./locks.ts";
import { mutants, withoutJournalFlushes } from "./mutants.ts";
import { raceOutsideBlindly } from "./outside.ts";
import { cutPower } from "./power.ts";
import { createRandom } from "./random.ts";
import { readWhileTruncating } from "./readers.ts";
import { crashInRecovery } from "./recovery.ts";
import { believingLock, stopEverywhere } from "./stop.ts";
import { raceNaively } from "./swap.ts";
import { newTally, type Tally } from "./tally.ts";
import { locateWorkload } from "./workloads.ts";
import { writeTogether } from "./writers.ts";

/** Something broken on purpose. `bite` returns how many bad outcomes the rig found. */
export type Tooth = {
  readonly part: string;
  readonly broken: string;
  /** `null`: it cannot be tried on this machine. */
  bite(seed: number): Promise<number | null>;
};

const badOf = async (run: (tally: Tally) => Promise<void>): Promise<number> => {
  const tally = newTally();
  await run(tally);
  return tally.bad.length;
};

/** The options for broken protocols. The intact protocol must pass with the same options. */
export function closely(seed: number): StateOptions {
  return { random: createRandom(seed), perMoment: 80, thoroughOneIn: 4, stopAtFirst: true };
}

/** Every part of the rig is given something broken, which it must detect. */
export const teeth: readonly Tooth[] = [
  ...Object.entries(mutants).map(([broken, { workload, spoil }]) => ({
    part: "states",
    broken,
    bite: (seed: number) =>
      badOf((tally) => checkCrashStates(locateWorkload(workload), tally, { ...closely(seed), spoil })),
  })),
  ...Object.entries(flushIgnorers).map(([broken, spoil]) => ({
    part: "errors",
    broken,
    bite: (seed: number) =>
      badOf((tally) =>
        injectErrors(locateWorkload("edit 2"), tally, {
          random: createRandom(seed),
          oneIn: 2,
          thoroughOneIn: 1000,
          spoil,
        }),
      ),
  })),
  {
    part: "recovery",
    broken: "recovery acts on records that it has not flushed",
    bite: (seed: number) =>
      badOf((tally) =>
        crashInRecovery(locateWorkload("edit 5"), tally, {
          random: createRandom(seed),
          oneIn: 3,
          spoil: withoutJournalFlushes,
        }),
      ),
  },
  {
    part: "close",
    broken: "a closed workspace goes on with the numbers of its descriptors",
    bite: (seed: number) => countHarm(seed),
  },
  ...misuseNames.map((misuse) => ({
    part: "close-again",
    broken: `a closed workspace goes on with the numbers of its descriptors: ${misuse}`,
    bite: (seed: number) => countHarm(seed, misuse),
  })),
  {
    part: "stop",
    broken: "a process that was stopped does not ask whether the lock is still its own",
    bite: (seed: number) =>
      badOf((tally) => stopEverywhere(tally, { random: createRandom(seed), oneIn: 8, spoil: believingLock })),
  },
  {
    part: "histories",
    broken: "undo puts the old files back whatever stands there",
    bite: (seed: number) =>
      badOf(async (tally) => {
        for (let i = 0; i < 40; i++)
          await playHistory(seed + i, tally, { steps: 30, spoil: overwritingUndo });
      }),
  },
  {
    part: "journal",
    broken: "an unchanged history is reported as changed",
    bite: (seed: number) =>
      badOf((tally) => changeHistory(tally, { random: createRandom(seed), changes: 3, spoil: leaveAsItIs })),
  },
  {
    part: "power",
    broken: "no flush of staged files",
    bite: async (seed) => {
      const tally = newTally();
      const { spoil } = mutants["no flush of staged files"]!;
      await cutPower(locateWorkload("edit 5"), tally, { random: createRandom(seed), oneIn: 3, spoil });
      return tally.counts["power cuts on images"] === undefined ? null : tally.bad.length;
    },
  },
  {
    part: "kill",
    broken: "files truncated and written in turn",
    bite: () => killNaively(locateWorkload("edit 5"), 15),
  },
  {
    part: "writers",
    broken: "writers that read and write without a lock",
    bite: (seed) =>
      badOf((tally) =>
        writeTogether(tally, {
          random: createRandom(seed),
          processes: 8,
          pieces: 1000,
          kills: 0,
          blind: true,
        }),
      ),
  },
  {
    part: "lock",
    broken: "no process takes the lock",
    bite: (seed) =>
      badOf((tally) =>
        takeTurns(tally, { random: createRandom(seed), processes: 8, pieces: 200, kills: 0, without: true }),
      ),
  },
  {
    part: "swap",
    broken: "the path is resolved, checked and then written",
    bite: () => raceNaively({ tries: 20_000 }),
  },
  {
    part: "readers",
    broken: "the file is truncated and written",
    bite: () => readWhileTruncating({ writes: 2000 }),
  },
  {
    part: "outside",
    broken: "the file is read and later written",
    bite: () => raceOutsideBlindly({ how: "in-place", commits: 300 }),
  },
];
