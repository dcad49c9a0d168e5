import type { Loss, SoughtKeys } from "../../drift/change/change.ts";
import { createPace } from "../../drift/pace.ts";
import type { Git } from "../../workspace/git/git.ts";
import { textOf } from "../check/memory.ts";

/** Commits that are sampled before the history is bisected. A thing that existed only between two samples is not found. */
const samples = 24;
/** A range of fewer commits is bisected at once. */
const fewest = 16;
const mostPaths = 100;
/** Blobs that are read at once. */
const batchSize = 500;

/**
 * Finds the commits that took things out of a tree. It looks at a few trees of the past, halves the history between the
 * last tree that held a thing and the next one that did not, and reads every blob once.
 */
export class LossSearch {
  readonly #git: Git;
  readonly #sought: SoughtKeys;
  readonly #wanted: ReadonlySet<string>;
  /** The keys of each blob that holds some; blobs without any are only known. */
  readonly #held = new Map<string, readonly string[]>();
  readonly #read = new Set<string>();
  readonly #pace = createPace();

  constructor(git: Git, sought: SoughtKeys) {
    this.#git = git;
    this.#sought = sought;
    this.#wanted = new Set(sought.keys);
  }

  /** The loss of each key that the tree of `head` does not hold and an earlier one did. */
  async find(head: string): Promise<ReadonlyMap<string, Loss>> {
    const losses = new Map<string, Loss>();
    if (this.#wanted.size === 0) return losses;
    await this.#follow(await this.#git.mainline(head), [...this.#wanted], losses);
    return losses;
  }

  /** Looks for the losses of keys along a line of commits, and returns the keys that no tree of it was seen to hold. */
  async #follow(
    line: readonly string[],
    keys: readonly string[],
    losses: Map<string, Loss>,
  ): Promise<string[]> {
    let open = [...keys];
    let newer = 0;
    for (const older of samplePoints(line.length)) {
      if (open.length === 0) break;
      const held = await this.#keysAt(line[older]!);
      const found = open.filter((key) => held.has(key));
      open = open.filter((key) => !held.has(key));
      // A key of the newest tree is not lost.
      if (older > 0) await this.#narrow({ line, newer, older }, found, losses);
      newer = older;
    }
    return open;
  }

  /** Looks first at the commits that touched the files with the keys, then at all that are left between two of them. */
  async #narrow(stretch: CommitStretch, keys: readonly string[], losses: Map<string, Loss>): Promise<void> {
    if (keys.length === 0) return;
    const { line, newer, older } = stretch;
    const touching = older - newer > fewest ? await this.#touching(stretch, keys) : [];
    const steps = [newer, ...touching.filter((at) => at > newer && at < older), older];
    for (const { from, to, lost } of await this.#halve(line, steps, keys))
      if (to - from <= 1) await this.#conclude(line[from]!, lost, losses);
      else
        for (const gap of await this.#halve(line, range(from, to), lost))
          await this.#conclude(line[gap.from]!, gap.lost, losses);
  }

  /** Positions of the commits of a stretch that touched a file which holds one of the keys at its older end. */
  async #touching({ line, newer, older }: CommitStretch, keys: readonly string[]): Promise<number[]> {
    const held = await this.#keysAt(line[older]!);
    const paths = [...new Set(keys.map((key) => held.get(key)!))].slice(0, mostPaths);
    const commits = await this.#git.mainline(line[newer]!, { past: line[older]!, paths });
    const places = new Map(line.map((commit, at) => [commit, at]));
    return commits.flatMap((commit) => places.get(commit) ?? []);
  }

  /**
   * For each key, the two neighbours among the steps of which the newer lacks it and the older holds it. The first step
   * lacks all keys and the last one holds them.
   */
  async #halve(
    line: readonly string[],
    steps: readonly number[],
    keys: readonly string[],
  ): Promise<LossGap[]> {
    if (steps.length <= 2) return [{ from: steps[0]!, to: steps.at(-1)!, lost: keys }];
    const middle = steps.length >> 1;
    const held = await this.#keysAt(line[steps[middle]!]!);
    const { late = [], early = [] } = Object.groupBy(keys, (key) => (held.has(key) ? "late" : "early"));
    return [
      ...(late.length > 0 ? await this.#halve(line, steps.slice(0, middle + 1), late) : []),
      ...(early.length > 0 ? await this.#halve(line, steps.slice(middle), early) : []),
    ];
  }

  /** Where the commit merges a branch, the commit of the branch that did it. */
  async #conclude(commit: string, keys: readonly string[], losses: Map<string, Loss>): Promise<void> {
    const [first, second] = await this.#git.parents(commit);
    if (first === undefined || second === undefined) return this.#record(commit, keys, losses);
    const held = await this.#keysAt(second);
    const branch = await this.#git.mainline(second, { past: first });
    const base = branch.length > 0 ? (await this.#git.parents(branch.at(-1)!))[0] : undefined;
    const line = [...branch, ...(base === undefined ? [] : [base])];
    const { kept = [], lost = [] } = Object.groupBy(keys, (key) => (held.has(key) ? "kept" : "lost"));
    // A branch that began before a key came to the main line may hold it only for a while, or never.
    const unseen = await this.#follow(line, lost, losses);
    await this.#record(commit, [...kept, ...unseen], losses);
  }

  async #record(commit: string, keys: readonly string[], losses: Map<string, Loss>): Promise<void> {
    if (keys.length === 0) return;
    const summary = await this.#git.summary(commit);
    const [parent] = await this.#git.parents(commit);
    const held = parent === undefined ? null : await this.#keysAt(parent);
    for (const key of keys) {
      const path = held?.get(key);
      if (summary && path !== undefined) losses.set(key, { ...summary, path });
    }
  }

  /** The keys that a tree holds, each with a file that has it. */
  async #keysAt(commit: string): Promise<ReadonlyMap<string, string>> {
    const files = (await this.#git.tree(commit)).filter(({ path }) => this.#sought.mayHold(path));
    const unread = files.filter(({ id }) => !this.#read.has(id));
    for (let start = 0; start < unread.length; start += batchSize)
      await this.#readBlobs(unread.slice(start, start + batchSize));
    const keys = new Map<string, string>();
    for (const { path, id } of files) for (const key of this.#held.get(id) ?? []) keys.set(key, path);
    return keys;
  }

  async #readBlobs(files: readonly { readonly path: string; readonly id: string }[]): Promise<void> {
    const blobs = await this.#git.blobs(files.map(({ id }) => id));
    for (const { path, id } of files) {
      await this.#pace();
      this.#read.add(id);
      const text = textOf(blobs.get(id));
      if (text === null) continue;
      const keys = [...new Set(await this.#sought.keysOf(path, text))].filter((key) => this.#wanted.has(key));
      if (keys.length > 0) this.#held.set(id, keys);
    }
  }
}

/** Between the commits at two positions, the newer of which lacks the keys. */
type LossGap = { readonly from: number; readonly to: number; readonly lost: readonly string[] };

/** Commits of one line, newest first: the newer end lacks the keys, the older one holds them. */
type CommitStretch = { readonly line: readonly string[]; readonly newer: number; readonly older: number };

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** Positions in a history of a length, from the newest, evenly, with the oldest. */
function samplePoints(length: number): number[] {
  const step = Math.max(1, (length - 1) / samples);
  const points = new Set<number>();
  for (let at = 0; at < length; at += step) points.add(Math.round(at));
  if (length > 0) points.add(length - 1);
  return [...points].filter((at) => at < length);
}
