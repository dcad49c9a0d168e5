import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Crowd, runCrowd } from "./crowd.ts";
import { makeDiskScene, removeDiskScene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";

export type TurnOptions = Pick<Crowd, "processes" | "pieces" | "kills" | "random"> & {
  /** No process takes the lock, which the rig must detect. */
  readonly without?: true;
};

/** Many processes take turns at the lock while some are killed. There must never be two holders or a lost turn. */
export async function takeTurns(tally: Tally, { without, ...options }: TurnOptions): Promise<void> {
  // Only the system knows which of two holders is still alive.
  if (!existsSync("/proc/self/stat")) return void tally.skipped.push("turns at the lock: there is no /proc");
  const scene = makeDiskScene({ lasting: false });
  try {
    mkdirSync(join(scene.root, "lock"));
    scene.put("counter", "0");
    const counts = { try: 0, done: 0, two: 0 };
    const { killed, errors } = await runCrowd({
      ...options,
      child: "lock-child.ts",
      args: (_name, pieces) => [scene.root, String(pieces), ...(without ? ["none"] : [])],
      onLine: (line) => void counts[line.split(" ")[0] as keyof typeof counts]++,
    });
    const turns = Number(readFileSync(join(scene.root, "counter"), "utf8"));
    count(tally, "turns at the lock", turns);
    count(tally, "holders killed", killed);
    blame(tally, "locker", errors);
    if (counts.two > 0) blame(tally, "lock", [`two holders at once, ${counts.two} times`]);
    if (turns < counts.done || turns > counts.try)
      blame(tally, "lock", [`${counts.done} turns done and ${counts.try} begun, but ${turns} counted`]);
  } finally {
    removeDiskScene(scene);
  }
}
