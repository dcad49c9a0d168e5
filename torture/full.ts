import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerOf, isPromised, recordAnswer } from "./errors.ts";
import { judge } from "./judge.ts";
import { prepare } from "./rehearsal.ts";
import { diskScene, onlyFiles, type Scene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import type { Workload } from "./workloads.ts";

export type FullOptions = {
  /** One of this many numbers of free pages is tried; 1: all of them. */
  readonly oneIn: number;
};

const page = 4096;
const megabytes = 32;

/**
 * Fills a real file system except for a number of free pages and runs a workload, for each number until the workload has
 * room. Judges the files at once, as the next caller sees them on the full disk, and after another program has made room.
 */
export async function fillDisk(workload: Workload, tally: Tally, { oneIn }: FullOptions): Promise<void> {
  if (process.getuid?.() !== 0) {
    tally.skipped.push("full disks: only the superuser may mount");
    return;
  }
  for (let free = 0; ; free += oneIn) {
    const hadRoom = await onFullDisk(workload, tally, free);
    if (hadRoom) return;
  }
}

/** Whether the workload had room. */
async function onFullDisk(workload: Workload, tally: Tally, free: number): Promise<boolean> {
  const root = fs.mkdtempSync(join(tmpdir(), "suture-full-"));
  const ballast = join(root, ".git");
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", root]);
  if (mounted.status !== 0) throw new Error(`mount: ${mounted.stderr}`);
  try {
    const scene = { ...diskScene(root), tree: () => withoutBallast(diskScene(root).tree()) };
    await prepare(scene, workload);
    fs.writeFileSync(ballast, "");
    const { bavail, bsize } = fs.statfsSync(root);
    fs.writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - free * page)));
    const answer = await answerOf(scene, scene.files(), workload);
    const label = `${workload.name}, ${free} free pages`;
    count(tally, "full disks");
    recordAnswer(tally, label, { scene, workload, answer, forever: false });
    const acknowledged = isPromised(answer);
    const next = await judge(filesOf(scene), filesOf(workload), { acknowledged, thorough: false });
    blame(tally, `${label}, next caller on the full disk`, next.bad);
    fs.truncateSync(ballast, 0);
    const last = await judge(scene, workload, { acknowledged, thorough: true });
    blame(tally, `${label}, after there is room`, last.bad);
    return answer.ok;
  } finally {
    spawnSync("umount", ["-l", root]);
    fs.rmdirSync(root);
  }
}

/** Without folders: on a full disk an empty new one may stay until there is room. */
function filesOf<T extends Scene | Workload>(each: T): T {
  if ("act" in each) return { ...each, before: onlyFiles(each.before), after: onlyFiles(each.after) };
  return { ...each, tree: () => onlyFiles(each.tree()) };
}

function withoutBallast({ ".git": _, ...tree }: Readonly<Record<string, string>>): Record<string, string> {
  return tree;
}
