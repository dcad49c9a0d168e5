import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { median } from "../report.ts";
import { createRandom, type Job } from "./job.ts";
import type { Answer } from "./worker.ts";

/** Most CPU time that one run of one engine may take before it is cut off; a busy machine does not count. */
export const limitSeconds = 10;

/** The seconds for all rounds of one engine on one job; slow engines do fewer rounds. */
const patienceSeconds = 8;

/** Median CPU milliseconds of one run, and how it ended. */
export type Result = { readonly cpu: number; readonly note: string };

/** Programs, there and back, so that after two runs the file is as before. Each edits a copy of its own. */
const commands: Readonly<Record<string, readonly [forward: string, back: string]>> = {
  "GNU patch": [
    "patch -s -f --no-backup-if-mismatch in-place.txt ../patch.diff",
    "patch -R -s -f --no-backup-if-mismatch in-place.txt ../patch.diff",
  ],
  "git apply": ["git apply ../patch.diff", "git apply -R ../patch.diff"],
  // Exit code 1 says that the texts differ.
  "git diff": [
    "git diff --no-index ../before.txt ../after.txt; [ $? = 1 ]",
    "git diff --no-index ../before.txt ../after.txt",
  ],
};

/**
 * Runs all engines on a job, one after the other in each round, so that a busy moment of the machine hits them
 * all alike. An engine that was cut off is not tried again.
 */
export async function race(
  job: Job,
  names: readonly string[],
  rounds: number,
  inner: number,
): Promise<Map<string, Result>> {
  const lane = openLane(job);
  const figures = new Map<string, number[]>(names.map((name) => [name, []]));
  const spent = new Map<string, number>(names.map((name) => [name, 0]));
  const notes = new Map<string, string>();
  const random = createRandom(23);
  for (let round = -1; round < rounds; round++) {
    for (const name of shuffled(names, random)) {
      if (notes.get(name) === "cut off" || spent.get(name)! > patienceSeconds * 1000) continue;
      // The first round warms up and is checked: code is compiled, files are in the cache, results are right.
      const warm = round < 0;
      const { cpu, note } =
        name in commands ? runCommand(job, name, inner) : await lane.run(name, inner, warm);
      if (warm || note === "cut off") notes.set(name, note);
      spent.set(name, spent.get(name)! + cpu * 2 * inner);
      if (!warm || cpu * 2 * inner > patienceSeconds * 1000) figures.get(name)!.push(cpu);
    }
  }
  await lane.close();
  return new Map(names.map((name) => [name, outcome(figures.get(name)!, notes.get(name)!)]));
}

/** In random order: an engine may have to collect the garbage of the previous one. */
function shuffled(names: readonly string[], random: (below: number) => number): string[] {
  return names
    .map((name) => ({ name, at: random(1 << 30) }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
}

function outcome(figures: readonly number[], note: string): Result {
  return { cpu: note === "cut off" ? limitSeconds * 1000 : median(figures), note };
}

/** A thread in which engines run, started afresh when one has to be cut off. */
function openLane(job: Job) {
  let worker: Worker | undefined;
  const start = (): Worker => {
    const fresh = new Worker(new URL("./worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 8192 },
    });
    fresh.postMessage({ job });
    return fresh;
  };
  return {
    async run(engine: string, inner: number, check: boolean): Promise<Result> {
      worker ??= start();
      const lane = worker;
      // Rounds come in pairs because some engines undo in every other one.
      lane.postMessage({ engine, rounds: inner * 2, check });
      const answer = await answerOf(lane, inner * 2);
      if (answer?.note === "failed") worker = undefined;
      if (answer) return answer;
      await lane.terminate();
      worker = undefined;
      return { cpu: limitSeconds * 1000, note: "cut off" };
    },
    close: async () => void (await worker?.terminate()),
  };
}

/** What the thread answers, or null when it has used up its time. This thread only waits meanwhile. */
function answerOf(worker: Worker, runs: number): Promise<Answer | null> {
  const { promise, resolve } = Promise.withResolvers<Answer | null>();
  const fail = (): void => resolve({ cpu: Number.NaN, note: "failed" });
  const start = process.cpuUsage();
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1e6 > limitSeconds * runs) resolve(null);
  }, 100);
  worker.once("message", resolve);
  worker.once("error", fail);
  return promise.finally(() => {
    clearInterval(watch);
    worker.off("message", resolve);
    worker.off("error", fail);
  });
}

function runCommand(job: Job, name: string, inner: number): Result {
  const [forward, back] = commands[name]!;
  const second = job.after === null ? forward : back;
  const pair = `{ ${forward}; } >/dev/null 2>&1; code=$?; { ${second}; } >/dev/null 2>&1`;
  // The limit is on the CPU time of each program, which the system ends with a signal.
  const script = `ulimit -t ${limitSeconds}; TIMEFORMAT='%3U %3S'; time { for ((i = 0; i < ${inner}; i++)); do ${pair}; done; }; echo $code`;
  const ran = spawnSync("bash", ["-c", script], {
    cwd: ownFolder(job, name),
    encoding: "utf8",
    env: { ...process.env, GIT_CEILING_DIRECTORIES: job.folder, GIT_CONFIG_GLOBAL: "/dev/null" },
  });
  const code = Number(ran.stdout);
  const times = /([\d.]+) ([\d.]+)\s*$/.exec(ran.stderr ?? "");
  if (!times) return { cpu: Number.NaN, note: "failed" };
  if (code > 128) return { cpu: limitSeconds * 1000, note: "cut off" };
  return {
    cpu: ((Number(times[1]) + Number(times[2])) * 1000) / inner / 2,
    note: code === 0 ? "ok" : "refused",
  };
}

function ownFolder(job: Job, name: string): string {
  const folder = join(job.folder, name.replace(" ", "-"));
  if (!existsSync(folder)) {
    mkdirSync(folder);
    copyFileSync(join(job.folder, "before.txt"), join(folder, "in-place.txt"));
  }
  return folder;
}

/** Why a program cannot take part, or null. */
export function absent(name: string): string | null {
  if (!(name in commands)) return null;
  const program = commands[name]![0].split(" ")[0]!;
  for (const needed of ["bash", program])
    if (spawnSync(needed, ["--version"]).status !== 0) return `${name} left out: ${needed} is not installed`;
  return null;
}
