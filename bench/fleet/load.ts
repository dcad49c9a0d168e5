import { figure, median, printTable } from "../report.ts";
import { cpuOfServer, openFleetAt, type Site, startWorkerProcess, untilEmpty } from "./site.ts";

export type Load = {
  readonly workers: number;
  readonly jobs: number;
  readonly seconds: number;
  readonly roundTrips: number;
  /** Seconds of CPU: of the workers themselves, of the git they start, of the database. */
  readonly workerCpu: number;
  readonly gitCpu: number;
  readonly serverCpu: number;
  readonly early: number;
  readonly late: number;
};

/** Every repository is checked, fixed and published once, by so many worker processes. */
export async function measureLoad(site: Site, workers: number): Promise<Load> {
  const place = await openFleetAt(site, `load_${workers}`);
  const { fleet, repositories } = place;
  const all = Array.from({ length: workers }, () => startWorkerProcess(place, { slots: 2 }));
  await new Promise((resolve) => setTimeout(resolve, 4000));
  await fleet.queue.add(
    repositories.map(({ id, organisation }) => ({
      kind: "check",
      repository: id,
      organisation,
      commit: null,
      cause: "nightly",
    })),
  );
  const server = cpuOfServer(site.cluster.pid());
  const seconds = await untilEmpty(fleet);
  const serverCpu = cpuOfServer(site.cluster.pid()) - server;
  const cpu = all.map((worker) => worker.cpu());
  const [{ jobs = 0 } = {}] = await fleet.query<{ jobs: number }>(
    "SELECT count(*)::int AS jobs FROM suture_fleet.run",
  );
  const [{ open = 0 } = {}] = await fleet.query<{ open: number }>(
    "SELECT count(*)::int AS open FROM suture_fleet.repository WHERE state = 'open'",
  );
  if (open !== repositories.length)
    throw new Error(`${open} of ${repositories.length} repositories were published`);
  await Promise.all(all.map((worker) => worker.stop()));
  const ends = all.flatMap((worker) => worker.lines().filter(({ event }) => event === "worker-ended"));
  const total = (name: string): number => ends.reduce((sum, end) => sum + Number(end[name] ?? 0), 0);
  const memory = all.map((worker) => worker.memory);
  await fleet.close();
  return {
    workers,
    jobs,
    seconds,
    roundTrips: total("roundTrips") / jobs,
    workerCpu: cpu.reduce((sum, { own }) => sum + own, 0),
    gitCpu: cpu.reduce((sum, { git }) => sum + git, 0),
    serverCpu,
    early: median(memory.map((sizes) => median(quarter(sizes, 1)))),
    late: median(memory.map((sizes) => median(quarter(sizes, 3)))),
  };
}

function quarter(sizes: readonly number[], which: number): number[] {
  const length = Math.max(1, Math.floor(sizes.length / 4));
  return sizes.slice(which * length, (which + 1) * length);
}

export function printLoads(loads: readonly Load[]): string {
  return printTable(
    [
      "worker processes",
      "jobs",
      "seconds",
      "jobs/s",
      "round trips/job",
      "worker CPU ms/job",
      "git",
      "database",
      "memory MB, 2nd quarter",
      "last quarter",
    ],
    loads.map(({ workers, jobs, seconds, roundTrips, workerCpu, gitCpu, serverCpu, early, late }) => [
      String(workers),
      String(jobs),
      figure(seconds),
      figure(jobs / seconds),
      figure(roundTrips),
      ...[workerCpu, gitCpu, serverCpu].map((cpuSeconds) => figure((cpuSeconds * 1000) / jobs)),
      figure(early / 1e6),
      figure(late / 1e6),
    ]),
  );
}
