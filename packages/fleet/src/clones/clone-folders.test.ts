import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { evictClones } from "./clone-folders.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-clones-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A clone of a megabyte that was used some hours ago. */
function makeClone(name: string, hours: number): string {
  const place = join(folder, name.slice(0, 2), `${name}.git`);
  mkdirSync(join(place, "objects", "pack"), { recursive: true });
  writeFileSync(join(place, "objects", "pack", "a.pack"), Buffer.alloc(1_000_000));
  writeFileSync(join(place, "HEAD"), "");
  const used = new Date(Date.now() - hours * 3_600_000);
  utimesSync(join(place, "HEAD"), used, used);
  return place;
}

test("the clones used longest ago go until the rest is small enough, and one that may be in use stays", async () => {
  const [old, older, recent] = [makeClone("aaaa", 5), makeClone("bbbb", 9), makeClone("cccc", 0.1)];
  expect(await evictClones(folder, 10_000_000)).toBe(0);
  expect(await evictClones(folder, 2_500_000)).toBe(1_000_000);
  expect([old, older, recent].map(existsSync)).toEqual([true, false, true]);
  expect(await evictClones(folder, 0)).toBe(1_000_000);
  expect([old, recent].map(existsSync)).toEqual([false, true]);
});
