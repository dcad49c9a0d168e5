import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clone } from "./clone.ts";

/** A change of one file from one blob to another, and another version of the file that the change is tried on. */
export type DriftedChange = { readonly from: string; readonly to: string; readonly onto: string };

/**
 * Changes of single files and the version some changes before or after them, spread over the history of a clone.
 * `round` shifts the choice, so that further rounds try other changes.
 */
export function driftedChanges(clone: Clone, most: number, round = 0): DriftedChange[] {
  const found: DriftedChange[] = [];
  const paths = [...clone.changes(2500)].filter(([, list]) => list.length >= 4);
  const step = Math.max(1, Math.floor(paths.length / most));
  for (let i = round % step; i < paths.length && found.length < most; i += step) {
    const list = paths[i]![1];
    const at = (i * 7 + round * 3) % (list.length - 2);
    const { before: from, after: to } = list[at]!;
    const away = 1 + ((i + round) % 5);
    const later = list[Math.max(0, at - away)]!.after;
    const earlier = list[Math.min(list.length - 1, at + away)]!.before;
    const onto = (i + round) % 2 === 0 && later !== to ? later : earlier;
    if (new Set([from, to, onto]).size === 3) found.push({ from, to, onto });
  }
  clone.load(found.flatMap(({ from, to, onto }) => [from, to, onto]));
  return found;
}

/** The three-way merge as git makes it; `null` where it is not clean. */
export function gitMerge(versions: Readonly<Record<"ours" | "base" | "theirs", Uint8Array>>): Buffer | null {
  const folder = mkdtempSync(join(tmpdir(), "merge-"));
  try {
    for (const [name, bytes] of Object.entries(versions)) writeFileSync(join(folder, name), bytes);
    return execFileSync("git", ["merge-file", "-p", "ours", "base", "theirs"], {
      cwd: folder,
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
