import type { Outcome } from "../src/text/model/outcome.ts";
import type { Files } from "../src/workspace/files/files.ts";
import { type Choose, keepAll, loseAll } from "../src/workspace/files/inodes.ts";
import type { MemoryDisk } from "../src/workspace/files/memory-files.ts";
import { type Call, type Failure, failing, interpose, shortened } from "./interpose.ts";
import { isStateOnly, judge, standingFiles } from "./judge.ts";
import type { Random } from "./random.ts";
import { perform, prepare, prepareMemory } from "./rehearsal.ts";
import { makeDiskScene, memoryScene, removeDiskScene, type Scene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import { commitEdits, locateWorkload, mixedEdits, type Workload } from "./workloads.ts";

export const codes = [
  "EIO",
  "ENOSPC",
  "EDQUOT",
  "EACCES",
  "EPERM",
  "EROFS",
  "EMFILE",
  "ENFILE",
  "EINTR",
  "EBUSY",
  "EXDEV",
  "ENOTSUP",
] as const;

export type ErrorOptions = {
  readonly random: Random;
  /** Of how many failures one is tried; 1: all of them. */
  readonly oneIn: number;
  readonly thoroughOneIn: number;
  /** A broken engine in place of ours: how it sees the port that fails. */
  readonly spoil?: (files: Files) => Files;
};

/**
 * Fails every operation of a workload, those that read included, with every code, once and from there on. Success
 * claimed means that all of it is there and stays after a power cut; anything else means that nothing of it is, or, where
 * the trouble does not end, that the next caller brings it about.
 */
export async function injectErrors(workload: Workload, tally: Tally, options: ErrorOptions): Promise<void> {
  const base = await prepareMemory(workload);
  const total = await countOperations(base.copy(), workload);
  count(tally, "operations", total);
  for (let index = 0; index < total; index++)
    for (const code of codes)
      for (const forever of [false, true])
        if (options.random.below(options.oneIn) === 0)
          await injectOne(base.copy(), workload, { index, code, forever }, tally, options);
}

async function countOperations(disk: MemoryDisk, workload: Workload): Promise<number> {
  let total = 0;
  const counted = interpose(disk.process(), (_call, proceed) => {
    total++;
    return proceed();
  });
  await perform(memoryScene(disk).root, counted, workload);
  return total;
}

/** What the caller heard. `error`: the machine's trouble came through as it was. */
type Heard = Outcome<unknown> | { readonly ok: false; readonly error: unknown };

async function injectOne(
  disk: MemoryDisk,
  workload: Workload,
  failure: Failure,
  tally: Tally,
  { random, thoroughOneIn, spoil = (files) => files }: ErrorOptions,
): Promise<void> {
  const scene = memoryScene(disk);
  const process = disk.process();
  const { files, failed } = failing(process, failure);
  const heard = await hear(scene, spoil(files), workload);
  const label = labelOf(workload, failure, failed());
  note(tally, label, scene, workload, heard, failure);
  disk.kill(process);
  const cut = random.pick([null, loseAll, keepAll, someOf(random)]);
  if (cut) disk.cutPower(cut);
  const judged = { acknowledged: isPromised(heard), thorough: random.below(thoroughOneIn) === 0 };
  blame(tally, `${label}, ${cut ? "power cut" : "next caller"}`, (await judge(scene, workload, judged)).bad);
}

/** The same on the real disk, for some of them. */
export async function injectOnDisk(
  workload: Workload,
  tally: Tally,
  { random, samples }: { random: Random; samples: number },
): Promise<void> {
  const total = await countOperations((await prepareMemory(workload)).copy(), workload);
  for (let i = 0; i < samples; i++) {
    const scene = makeDiskScene({ lasting: false });
    try {
      await prepare(scene, workload);
      const failure = { index: random.below(total), code: random.pick(codes), forever: random.chance(0.5) };
      const { files, failed } = failing(scene.files(), failure);
      const heard = await hear(scene, files, workload);
      const label = `${labelOf(workload, failure, failed())}, on disk`;
      note(tally, label, scene, workload, heard, failure);
      const judged = { acknowledged: isPromised(heard), thorough: true };
      blame(tally, label, (await judge(scene, workload, judged)).bad);
    } finally {
      removeDiskScene(scene);
    }
  }
}

/** The caller goes away before an operation: all of it, or nothing. */
export async function cancelAnywhere(tally: Tally): Promise<void> {
  const workload = locateWorkload("mixed");
  const base = await prepareMemory(workload);
  const total = await countOperations(base.copy(), workload);
  for (let k = 0; k < total; k++) {
    const disk = base.copy();
    const scene = memoryScene(disk);
    const caller = new AbortController();
    let at = 0;
    const files = interpose(disk.process(), (_call, proceed) => {
      if (at++ === k) caller.abort();
      return proceed();
    });
    const act: Workload["act"] = (workspace) => commitEdits(workspace, mixedEdits, { signal: caller.signal });
    const heard = await hear(scene, files, { ...workload, act });
    count(tally, "callers gone");
    blame(tally, `caller gone at ${k}`, rightAway(scene, workload, heard, false));
    const judged = { acknowledged: heard.ok, thorough: k % 8 === 0 };
    blame(tally, `caller gone at ${k}`, (await judge(scene, workload, judged)).bad);
  }
}

function note(
  tally: Tally,
  label: string,
  scene: Scene,
  workload: Workload,
  heard: Heard,
  { forever }: Failure,
): void {
  count(tally, "injected errors");
  count(tally, heard.ok ? "answered: done" : "answered: refused");
  blame(tally, label, rightAway(scene, workload, heard, forever));
}

function labelOf({ name }: Workload, { index, code, forever }: Failure, failed: Call | null): string {
  return `${name}, ${code} ${forever ? "from" : "at"} ${index} (${failed?.name} ${failed?.path})`;
}

function isPromised(heard: Heard): boolean {
  return heard.ok || saysWritten(heard);
}

async function hear(scene: Scene, files: Files, workload: Workload): Promise<Heard> {
  let heard: Heard | null = null;
  try {
    return await perform(scene.root, files, workload, (outcome) => {
      heard = outcome;
    });
  } catch (error) {
    // What fails after the answer, in closing, does not take the answer back.
    return heard ?? { ok: false, error };
  }
}

/** What must hold before anybody recovers anything. */
function rightAway(scene: Scene, workload: Workload, heard: Heard, forever: boolean): string[] {
  const stands = standingFiles(scene.tree(), workload);
  if ("error" in heard && !isTrouble(heard.error)) return [`threw ${String(heard.error)}`];
  if (isStateOnly(workload)) return [];
  if (heard.ok && stands !== "after") return [`success was claimed, but the files are ${stands}`];
  // Where nothing can be written any more, nothing can be put back.
  if (heard.ok || stands === "before" || forever || saysWhatStands(heard)) return [];
  return [`refused without a word of it, but the files are ${stands}`];
}

function saysWhatStands(heard: Heard): boolean {
  return aftermathOf(heard) !== undefined;
}

/** A refusal that comes after the files were written, when only that could not be noted. */
function saysWritten(heard: Heard): boolean {
  return aftermathOf(heard) === "written";
}

function aftermathOf(heard: Heard): "open" | "written" | undefined {
  return "refusal" in heard && heard.refusal.code === "unavailable" ? heard.refusal.aftermath : undefined;
}

function isTrouble(error: unknown): boolean {
  return typeof (error as { code?: unknown }).code === "string";
}

export function someOf(random: Random): Choose {
  return ({ outcomes }) => random.pick<ReturnType<Choose>>(outcomes);
}

/** One byte at a time, everything still comes out whole. */
export async function writeShort(workload: Workload, tally: Tally): Promise<void> {
  const disk = (await prepareMemory(workload)).copy();
  const scene = memoryScene(disk);
  const outcome = await perform(scene.root, shortened(disk.process(), 1), workload);
  count(tally, "workloads with writes of one byte");
  if (!outcome.ok) blame(tally, `${workload.name}, writes of one byte`, [JSON.stringify(outcome.refusal)]);
  disk.cutPower(loseAll);
  const { bad } = await judge(scene, workload, { acknowledged: outcome.ok, thorough: true });
  blame(tally, `${workload.name}, writes of one byte`, bad);
}

/** Engines that do not take a failed flush for what it is. */
export const believers: Readonly<Record<string, (files: Files) => Files>> = {
  "a failed flush is ignored": (files) => ({
    ...files,
    flush: (file) => files.flush(file).catch(() => undefined),
  }),
  "a failed flush is tried again and believed": (files) => ({
    ...files,
    flush: (file) => files.flush(file).catch(() => files.flush(file)),
  }),
};
