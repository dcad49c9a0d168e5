import { glob, readdir, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { drop } from "../home.ts";

/** Records that a clone is used now. */
export async function markUsed(clone: string): Promise<void> {
  const now = new Date();
  await utimes(join(clone, "HEAD"), now, now).catch(() => {});
}

export async function countPacks(clone: string): Promise<number> {
  const names = await readdir(join(clone, "objects", "pack")).catch(() => []);
  return names.filter((name) => name.endsWith(".pack")).length;
}

/** A clone that was used in the last hour may be in use. */
const restingAfter = 3_600_000;

/** Deletes the clones that were used longest ago until the rest takes at most so many bytes. Returns the bytes freed. */
export async function evictClones(folder: string, mostBytes: number): Promise<number> {
  const clones = [];
  for await (const head of glob(join(folder, "*", "*.git", "HEAD"))) {
    const { mtimeMs } = await stat(head);
    clones.push({ place: dirname(head), usedAt: mtimeMs, bytes: await sizeOf(dirname(head)) });
  }
  let total = clones.reduce((sum, { bytes }) => sum + bytes, 0);
  const before = total;
  for (const { place, usedAt, bytes } of clones.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= mostBytes || usedAt > Date.now() - restingAfter) break;
    await drop(place);
    total -= bytes;
  }
  return before - total;
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  }
  return bytes;
}
