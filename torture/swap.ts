import * as fs from "node:fs";
import { join } from "node:path";
import { openWorkspace, type Workspace } from "../src/workspace/workspace.ts";
import { startChild } from "./processes.ts";
import { makeDiskScene, removeDiskScene, type Scene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import { commitEdits, edit } from "./workloads.ts";

/** Writes to a path; returns whether it was done. */
type Write = (path: string, number: number) => Promise<boolean>;

const paths = ["d/page.md", "f.md"];
const secret = "outside\n";

/** Swaps a directory and a file for links to outside while we write. No write may arrive outside. */
export async function raceSwaps(tally: Tally, { tries }: { tries: number }): Promise<void> {
  await race(async (scene, outside) => {
    const opened = await openWorkspace(scene.root, { durability: "fast" });
    if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
    for (let i = 0; i < tries; i++) {
      const done = await writeOurs(opened.value, tally)(paths[i % 2]!, i);
      count(tally, "writes tried against a swap");
      if (done) count(tally, "of them done");
      const escaped = escapeOf(outside);
      if (escaped) return void blame(tally, `swap, try ${i}`, [escaped]);
    }
    for (const { what, subject, detail } of await opened.value.doctor())
      blame(tally, "swap, doctor", [`${what} ${subject}: ${detail}`]);
    await opened.value.close();
  });
}

/** The same race for a writer that resolves the path, checks it, and then writes. Returns the number of escaped writes. */
export async function raceNaively({ tries }: { tries: number }): Promise<number> {
  let escapes = 0;
  await race(async (scene, outside) => {
    for (let i = 0; i < tries; i++) {
      await writeNaively(scene)(paths[i % 2]!, i);
      if (!escapeOf(outside)) continue;
      escapes++;
      fs.writeFileSync(join(outside, "page.md"), secret);
    }
  });
  return escapes;
}

async function race(run: (scene: Scene, outside: string) => Promise<void>): Promise<void> {
  const [scene, elsewhere] = [makeDiskScene({ lasting: false }), makeDiskScene({ lasting: false })];
  scene.put("d/page.md", "page 0\n");
  scene.put("f.md", "page 0\n");
  elsewhere.put("page.md", secret);
  const swapper = await startChild("swap-child.ts", [scene.root, elsewhere.root]);
  try {
    await run(scene, elsewhere.root);
  } finally {
    await swapper.stop();
    removeDiskScene(scene);
    removeDiskScene(elsewhere);
  }
}

function writeOurs(workspace: Workspace, tally: Tally): Write {
  return async (path, number) => {
    const read = await workspace.read(path);
    if (!read.ok || read.value.text === null) return false;
    if (read.value.text === secret) blame(tally, "swap", ["read from outside"]);
    const done = await commitEdits(workspace, [edit(path, read.value.text.trim(), `page ${number + 1}`)]);
    return done.ok;
  };
}

function writeNaively({ root }: Scene): Write {
  return async (path, number) => {
    const full = join(root, path);
    try {
      if (!fs.realpathSync(full).startsWith(`${root}/`)) return false;
      fs.readFileSync(full);
      fs.writeFileSync(full, `page ${number}\n`);
      return true;
    } catch {
      return false;
    }
  };
}

function escapeOf(outside: string): string | null {
  const names = fs.readdirSync(outside);
  if (names.join() !== "page.md") return `a file outside: ${names.join(", ")}`;
  const found = fs.readFileSync(join(outside, "page.md"), "utf8");
  return found === secret ? null : `written outside: ${JSON.stringify(found.slice(0, 40))}`;
}
