import { join } from "node:path";
import { openWorkspace } from "../src/workspace/workspace.ts";
import { startChild } from "./processes.ts";
import { makeDiskScene, removeDiskScene, type Scene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import { commitEdits, edit } from "./workloads.ts";

export type OutsideOptions = {
  readonly how: "in-place" | "rename";
  readonly strict: boolean;
  /** The number of our commits during the race. */
  readonly commits: number;
};

const first = "outside 00000000\n";

/**
 * An outside program saves a file while we edit it. Every save must still be in the file, in the store or in the journal,
 * unless the program itself overwrote it. Returns the number of lost saves.
 */
export async function raceOutside(tally: Tally, { how, strict, commits }: OutsideOptions): Promise<number> {
  const scene = makeDiskScene({ lasting: false });
  try {
    scene.put("page.md", `${first}ours 0\n`);
    const opened = await openWorkspace(scene.root, { durability: "fast", strict });
    if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
    const outside = await startChild("outside-child.ts", [join(scene.root, "page.md"), how]);
    for (let i = 0; i < commits; i++) {
      const read = await opened.value.read("page.md");
      const ours = read.ok && /^ours [0-9]+$/m.exec(read.value.text ?? "")?.[0];
      const done = ours ? await commitEdits(opened.value, [edit("page.md", ours, `ours ${i + 1}`)]) : null;
      count(tally, done?.ok ? "commits against an outside writer" : "commits refused for one");
    }
    await outside.stop();
    await opened.value.close();
    return countLost(scene, outside.output(), tally);
  } finally {
    removeDiskScene(scene);
  }
}

/** The same race with a writer that reads and later writes. */
export async function raceOutsideBlindly({ how, commits }: Omit<OutsideOptions, "strict">): Promise<number> {
  const scene = makeDiskScene({ lasting: false });
  try {
    scene.put("page.md", `${first}ours 0\n`);
    const outside = await startChild("outside-child.ts", [join(scene.root, "page.md"), how]);
    for (let i = 0; i < commits; i++) {
      const old = scene.tree()["page.md"]!.replace(/^[0-7]+ /, "");
      await new Promise((resolve) => setTimeout(resolve, 1));
      scene.put("page.md", old.replace(/^ours [0-9]+$/m, `ours ${i + 1}`));
    }
    await outside.stop();
    return countLost(scene, outside.output(), { counts: {}, bad: [], skipped: [] });
  } finally {
    removeDiskScene(scene);
  }
}

function countLost(scene: Scene, said: string, tally: Tally): number {
  const everything = Object.values({ ...scene.tree(), ...scene.state() }).join("\n");
  const kept = new Set([...everything.matchAll(/outside ([0-9]{8})/g)].map((match) => match[1]!));
  const own = new Set([...said.matchAll(/^own ([0-9]{8})$/gm)].map((match) => match[1]!));
  const saved = [...said.matchAll(/^saved ([0-9]{8})$/gm)].map((match) => match[1]!);
  count(tally, "outside saves", saved.length);
  return saved.filter((number) => !kept.has(number) && !own.has(number)).length;
}

/** No save may be lost. In the default mode, a rename during our last step is exempt. */
export async function raceOutsideAll(tally: Tally, { commits }: { commits: number }): Promise<void> {
  for (const how of ["in-place", "rename"] as const)
    for (const strict of [false, true]) {
      const lost = await raceOutside(tally, { how, strict, commits });
      const exempt = how === "rename" && !strict;
      if (exempt) count(tally, "saves by rename lost in the default mode", lost);
      else if (lost > 0) blame(tally, `${how}${strict ? ", strict" : ""}`, [`${lost} outside saves lost`]);
    }
}
