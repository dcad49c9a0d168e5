import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { editsInPlace, engines } from "./engines.ts";
import type { Job } from "./job.ts";

/** A job to take up, or an engine to run on it an even number of times. */
export type Order =
  | { readonly job: Job }
  | { readonly engine: string; readonly rounds: number; readonly check: boolean };
export type Answer = { readonly cpu: number; readonly note: string };

let job: Job;

parentPort!.on("message", async (order: Order) => {
  if ("job" in order) job = order.job;
  else parentPort!.postMessage(await run(order.engine, order.rounds, order.check));
});

async function run(name: string, rounds: number, check: boolean): Promise<Answer> {
  const engine = engines[name]!;
  let note = "";
  const start = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    const said = await engine(job, round);
    if (round === 0) note = check ? checked(name, said) : said;
  }
  const { user, system } = process.cpuUsage(start);
  return { cpu: (user + system) / 1000 / rounds, note };
}

/** The engine's own answer, or the real one if the file shows another. */
function checked(name: string, said: string): string {
  if (said !== "ok" || name.includes("compare") || name.startsWith("read")) return said;
  if (job.after === null) return "applied anyway";
  const file = editsInPlace(name) ? "in-place.txt" : "after.txt";
  return readFileSync(join(job.folder, file), "utf8") === job.after ? "ok" : "wrong text";
}
