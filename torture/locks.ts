import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Crowd, runCrowd } from "./crowd.ts";
import { makeDiskScene, removeDiskScene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";

export type LockOptions = Pick<Crowd, "processes" | "pieces" | "kills" | "random"> & {
  /** Nobody takes the lock, which the rig must notice. */
  readonly without?: true;
};

/** Many processes take turns at the lock while some are killed: never two at once, and no turn lost. */
export async function takeTurns(tally: Tally, { without, ...options }: LockOptions): Promise<void> {
  // Only the system can tell who of two is still alive.
  if (!existsSync("/proc/self/stat")) return void tally.skipped.push("turns at the lock: there is no /proc");
  const scene = makeDiskScene({ lasting: false });
  try {
    mkdirSync(join(scene.root, "lock"));
    scene.put("counter", "0");
    const heard = { try: 0, done: 0, two: 0 };
    const { killed, troubles } = await runCrowd({
      ...options,
      child: "lock-child.ts",
      args: (_name, pieces) => [scene.root, String(pieces), ...(without ? ["none"] : [])],
      hear: (line) => void heard[line.split(" ")[0] as keyof typeof heard]++,
    });
    const turns = Number(readFileSync(join(scene.root, "counter"), "utf8"));
    count(tally, "turns at the lock", turns);
    count(tally, "holders killed", killed);
    blame(tally, "locker", troubles);
    if (heard.two > 0) blame(tally, "lock", [`two holders at once, ${heard.two} times`]);
    if (turns < heard.done || turns > heard.try)
      blame(tally, "lock", [`${heard.done} turns done and ${heard.try} begun, but ${turns} counted`]);
  } finally {
    removeDiskScene(scene);
  }
}
