import { join } from "node:path";
import { change } from "../../packages/fleet/test/generate.ts";
import { figure, printTable } from "../report.ts";
import { checkOf } from "./faults.ts";
import {
  childrenOf,
  openFleetAt,
  residentOf,
  type Site,
  startWorkerProcess,
  type WorkerProcess,
} from "./site.ts";

/** The memory of one worker after so many jobs, in bytes. The heap is what is left after a collection. */
export type MemoryMark = {
  readonly jobs: number;
  readonly resident: number;
  readonly heap: number;
  readonly external: number;
  /** Of the processes in which its checks run. */
  readonly checkProcesses: number;
};

/**
 * One worker process does as many jobs as the last mark. When all repositories are done, each gets a new commit that makes
 * its page false again.
 */
export async function measureMemory(site: Site, marks: readonly number[]): Promise<MemoryMark[]> {
  const place = await openFleetAt(site, "memory");
  const { fleet, repositories } = place;
  const preload = `--expose-gc --import=${join(import.meta.dirname, "report-memory.ts")}`;
  const worker = startWorkerProcess(place, { slots: 4, environment: { NODE_OPTIONS: preload } });
  const found: MemoryMark[] = [];
  let round = 0;
  await fleet.queue.add(repositories.map(checkOf));
  for (const mark of marks) {
    while (worker.jobs() < mark) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      if (await fleet.queue.exceeds(0)) continue;
      round++;
      for (const [n, generated] of site.generated.entries())
        await change(generated, n, `fetchPage${n}Round${round}`);
      await fleet.queue.add(repositories.map(checkOf));
    }
    found.push(await readMark(worker));
    console.log(printMemory(found));
  }
  await worker.stop();
  await fleet.close();
  return found;
}

async function readMark(worker: WorkerProcess): Promise<MemoryMark> {
  const lines = () => worker.lines().filter(({ event }) => event === "memory");
  const before = lines().length;
  const checkProcesses = childrenOf(worker.child.pid!).reduce((sum, pid) => sum + residentOf(pid), 0);
  worker.child.kill("SIGUSR2");
  while (lines().length === before) await new Promise((resolve) => setTimeout(resolve, 50));
  const { rss, heapUsed, external } = lines().at(-1) as Record<string, number>;
  return { jobs: worker.jobs(), resident: rss!, heap: heapUsed!, external: external!, checkProcesses };
}

export function printMemory(marks: readonly MemoryMark[]): string {
  const megabytes = (bytes: number): string => figure(bytes / 1e6);
  return printTable(
    ["jobs of one worker", "resident MB", "heap MB", "external MB", "check processes MB"],
    marks.map(({ jobs, resident, heap, external, checkProcesses }) => [
      String(jobs),
      ...[resident, heap, external, checkProcesses].map(megabytes),
    ]),
  );
}
