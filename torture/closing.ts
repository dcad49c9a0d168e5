import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Outcome } from "../src/text/model/outcome.ts";
import { diskFiles } from "../src/workspace/files/disk-files.ts";
import type { Files } from "../src/workspace/files/files.ts";
import { openWorkspace, type Workspace } from "../src/workspace/workspace.ts";
import { Bystanders, harms } from "./bystanders.ts";
import { interpose } from "./interpose.ts";
import { judge } from "./judge.ts";
import { foreignText } from "./other-root.ts";
import type { Random } from "./random.ts";
import { prepare } from "./rehearsal.ts";
import { makeDiskScene, removeDiskScene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import type { Opener } from "./unguarded.ts";
import type { Workload } from "./workloads.ts";

export type ClosingOptions = {
  readonly random: Random;
  /** One of this many operations is tried; 1: all of them. */
  readonly oneIn: number;
  /** A broken workspace in place of ours. */
  readonly opener?: Opener;
};

export const guarded: Opener = { files: () => diskFiles(), open: openWorkspace };

/**
 * Closes a workspace before every operation of a workload, while other roots and unrelated files are opened. The running
 * call must finish or be refused as closed, later calls must be refused as closed, and the others must not be touched.
 */
export async function closeEverywhere(
  workload: Workload,
  tally: Tally,
  options: ClosingOptions,
): Promise<void> {
  for (const harm of harms) count(tally, harm, 0);
  const { random, oneIn, opener = guarded } = options;
  const total = await countOperations(workload, opener);
  for (let index = 0; index <= total; index++)
    if (random.below(oneIn) === 0) await closeAt(workload, tally, { index, opener, random });
}

async function countOperations(workload: Workload, opener: Opener): Promise<number> {
  const scene = makeDiskScene({ lasting: false });
  await prepare(scene, workload);
  let total = 0;
  const files = interpose(opener.files(), (_call, proceed) => {
    total++;
    return proceed();
  });
  const opened = await opener.open(scene.root, { ...workload.options, files });
  total = 0;
  if (opened.ok) await workload.act(opened.value);
  const acted = total;
  if (opened.ok) await opened.value.close();
  removeDiskScene(scene);
  return acted;
}

type ClosingMoment = { readonly index: number; readonly opener: Opener; readonly random: Random };

async function closeAt(
  workload: Workload,
  tally: Tally,
  { index, opener, random }: ClosingMoment,
): Promise<void> {
  const label = `${workload.name}, closed before operation ${index}`;
  const scene = makeDiskScene({ lasting: false });
  await prepare(scene, workload);
  const bystanders = await Bystanders.open(workload, opener, random);
  const act = (close: () => void): Promise<void> => intrude(close, bystanders, tally);
  const watch = new Watch(opener.files(), { index, tally, act });
  const opened = await opener.open(scene.root, { ...workload.options, files: watch.files });
  if (!opened.ok) throw new Error(`${label}: ${JSON.stringify(opened.refusal)}`);
  const workspace = opened.value;
  watch.begin(workspace);
  const answer = await answerOf(() => workload.act(workspace));
  if (!watch.closing) await intrude(() => watch.close(), bystanders, tally);
  await watch.closing;
  count(tally, "closings");
  count(tally, answer === "ok" ? "answered as done" : "refused as closed");
  const bad = [
    ...(answer === "ok" || answer === "closed" ? [] : [`answered ${answer}`]),
    ...(await callAfterClosing(workspace, Object.keys(workload.files)[0]!)),
    ...watch.bad,
  ];
  // The second close comes when others have reused the freed numbers.
  await workspace.close();
  bad.push(...(await bystanders.leave(tally)));
  const { stands, bad: broken } = await judge(scene, workload, {
    acknowledged: answer === "ok",
    thorough: index % 8 === 0,
  });
  if (answer === "closed" && stands === "after" && !sameTrees(workload)) bad.push("refused, and done");
  blame(tally, label, [...bad, ...broken]);
  removeDiskScene(scene);
}

/** Closes, and lets others reuse the descriptors that are free now, and those that become free a moment later. */
async function intrude(close: () => void, bystanders: Bystanders, tally: Tally): Promise<void> {
  close();
  await bystanders.arrive(tally);
  await new Promise((resolve) => setImmediate(resolve));
  await bystanders.arrive(tally);
}

type WatchOptions = {
  readonly index: number;
  readonly tally: Tally;
  readonly act: (close: () => void) => Promise<void>;
};

/** Observes every operation of one workspace, and acts before one of them. */
class Watch {
  readonly files: Files;
  readonly bad: string[] = [];
  closing: Promise<void> | null = null;
  #workspace: Workspace | null = null;
  #at = 0;

  constructor(inner: Files, { index, tally, act }: WatchOptions) {
    this.files = interpose(inner, async (call, proceed) => {
      if (this.#workspace && this.#at++ === index && !this.closing) await act(() => this.close());
      const result = await proceed();
      if (call.name === "read" && Buffer.from(result as Uint8Array).includes(foreignText)) {
        count(tally, "read elsewhere");
        this.bad.push(`read elsewhere: ${call.path}`);
      }
      return result;
    });
  }

  begin(workspace: Workspace): void {
    this.#workspace = workspace;
  }

  close(): void {
    this.closing ??= this.#workspace!.close();
  }
}

async function callAfterClosing(workspace: Workspace, path: string): Promise<string[]> {
  const calls: Record<string, () => Promise<Outcome<unknown>>> = {
    read: () => workspace.read(path),
    list: () => workspace.list(),
    entry: () => workspace.entry("1"),
    undo: () => workspace.undo({ entry: "1" }, { author: "torture" }),
    commit: () => workspace.commit({ edits: [], landings: [], changes: [] }, { author: "torture" }),
  };
  const bad: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    const answer = await answerOf(call);
    if (answer !== "closed") bad.push(`${name} after closing answers ${answer}`);
  }
  return bad;
}

export async function answerOf(call: () => Promise<Outcome<unknown>>): Promise<string> {
  try {
    const answer = await call();
    return answer.ok ? "ok" : answer.refusal.code;
  } catch (error) {
    return `with ${String(error)}`;
  }
}

function sameTrees({ before, after }: Workload): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

/**
 * Counts what an unguarded workspace does to others: closed at an operation, or with a known misuse. It runs in a separate
 * process, because it may close any descriptor.
 */
export async function countHarm(seed: number, misuse?: string): Promise<number> {
  const child = join(import.meta.dirname, "closing-child.ts");
  const options = misuse === undefined ? [String(seed)] : [String(seed), misuse];
  const { stdout } = await promisify(execFile)(process.execPath, [child, ...options]);
  const counts = JSON.parse(stdout) as Tally["counts"];
  return harms.reduce((sum, harm) => sum + (counts[harm] ?? 0), 0);
}
