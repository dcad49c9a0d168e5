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
  /** One of this many failures is tried; 1: all of them. */
  readonly oneIn: number;
  readonly thoroughOneIn: number;
  /** A broken engine in place of ours: wraps the failing port. */
  readonly spoil?: (files: Files) => Files;
};

/**
 * Fails every operation of a workload, including reads, with every code, once and from there on. If the engine reports
 * success, all changes must be there and survive a power cut. Otherwise no change may be there, or, if the errors do not
 * end, the next caller must bring that about.
 */
export async function injectErrors(workload: Workload, tally: Tally, options: ErrorOptions): Promise<void> {
  const base = await prepareMemory(workload);
  const total = await countOperations(base.copy(), workload);
  count(tally, "operations", total);
  for (let index = 0; index < total; index++)
    for (const code of codes)
      for (const forever of [false, true])
        if (options.random.below(options.oneIn) === 0)
          await injectOne({ disk: base.copy(), workload, failure: { index, code, forever } }, tally, options);
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

/** What the caller received. `error`: an I/O error was thrown. */
type Answer = Outcome<unknown> | { readonly ok: false; readonly error: unknown };

type Injection = {
  readonly disk: MemoryDisk;
  readonly workload: Workload;
  readonly failure: Failure;
};

async function injectOne(
  { disk, workload, failure }: Injection,
  tally: Tally,
  { random, thoroughOneIn, spoil = (files) => files }: ErrorOptions,
): Promise<void> {
  const scene = memoryScene(disk);
  const process = disk.process();
  const { files, failed } = failing(process, failure);
  const answer = await answerOf(scene, spoil(files), workload);
  const label = labelOf(workload, failure, failed());
  recordAnswer(tally, label, { scene, workload, answer, forever: failure.forever });
  disk.kill(process);
  const cut = random.pick([null, loseAll, keepAll, someOf(random)]);
  if (cut) disk.cutPower(cut);
  const judged = { acknowledged: isPromised(answer), thorough: random.below(thoroughOneIn) === 0 };
  blame(tally, `${label}, ${cut ? "power cut" : "next caller"}`, (await judge(scene, workload, judged)).bad);
}

/** Injects a sample of failures on the real disk. */
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
      const answer = await answerOf(scene, files, workload);
      const label = `${labelOf(workload, failure, failed())}, on disk`;
      recordAnswer(tally, label, { scene, workload, answer, forever: failure.forever });
      const judged = { acknowledged: isPromised(answer), thorough: true };
      blame(tally, label, (await judge(scene, workload, judged)).bad);
    } finally {
      removeDiskScene(scene);
    }
  }
}

/** The caller cancels before an operation: all changes must be there, or none. */
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
    const answer = await answerOf(scene, files, { ...workload, act });
    count(tally, "callers gone");
    blame(tally, `caller gone at ${k}`, rightAway({ scene, workload, answer, forever: false }));
    const judged = { acknowledged: answer.ok, thorough: k % 8 === 0 };
    blame(tally, `caller gone at ${k}`, (await judge(scene, workload, judged)).bad);
  }
}

type AnswerCheck = {
  readonly scene: Scene;
  readonly workload: Workload;
  readonly answer: Answer;
  readonly forever: boolean;
};

export function recordAnswer(tally: Tally, label: string, check: AnswerCheck): void {
  const { answer } = check;
  count(tally, "injected errors");
  count(tally, answer.ok ? "answered: done" : "answered: refused");
  blame(tally, label, rightAway(check));
}

function labelOf({ name }: Workload, { index, code, forever }: Failure, failed: Call | null): string {
  return `${name}, ${code} ${forever ? "from" : "at"} ${index} (${failed?.name} ${failed?.path})`;
}

export function isPromised(answer: Answer): boolean {
  return answer.ok || saysWritten(answer);
}

export async function answerOf(scene: Scene, files: Files, workload: Workload): Promise<Answer> {
  let answer: Answer | null = null;
  try {
    return await perform(scene.root, files, workload, (outcome) => {
      answer = outcome;
    });
  } catch (error) {
    // An error during `close` comes after the answer and does not change it.
    return answer ?? { ok: false, error };
  }
}

/** Checks the files before any recovery. */
function rightAway({ scene, workload, answer, forever }: AnswerCheck): string[] {
  const stands = standingFiles(scene.tree(), workload);
  if ("error" in answer && !isIoError(answer.error)) return [`threw ${String(answer.error)}`];
  if (isStateOnly(workload)) return [];
  if (answer.ok && stands !== "after") return [`success was claimed, but the files are ${stands}`];
  // If every write fails, no file can be restored.
  if (answer.ok || stands === "before" || forever || saysWhatStands(answer)) return [];
  return [`refused without saying that the files are ${stands}`];
}

function saysWhatStands(answer: Answer): boolean {
  return aftermathOf(answer) !== undefined;
}

/** Whether a refusal says that the files were written, and only the `done` record was not. */
function saysWritten(answer: Answer): boolean {
  return aftermathOf(answer) === "written";
}

function aftermathOf(answer: Answer): "open" | "written" | undefined {
  return "refusal" in answer && answer.refusal.code === "unavailable" ? answer.refusal.aftermath : undefined;
}

function isIoError(error: unknown): boolean {
  return typeof (error as { code?: unknown }).code === "string";
}

export function someOf(random: Random): Choose {
  return ({ outcomes }) => random.pick<ReturnType<Choose>>(outcomes);
}

/** Writes one byte at a time; every file must still be whole. */
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

/** Engines that mishandle a failed flush. */
export const flushIgnorers: Readonly<Record<string, (files: Files) => Files>> = {
  "a failed flush is ignored": (files) => ({
    ...files,
    flush: (file) => files.flush(file).catch(() => undefined),
  }),
  "a failed flush is tried again and believed": (files) => ({
    ...files,
    flush: (file) => files.flush(file).catch(() => files.flush(file)),
  }),
};
