// `node lock-child.ts DIR COUNT [none]` takes the lock COUNT times. While it holds the lock, it claims a file that must not
// exist unless its owner is dead, and increments a number without any protection. `none`: it does not take the lock.
import * as fs from "node:fs";
import { join } from "node:path";
import { acquireLock } from "../src/workspace/commit/lock.ts";
import { diskFiles } from "../src/workspace/files/disk-files.ts";

const [path, number, how] = process.argv.slice(2) as [string, string, string?];
const files = diskFiles();
const dir = await files.openRoot(join(path, "lock"));
const holder = join(path, "holder");
const counter = join(path, "counter");

for (let i = 0; i < Number(number); i++) {
  const lock = how === "none" ? null : await acquireLock(files, dir, { patience: 600_000 });
  if (lock && !lock.ok) throw new Error(JSON.stringify(lock.refusal));
  fs.writeSync(1, `try ${lock?.value.epoch ?? i}\n`);
  claimHolder();
  const value = Number(fs.readFileSync(counter, "utf8"));
  // The number is replaced by a rename, so that it cannot be torn.
  fs.writeFileSync(`${counter}.${process.pid}`, String(value + 1));
  fs.renameSync(`${counter}.${process.pid}`, counter);
  fs.rmSync(holder, { force: true });
  await lock?.value.release("");
  fs.writeSync(1, `done ${lock?.value.epoch ?? i}\n`);
}

function claimHolder(): void {
  try {
    fs.writeFileSync(holder, String(process.pid), { flag: "wx" });
  } catch {
    if (fs.existsSync(holder) && isAlive(Number(fs.readFileSync(holder, "utf8"))))
      fs.writeSync(1, `two ${process.pid}\n`);
    fs.writeFileSync(holder, String(process.pid));
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && !/^[0-9]+ \(.*\) [ZX]/.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
