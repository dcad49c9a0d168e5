import type { Outcome } from "../src/text/model/outcome.ts";
import type { Files } from "../src/workspace/files/files.ts";
import { keepAll } from "../src/workspace/files/inodes.ts";
import { createMemoryDisk, type MemoryDisk } from "../src/workspace/files/memory-files.ts";
import { openWorkspace } from "../src/workspace/workspace.ts";
import { memoryScene, type Scene } from "./scene.ts";
import { layOut, type Workload } from "./workloads.ts";

/**
 * A disk in memory that is ready for a workload. Everything on it is flushed. `fresh`: the earlier work has just been done,
 * and only the data that the engine flushed is flushed.
 */
export async function prepareMemory(workload: Workload, { fresh = false } = {}): Promise<MemoryDisk> {
  const disk = createMemoryDisk(workload.disk);
  disk.putDir("root");
  await prepare(memoryScene(disk), workload);
  if (!fresh) disk.cutPower(keepAll);
  return disk;
}

/** Creates a workload's files and does its earlier work. */
export async function prepare(scene: Scene, workload: Workload): Promise<void> {
  layOut(scene, workload);
  if (!workload.earlier) return;
  const opened = await openWorkspace(scene.root, { ...workload.options, files: scene.files() });
  if (!opened.ok) throw new Error(`${workload.name} cannot begin: ${JSON.stringify(opened.refusal)}`);
  await workload.earlier(opened.value);
  await opened.value.close();
}

/** Opens the workspace and runs the workload. Calls `answered` with the result before it closes the workspace. */
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
