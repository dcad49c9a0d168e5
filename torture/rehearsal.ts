import type { Outcome } from "../src/text/model/outcome.ts";
import type { Files } from "../src/workspace/files/files.ts";
import { keepAll } from "../src/workspace/files/inodes.ts";
import { createMemoryDisk, type MemoryDisk } from "../src/workspace/files/memory-files.ts";
import { openWorkspace } from "../src/workspace/workspace.ts";
import { memoryScene, type Scene } from "./scene.ts";
import { layOut, type Workload } from "./workloads.ts";

/**
 * A disk in memory on which a workload is about to happen. Usually everything on it has been flushed since; `fresh`: what
 * was done earlier was done just now, and what of it the engine has not flushed is not.
 */
export async function prepareMemory(workload: Workload, { fresh = false } = {}): Promise<MemoryDisk> {
  const disk = createMemoryDisk(workload.disk);
  disk.putDir("root");
  await prepare(memoryScene(disk), workload);
  if (!fresh) disk.cutPower(keepAll);
  return disk;
}

/** Lays out a workload's files and does what was done earlier. */
export async function prepare(scene: Scene, workload: Workload): Promise<void> {
  layOut(scene, workload);
  if (!workload.earlier) return;
  const opened = await openWorkspace(scene.root, { ...workload.options, files: scene.files() });
  if (!opened.ok) throw new Error(`${workload.name} cannot begin: ${JSON.stringify(opened.refusal)}`);
  await workload.earlier(opened.value);
  await opened.value.close();
}

/** Opens the workspace and does what the workload is about. `answered` hears of it before anything is closed. */
export async function perform(
  root: string,
  files: Files,
  workload: Workload,
  answered: (outcome: Outcome<unknown>) => void = () => {},
): Promise<Outcome<unknown>> {
  const opened = await openWorkspace(root, { ...workload.options, files });
  if (!opened.ok) return opened;
  const outcome = await workload.act(opened.value);
  answered(outcome);
  await opened.value.close();
  return outcome;
}
