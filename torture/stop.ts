import { type Files, FilesError } from "../src/workspace/files/files.ts";
import { createMemoryDisk, type MemoryDisk } from "../src/workspace/files/memory-files.ts";
import { openTestBench, quote, type TestBench } from "../src/workspace/testing.ts";
import { interpose } from "./interpose.ts";
import type { Random } from "./random.ts";
import { blame, count, type Tally } from "./tally.ts";

export type StopOptions = {
  readonly random: Random;
  /** One of this many moments is tried; 1: all of them. */
  readonly oneIn: number;
  /** A broken engine in place of ours: wraps the port of the process that is stopped. */
  readonly spoil?: (files: Files) => Files;
};

const names = ["a.md", "b.md", "c.md", "d.md"];
const before = "first\nsecond\nthird\nfourth\n";
const edits = names.map((name) => quote(name, "first", "FIRST"));

/**
 * Stops a process before each of its operations. Meanwhile a person breaks its lock and another process edits one of
 * its files; then the stopped process goes on. The other's edit must stand and be undoable, and the stopped
 * transaction must have all of its changes or none. Sometimes a third program has saved a file too, and its bytes must
 * stand as well.
 */
export async function stopEverywhere(tally: Tally, options: StopOptions): Promise<void> {
  const total = await countOperations();
  count(tally, "operations", total);
  const { random, oneIn } = options;
  for (let index = 0; index < total; index++)
    for (const rival of names) {
      if (random.below(oneIn) === 0) await stopOnce(tally, { index, rival }, options);
      // An error before the stop makes it stop while it cleans up.
      const failing = random.below(index + 1);
      if (random.below(oneIn) === 0) await stopOnce(tally, { index, rival, failing }, options);
      const saved = names[(names.indexOf(rival) + 1 + random.below(names.length - 1)) % names.length]!;
      if (random.below(oneIn) === 0) await stopOnce(tally, { index, rival, saved }, options);
    }
}

async function countOperations(): Promise<number> {
  let total = 0;
  const disk = await prepareDisk();
  const files = interpose(disk.process(), (_call, proceed) => {
    total++;
    return proceed();
  });
  const bench = await openTestBench({}, { files }, disk);
  total = 0;
  await bench.commit(edits);
  return total;
}

async function prepareDisk(): Promise<MemoryDisk> {
  const disk = createMemoryDisk();
  const bench = await openTestBench(Object.fromEntries(names.map((name) => [name, before])), {}, disk);
  await bench.commit([quote("a.md", "fourth", "4th")]);
  await bench.workspace.close();
  return disk;
}

type Moment = {
  readonly index: number;
  readonly rival: string;
  /** An earlier operation that fails. */
  readonly failing?: number;
  /** A file that a third program saves before the lock is broken. */
  readonly saved?: string;
};

const savedText = "saved by a third program\n";

async function stopOnce(
  tally: Tally,
  moment: Moment,
  { spoil = (files) => files }: StopOptions,
): Promise<void> {
  count(tally, "stops");
  const disk = await prepareDisk();
  const other = await openTestBench({}, {}, disk);
  let at = -1;
  let edited = false;
  const stopped = interpose(disk.process(), async ({ name, path }, proceed) => {
    const now = at < 0 ? -1 : at++;
    if (now === moment.index && moment.saved !== undefined) disk.put(moment.saved, savedText);
    if (now === moment.index) edited = await editMeanwhile(other, moment.rival);
    if (now >= 0 && now === moment.failing) throw new FilesError("EIO", name, path);
    return proceed();
  });
  const bench = await openTestBench({}, { files: spoil(stopped) }, disk);
  at = 0;
  const answer = await bench.commit(edits).catch(() => null);
  at = -1;
  const bad = await judgeStop(disk, { moment, edited, succeeded: answer?.ok === true });
  const failed = moment.failing === undefined ? "" : `${moment.failing} failed, `;
  const saved = moment.saved === undefined ? "" : `, ${moment.saved} saved`;
  blame(tally, `${failed}stopped before ${moment.index}, ${moment.rival} edited${saved}`, bad);
}

async function editMeanwhile(other: TestBench, rival: string): Promise<boolean> {
  await other.workspace.doctor({ breakLock: true, repair: true });
  return (await other.commit([quote(rival, "third", "THIRD")])).ok;
}

type Stopped = { readonly moment: Moment; readonly edited: boolean; readonly succeeded: boolean };

async function judgeStop(disk: MemoryDisk, { moment, edited, succeeded }: Stopped): Promise<string[]> {
  const bad: string[] = [];
  const next = await openTestBench({}, {}, disk);
  // An error can keep the stopped process from releasing the lock.
  await next.workspace.doctor({ breakLock: true });
  const its = names.filter((name) => name !== moment.saved);
  const has = its.map((name) => next.text(name)?.includes("FIRST") === true);
  if (moment.saved !== undefined && next.text(moment.saved) !== savedText)
    bad.push("the file of the third program is gone");
  if (names.some((name) => disk.read(name)?.mode !== 0o644)) bad.push("a file has another mode");
  if (succeeded && !has.every(Boolean)) bad.push("it answered yes and not all of its changes are there");
  if (new Set(has).size > 1) bad.push("part of its changes are there");
  if (edited && !next.text(moment.rival)?.includes("THIRD")) bad.push("the other's edit is gone");
  for (const { what, subject, detail } of await next.workspace.doctor())
    if (what !== "stray") bad.push(`${what} ${subject}: ${detail}`);
  if (!edited || bad.length > 0) return bad;
  const entry = (await next.workspace.history()).find(
    ({ files, kind }) => kind === "edit" && files.length === 1,
  );
  const undone = entry && (await next.workspace.undo({ entry: entry.id }, { author: "judge" }));
  if (!undone?.ok) bad.push(`the other's edit cannot be undone: ${JSON.stringify(undone?.refusal)}`);
  else if (next.text(moment.rival)?.includes("THIRD")) bad.push("the undo did nothing");
  return bad;
}

/** A broken protocol: the stopped process never learns that its lock is gone. */
export function believingLock(files: Files): Files {
  const first = new Map<string, unknown>();
  return interpose(files, async ({ name, path }, proceed) => {
    if (name !== "stat" || !/\/lock\/lock-\d+$/.test(path)) return proceed();
    if (!first.has(path)) first.set(path, await proceed());
    return first.get(path);
  });
}
