import { closeEverywhere } from "./closing.ts";
import { closeAgain } from "./closing-again.ts";
import { checkCrashStates } from "./crash-states.ts";
import { cancelAnywhere, injectErrors, injectOnDisk, writeShort } from "./errors.ts";
import { fillDisk } from "./full.ts";
import { playHistory } from "./histories.ts";
import { changeHistory, flipBits, forgeJournals, plantSecrets, truncateJournals } from "./journals.ts";
import { failSystemCalls, killEverywhere } from "./kill.ts";
import { writeLate } from "./late.ts";
import { takeTurns } from "./locks.ts";
import { raceOutsideAll } from "./outside.ts";
import { cutPower } from "./power.ts";
import { createRandom, type Random } from "./random.ts";
import { readWhileWriting } from "./readers.ts";
import { crashInRecovery } from "./recovery.ts";
import { stopEverywhere } from "./stop.ts";
import { raceSwaps } from "./swap.ts";
import type { Tally } from "./tally.ts";
import { locateWorkload, memoryWorkloads, workloads } from "./workloads.ts";
import { writeTogether } from "./writers.ts";

/** The size of a run: `short` in `npm run test:long`, `long` in `npm run torture`, multiplied by `scale`. */
export type Extent = { readonly form: "short" | "long"; readonly scale: number; readonly seed: number };

/** One part of the rig. */
export type Part = {
  readonly name: string;
  readonly description: string;
  run(tally: Tally, extent: Extent): Promise<void>;
};

export const parts: readonly Part[] = [
  {
    name: "kill",
    description: "kill -9 before an operation that changes the disk",
    run: async (tally, extent) => {
      // Every operation of the small workloads; of the large ones as many as the count asks for.
      for (const [i, workload] of workloads.entries()) {
        const left = size(extent, 1040, 3000) - (tally.counts["kill points"] ?? 0);
        const most = { "edit 50": Math.max(20, left), "edit 500": size(extent, 4, 400) }[workload.name];
        await killEverywhere(workload, tally, {
          random: randomOf(extent, i),
          points: most ?? 1000,
          lanes: 3,
        });
      }
    },
  },
  {
    name: "kill-outside",
    description: "kill -9 or an error at a system call, by strace",
    run: async (tally, extent) => {
      for (const [i, workload] of workloads.filter(({ name }) => name !== "edit 500").entries()) {
        if (tally.skipped.length > 0) return;
        await failSystemCalls(workload, tally, {
          random: randomOf(extent, i),
          points: size(extent, 1, 40),
          lanes: 3,
        });
      }
    },
  },
  {
    name: "recovery",
    description: "a crash in the recovery from a crash",
    run: async (tally, extent) => {
      for (const [i, workload] of memoryWorkloads.entries()) {
        // Bytes written in place can look whole without being on the disk. Few moments show it, so all are tried.
        const short = workload.name === "in place" ? 1 : 40;
        await crashInRecovery(workload, tally, {
          random: randomOf(extent, i),
          oneIn: oneIn(extent, short, 1),
        });
      }
    },
  },
  {
    name: "errors",
    description: "an operation fails, once or from there on",
    run: async (tally, extent) => {
      for (const [i, workload] of memoryWorkloads.entries()) {
        const random = randomOf(extent, i);
        await injectErrors(workload, tally, { random, oneIn: oneIn(extent, 12, 1), thoroughOneIn: 8 });
        await writeShort(workload, tally);
        if (!workload.disk) await injectOnDisk(workload, tally, { random, samples: size(extent, 3, 100) });
      }
      await cancelAnywhere(tally);
    },
  },
  {
    name: "full",
    description: "a real file system with no page left, with one, with two…",
    run: async (tally, extent) => {
      for (const workload of workloads)
        await fillDisk(workload, tally, {
          oneIn: oneIn(extent, 8, 1) * (workload.name === "edit 500" ? 12 : 1),
        });
    },
  },
  {
    name: "states",
    description: "what a power cut may legally leave, enumerated",
    run: async (tally, extent) => {
      for (const [i, workload] of memoryWorkloads.entries()) {
        const how = { random: randomOf(extent, i), thoroughOneIn: 16 };
        await checkCrashStates(workload, tally, { ...how, perMoment: size(extent, 15, 900) });
        await checkCrashStates(workload, tally, { ...how, perMoment: size(extent, 6, 500), fresh: true });
      }
    },
  },
  {
    name: "power",
    description: "power cuts on real file systems in images",
    run: async (tally, extent) => {
      for (const name of ["edit 5", "mixed", "undo", "in place"])
        await cutPower(locateWorkload(name), tally, {
          random: randomOf(extent, 0),
          oneIn: oneIn(extent, 50, 1),
        });
    },
  },
  {
    name: "writers",
    description: "many processes edit one file, some are killed",
    run: (tally, extent) =>
      writeTogether(tally, {
        random: randomOf(extent, 0),
        processes: 32,
        pieces: size(extent, 300, 10_000),
        kills: size(extent, 40, 1000),
      }),
  },
  {
    name: "lock",
    description: "many processes take turns at the lock, some are killed",
    run: (tally, extent) =>
      takeTurns(tally, {
        random: randomOf(extent, 0),
        processes: 16,
        pieces: size(extent, 25, 2000),
        kills: size(extent, 40, 1000),
      }),
  },
  {
    name: "stop",
    description: "a writer stops before an operation, its lock is broken, another edits, and it goes on",
    run: (tally, extent) =>
      stopEverywhere(tally, { random: randomOf(extent, 0), oneIn: oneIn(extent, 6, 1) }),
  },
  {
    name: "swap",
    description: "directories and files swapped for links while we write",
    run: (tally, extent) => raceSwaps(tally, { tries: size(extent, 2000, 100_000) }),
  },
  {
    name: "readers",
    description: "a tight reader while a file is replaced",
    run: (tally, extent) => readWhileWriting(tally, { commits: size(extent, 300, 20_000) }),
  },
  {
    name: "outside",
    description: "an outside program saves the file that we edit",
    run: (tally, extent) => raceOutsideAll(tally, { commits: size(extent, 200, 10_000) }),
  },
  {
    name: "late",
    description: "programs write into a file that we replaced while they had it open",
    run: (tally, extent) =>
      writeLate(tally, { random: randomOf(extent, 0), writers: size(extent, 200, 10_000) }),
  },
  {
    name: "close",
    description: "a close before any operation, with other roots and files opened at once",
    run: async (tally, extent) => {
      const some = workloads.filter(({ name }) => name !== "edit 50" && name !== "edit 500");
      for (const [i, workload] of some.entries())
        await closeEverywhere(workload, tally, {
          random: randomOf(extent, i),
          oneIn: oneIn(extent, 30, 1),
        });
    },
  },
  {
    name: "close-again",
    description: "the known misuses of a closed workspace, each in many rounds",
    run: (tally, extent) =>
      closeAgain(tally, { random: randomOf(extent, 0), rounds: size(extent, 10, 1000) }),
  },
  {
    name: "histories",
    description: "random edits, undos, redos and restores with outside changes",
    run: async (tally, extent) => {
      const random = randomOf(extent, 0);
      for (let i = 0; i < size(extent, 400, 10_000); i++)
        await playHistory(random.below(2 ** 31), tally, { steps: 30 });
    },
  },
  {
    name: "journal",
    description: "journals cut, damaged, forged and changed; secrets",
    run: async (tally, extent) => {
      const random = randomOf(extent, 0);
      for (const name of ["edit 2", "mixed"]) {
        await truncateJournals(locateWorkload(name), tally);
        await flipBits(locateWorkload(name), tally, { random, flips: size(extent, 1000, 20_000) });
      }
      await changeHistory(tally, { random, changes: size(extent, 1000, 10_000) });
      await forgeJournals(tally);
      await plantSecrets(tally, { random, secrets: 100 });
    },
  },
];

export function locatePart(name: string): Part {
  const found = parts.find((part) => part.name === name);
  if (!found)
    throw new Error(
      `there is no part ${JSON.stringify(name)}; there are ${parts.map((part) => part.name).join(", ")}`,
    );
  return found;
}

function size({ form, scale }: Extent, short: number, long: number): number {
  return Math.max(1, Math.round((form === "short" ? short : long) * scale));
}

function oneIn({ form, scale }: Extent, short: number, long: number): number {
  return Math.max(1, Math.round((form === "short" ? short : long) / scale));
}

/** Every workload has its own random numbers, so that one can be repeated without the others. */
function randomOf({ seed }: Extent, index: number): Random {
  return createRandom(seed + index * 7919);
}
