import { createHash } from "node:crypto";
import type { Files } from "../src/workspace/files/files.ts";
import type { Choose, Unflushed } from "../src/workspace/files/inodes.ts";
import type { MemoryDisk } from "../src/workspace/files/memory-files.ts";
import { watch } from "./interpose.ts";
import { judge } from "./judge.ts";
import type { Random } from "./random.ts";
import { perform, prepareMemory } from "./rehearsal.ts";
import { memoryScene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import type { Workload } from "./workloads.ts";

/** The disk just before one operation. The fate of unflushed changes is still open. */
export type Moment = {
  readonly disk: MemoryDisk;
  /** The operation that the power cut prevents. */
  readonly next: string;
  /** The engine has reported success. */
  readonly acknowledged: boolean;
};

export type StateOptions = {
  /** The maximal number of states for one moment. */
  readonly perMoment: number;
  /** One of this many states is examined thoroughly. */
  readonly thoroughOneIn: number;
  readonly random: Random;
  /** Earlier work is not completely flushed yet. */
  readonly fresh?: boolean;
  /** A broken protocol in place of ours. */
  readonly spoil?: (files: Files) => Files;
  /** Stop at the first bad outcome. */
  readonly stopAtFirst?: boolean;
};

/**
 * The model checker. Records a workload, and for every moment of it enumerates what a power cut may leave: unflushed data
 * that is new, old, short, zero or mixed, and unflushed names that exist or not, in any combination. Each such disk is
 * recovered and judged. If there are more combinations than `perMoment`, the extremes come first, then all single and
 * double deviations from them, then random ones.
 */
export async function checkCrashStates(
  workload: Workload,
  tally: Tally,
  options: StateOptions,
): Promise<void> {
  const { random, perMoment, thoroughOneIn } = options;
  const seen = new Set<string>();
  for (const [at, { disk, next, acknowledged }] of (await recordMoments(workload, options)).entries()) {
    count(tally, "moments");
    for (const choice of enumerateChoices(disk.unflushed(), perMoment, random)) {
      count(tally, "crash states");
      const dark = disk.copy();
      dark.cutPower(choose(choice));
      const print = fingerprint(dark, acknowledged);
      if (seen.has(print)) continue;
      seen.add(print);
      count(tally, "different crash states");
      const thorough = random.below(thoroughOneIn) === 0;
      const { bad } = await judge(memoryScene(dark), workload, { acknowledged, thorough });
      blame(
        tally,
        `${workload.name}${options.fresh ? ", at once" : ""}, power cut ${at}, before ${next}, ${describeChoice(choice)}`,
        bad,
      );
      if (bad.length > 0 && options.stopAtFirst) return;
    }
  }
}

/** Every moment at which the power can fail, from opening the workspace to shortly after the answer. */
export async function recordMoments(
  workload: Workload,
  { fresh = false, spoil = (files) => files }: Pick<StateOptions, "fresh" | "spoil"> = {},
): Promise<Moment[]> {
  const disk = await prepareMemory(workload, { fresh });
  const moments: Moment[] = [];
  let acknowledged = false;
  const note = (next: string): void => void moments.push({ disk: disk.copy(), next, acknowledged });
  const recorded = watch(disk.process(), (_index, { name, path, to }) =>
    note([name, path, to].filter(Boolean).join(" ")),
  );
  const outcome = await perform(memoryScene(disk).root, spoil(recorded), workload, ({ ok }) => {
    acknowledged = ok;
    note("the answer is used");
  });
  if (!outcome.ok) throw new Error(`${workload.name} is refused: ${JSON.stringify(outcome.refusal)}`);
  note("the end");
  return moments;
}

/** The outcome of each unflushed change. */
type Choice = readonly { readonly item: Unflushed; readonly key: string; readonly outcome: string }[];

function* enumerateChoices(items: readonly Unflushed[], limit: number, random: Random): Generator<Choice> {
  const keys = keysOf(items);
  const sizes = items.map(({ outcomes }) => outcomes.length);
  const from = (picks: readonly number[]): Choice =>
    items.map((item, i) => ({ item, key: keys[i]!, outcome: item.outcomes[picks[i]!]! }));
  const total = sizes.reduce((product, size) => product * size, 1);
  if (total <= limit) {
    for (let number = 0; number < total; number++) yield from(digitsOf(number, sizes));
    return;
  }
  let left = limit;
  for (const picks of nearExtremes(sizes)) {
    if (left-- === 0) return;
    yield from(picks);
  }
  while (left-- > 0) yield from(sizes.map((size) => random.below(size)));
}

/** All kept and all lost, then these with one and with two deviations. */
function* nearExtremes(sizes: readonly number[]): Generator<number[]> {
  const extremes = [sizes.map(() => 0), sizes.map(() => 1)];
  yield* extremes;
  for (const extreme of extremes)
    for (const [i, size] of sizes.entries())
      for (let pick = 0; pick < size; pick++) if (pick !== extreme[i]) yield extreme.with(i, pick);
  for (const extreme of extremes)
    for (const [i, size] of sizes.entries())
      for (let j = i + 1; j < sizes.length; j++)
        for (let pick = 0; pick < size; pick++)
          for (let other = 0; other < sizes[j]!; other++)
            if (pick !== extreme[i] && other !== extreme[j]) yield extreme.with(i, pick).with(j, other);
}

function digitsOf(number: number, sizes: readonly number[]): number[] {
  let rest = number;
  return sizes.map((size) => {
    const digit = rest % size;
    rest = Math.floor(rest / size);
    return digit;
  });
}

/** A key for each unflushed change that is the same when the disk asks about it: changes of a directory come in order. */
function keysOf(items: readonly Unflushed[]): string[] {
  const next = keyed();
  return items.map(next);
}

function keyed(): (item: Unflushed) => string {
  const met = new Map<number, number>();
  return (item) => {
    if (item.what === "data") return `data ${item.inode}`;
    const index = met.get(item.directory) ?? 0;
    met.set(item.directory, index + 1);
    return `names ${item.directory} ${index}`;
  };
}

function choose(choice: Choice): Choose {
  const outcomes = new Map(choice.map(({ key, outcome }) => [key, outcome]));
  const keyOf = keyed();
  return (item) => (outcomes.get(keyOf(item)) ?? "kept") as ReturnType<Choose>;
}

function describeChoice(choice: Choice): string {
  const lost = choice.filter(({ outcome }) => outcome !== "kept");
  const show = ({ item, outcome }: Choice[number]): string =>
    item.what === "data" ? `data of ${item.inode} ${outcome}` : `${item.names.join("→")} ${outcome}`;
  return lost.length === 0 ? "nothing lost" : lost.slice(0, 8).map(show).join(", ");
}

/** Two disks with the same fingerprint look the same to the next process. */
function fingerprint(disk: MemoryDisk, acknowledged: boolean): string {
  const hash = createHash("sha1").update(String(acknowledged));
  for (const path of disk.tree()) {
    const file = disk.read(path);
    hash.update(`\0${path}\0${file?.mode}\0${file?.links}\0`).update(file?.bytes ?? "");
  }
  return hash.digest("base64");
}
