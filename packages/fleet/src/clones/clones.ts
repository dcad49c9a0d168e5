import { glob, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The folders that match a pattern and hold a repository, bare or not. */
export async function findClones(pattern: string): Promise<string[]> {
  const found: string[] = [];
  for await (const folder of glob(pattern)) if (await isClone(folder)) found.push(resolve(folder));
  return found.sort();
}

/** Whether a folder holds a repository, bare or not. */
export async function isClone(folder: string): Promise<boolean> {
  for (const mark of [".git", "HEAD"])
    if ((await stat(join(folder, mark)).catch(() => null)) !== null) return true;
  return false;
}
