import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { diskFiles } from "../files/disk-files.ts";
import { codeFrom, value } from "../testing.ts";
import { acquireLock, readLock } from "./lock.ts";

const apart = ["--pid", "--uts", "--fork", "--kill-child", "--mount-proc"];
const without =
  spawnSync("unshare", [...apart, "true"]).status === 0 ? null : "this user may not make a pid namespace";
if (without) console.log(`skipped: ${without}`);

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "suture-container-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process in a pid namespace and under a host name of its own, as in a container, that holds the lock. */
async function holdInContainer(): Promise<ChildProcess> {
  const child = fileURLToPath(new URL("container-child.ts", import.meta.url));
  const command = `hostname inside; exec "$0" "$1" "$2"`;
  const args = [...apart, "sh", "-c", command, process.execPath, child, folder];
  const container = spawn("unshare", args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(container.stdout!, "data");
  return container;
}

describe.skipIf(without !== null)("a lock that a process in a container holds", () => {
  test("is respected while the process lives, and taken over at once when it was killed", async () => {
    const container = await holdInContainer();
    const files = diskFiles();
    const dir = await files.openRoot(folder);
    expect(codeFrom(await acquireLock(files, dir, { patience: 100 }))).toBe("locked");
    expect(await readLock(files, dir)).toMatchObject({ is: "held" });
    container.kill("SIGKILL");
    await once(container, "exit");
    // The kernel ends the processes of the container a moment after the process that made it.
    await expect.poll(async () => (await readLock(files, dir)).is, { timeout: 10_000 }).toBe("abandoned");
    const lock = value(await acquireLock(files, dir, { patience: 100 }));
    expect(lock.epoch).toBe(2);
    await lock.release("");
    expect(readdirSync(folder).filter((name) => name.startsWith("alive-"))).toEqual([]);
    await files.close(dir);
  });
});
