import { judge, standing } from "./judge.ts";
import { inLanes, lacks, runChild } from "./processes.ts";
import type { Random } from "./random.ts";
import { prepare } from "./rehearsal.ts";
import { makeDiskScene, removeDiskScene, type Scene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import type { Workload } from "./workloads.ts";

export type KillOptions = {
  readonly random: Random;
  /** The maximal number of kill points. If there are more operations, the points are spread over them. */
  readonly points: number;
  readonly lanes: number;
};

/** Kills a real process before each of many mutating operations, and judges the result. */
export async function killEverywhere(workload: Workload, tally: Tally, options: KillOptions): Promise<void> {
  const total = await countOperations(workload);
  count(tally, "operations", total);
  await inLanes(options.lanes, spread(total, options), async (k) => {
    const scene = makeDiskScene({ lasting: false });
    try {
      await prepare(scene, workload);
      const child = await runChild("kill-child.ts", [scene.root, workload.name, String(k)]);
      if (child.signal !== "SIGKILL")
        blame(tally, `${workload.name}, kill at ${k}`, [`not killed: ${child.stderr}`]);
      count(tally, "kill points");
      const acknowledged = child.output.includes("answered");
      const { bad } = await judge(scene, workload, { acknowledged, thorough: true });
      blame(tally, `${workload.name}, killed before operation ${k} of ${total}`, bad);
    } finally {
      removeDiskScene(scene);
    }
  });
}

async function countOperations(workload: Workload): Promise<number> {
  const scene = makeDiskScene({ lasting: false });
  try {
    await prepare(scene, workload);
    const { output, stderr } = await runChild("kill-child.ts", [scene.root, workload.name]);
    const found = /operations ([0-9]+)/.exec(output);
    if (!found) throw new Error(`${workload.name} fails by itself: ${stderr}`);
    return Number(found[1]);
  } finally {
    removeDiskScene(scene);
  }
}

function spread(total: number, { points, random }: KillOptions): number[] {
  const every = Math.max(1, total / points);
  const start = random.below(Math.ceil(every));
  return Array.from({ length: Math.min(total, points) }, (_, i) =>
    Math.min(total - 1, Math.floor(start + i * every)),
  );
}

const systemCalls = [
  "rename",
  "link",
  "unlink",
  "mkdir",
  "rmdir",
  "fsync",
  "pwrite64",
  "fchmod",
  "ftruncate",
];
const systemErrors = ["EIO", "ENOSPC", "EDQUOT", "EACCES", "EROFS", "EINTR"];

/** Kills at system calls, or makes them fail, from outside. This also covers calls that the port does not count. */
export async function failSystemCalls(workload: Workload, tally: Tally, options: KillOptions): Promise<void> {
  const missing = lacks("strace", ["-f", "-qq", "-e", "trace=none", "true"]);
  if (missing) return void tally.skipped.push(`faults at system calls: ${missing}`);
  await inLanes(options.lanes, Array.from({ length: options.points }), async () => {
    const scene = makeDiskScene({ lasting: false });
    try {
      await prepare(scene, workload);
      await failSystemCall(scene, workload, tally, options.random);
    } finally {
      removeDiskScene(scene);
    }
  });
}

async function failSystemCall(scene: Scene, workload: Workload, tally: Tally, random: Random): Promise<void> {
  const [call, number] = [random.pick(systemCalls), 1 + random.below(6)];
  const fault = random.chance(0.7) ? "signal=KILL" : `error=${random.pick(systemErrors)}`;
  const inject = `inject=${call}:${fault}:when=${number}`;
  const under = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", `trace=${call}`, "-e", inject];
  const child = await runChild("kill-child.ts", [scene.root, workload.name], under);
  const acknowledged = child.output.includes("answered");
  const reached = child.code !== 0 || fault !== "signal=KILL";
  count(
    tally,
    !reached
      ? "system calls not reached"
      : fault === "signal=KILL"
        ? "kills at system calls"
        : "system calls failed",
  );
  const { bad } = await judge(scene, workload, { acknowledged, thorough: true });
  blame(tally, `${workload.name}, ${fault} at ${call} ${number}`, bad);
}

/** How many kill points leave a naive writer's files neither before nor after. */
export async function killNaively(workload: Workload, points: number): Promise<number> {
  let broken = 0;
  for (let k = 0; k < points; k++) {
    const scene = makeDiskScene({ lasting: false });
    try {
      await prepare(scene, workload);
      await runChild("kill-child.ts", [scene.root, workload.name, String(k), "naive"]);
      if (standing(scene.tree(), workload).stands === "neither") broken++;
    } finally {
      removeDiskScene(scene);
    }
  }
  return broken;
}
