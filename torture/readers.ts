import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace } from "../src/workspace/workspace.ts";
import { startChild } from "./processes.ts";
import { makeDiskScene, removeDiskScene, type Scene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import { commitEdits } from "./workloads.ts";

/** The counts of a reader in a tight loop. */
type Seen = {
  readonly reads: number;
  readonly missing: number;
  readonly torn: number;
  readonly versions: number;
};

const lines = 1000;
const pageOf = (number: number): string => `version ${String(number).padStart(8, "0")}\n`.repeat(lines);

/** Replaces a file repeatedly while another process reads it. The file must always exist, and always be whole. */
export async function readWhileWriting(tally: Tally, { commits }: { commits: number }): Promise<void> {
  const seen = await watched(async (scene) => {
    // So many versions exceed the default quota.
    const opened = await openWorkspace(scene.root, {
      durability: "fast",
      quota: Number.MAX_SAFE_INTEGER,
    });
    if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
    for (let i = 1; i <= commits; i++) {
      const asked = { path: "page.md", reason: "", evidence: [] };
      const done = await commitEdits(opened.value, [
        { ...asked, target: { file: "rewrite" }, text: pageOf(i) },
      ]);
      if (!done.ok) blame(tally, `commit ${i}`, [JSON.stringify(done.refusal)]);
    }
    await opened.value.close();
  });
  count(tally, "commits under a reader", commits);
  count(tally, "reads", seen.reads);
  count(tally, "versions seen", seen.versions);
  if (seen.torn > 0) blame(tally, "reader", [`${seen.torn} torn reads`]);
  if (seen.missing > 0) blame(tally, "reader", [`the file was missing ${seen.missing} times`]);
}

/** How many reads are torn when the file is truncated and written. */
export async function readWhileTruncating({ writes }: { writes: number }): Promise<number> {
  const seen = await watched(async (scene) => {
    for (let i = 1; i <= writes; i++) {
      writeFileSync(join(scene.root, "page.md"), pageOf(i));
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  return seen.torn;
}

async function watched(write: (scene: Scene) => Promise<void>): Promise<Seen> {
  const scene = makeDiskScene({ lasting: false });
  try {
    scene.put("page.md", pageOf(0));
    const reader = await startChild("read-child.ts", [join(scene.root, "page.md")]);
    await write(scene).finally(reader.stop);
    return JSON.parse(reader.output().slice("ready\n".length)) as Seen;
  } finally {
    removeDiskScene(scene);
  }
}
