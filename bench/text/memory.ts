/**
 * Does one job in a process of its own and prints by how many bytes its memory grew at most. Loading the modules
 * takes more than a small edit does, so the high-water mark is set back before the job; only Linux can do that.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { engines } from "./engines.ts";
import type { Job } from "./job.ts";

const [jobFile = "", engine = ""] = process.argv.slice(2);
const job = JSON.parse(readFileSync(jobFile, "utf8")) as Job;
globalThis.gc?.();
writeFileSync("/proc/self/clear_refs", "5");
const before = highWater();
const note = await engines[engine]!(job, 0);
if (note !== "ok") throw new Error(`the edit was ${note}`);
console.log(highWater() - before);

function highWater(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))!;
  return Number(kilobytes) * 1024;
}
