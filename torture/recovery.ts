import type { Files } from "../src/workspace/files/files.ts";
import type { MemoryDisk } from "../src/workspace/files/memory-files.ts";
import { openWorkspace } from "../src/workspace/workspace.ts";
import { someOf } from "./errors.ts";
import { endBefore, ProcessEnded, watch } from "./interpose.ts";
import { judge } from "./judge.ts";
import type { Random } from "./random.ts";
import { perform, prepareMemory } from "./rehearsal.ts";
import { memoryScene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import type { Workload } from "./workloads.ts";

export type RecoveryOptions = {
  readonly random: Random;
  /** One of this many pairs is tried; 1: all of them. */
  readonly oneIn: number;
  /** A broken recovery in place of ours. */
  readonly spoil?: (files: Files) => Files;
};

/**
 * Ends a workload before its operation k, then ends the recovery before its operation j, then lets recovery run. In a
 * third of the cases the power fails with the process.
 */
export async function crashInRecovery(
  workload: Workload,
  tally: Tally,
  options: RecoveryOptions,
): Promise<void> {
  const { random, oneIn, spoil = (files) => files } = options;
  const base = await prepareMemory(workload);
  const total = await end(base.copy(), workload, never);
  for (let k = 0; k < total; k++) {
    const crashed = base.copy();
    await end(crashed, workload, k);
    const steps = await endRecovery(crashed.copy(), workload, never);
    for (let j = 0; j < steps; j++) {
      if (random.below(oneIn) !== 0) continue;
      const disk = crashed.copy();
      const dark = random.below(3) === 0;
      await endRecovery(disk, workload, j, spoil);
      if (dark) disk.cutPower(someOf(random));
      count(tally, "crashes in recovery");
      const verdict = await judge(memoryScene(disk), workload, { acknowledged: false, thorough: true });
      blame(
        tally,
        `${workload.name}, ended at ${k}, recovery at ${j}${dark ? ", power cut" : ""}`,
        verdict.bad,
      );
    }
  }
}

const never = Number.POSITIVE_INFINITY;

/** Ends the workload before its operation `k`, and returns how many operations it performed. */
async function end(disk: MemoryDisk, workload: Workload, k: number): Promise<number> {
  return ending(disk, k, (files) => perform(memoryScene(disk).root, files, workload));
}

async function endRecovery(
  disk: MemoryDisk,
  workload: Workload,
  j: number,
  spoil: (files: Files) => Files = (files) => files,
): Promise<number> {
  return ending(disk, j, async (files) => {
    const opened = await openWorkspace(memoryScene(disk).root, { ...workload.options, files: spoil(files) });
    if (opened.ok) await opened.value.close();
  });
}

async function ending(
  disk: MemoryDisk,
  index: number,
  run: (files: Files) => Promise<unknown>,
): Promise<number> {
  let operations = 0;
  const process = disk.process();
  const files = endBefore(
    watch(process, () => void operations++),
    index,
  );
  await run(files).catch(onlyEnded);
  disk.kill(process);
  return operations;
}

function onlyEnded(error: unknown): null {
  if (error instanceof ProcessEnded) return null;
  throw error;
}
