import { join } from "node:path";
import { countStates } from "../../src/fleet/store/repositories.ts";
import { startFakeGitHub } from "../../test/fleet/fake-github.ts";
import { printTable } from "../report.ts";
import { openFleetAt, type Site, startWorkerProcess, untilEmpty, type WorkerProcess } from "./site.ts";

export type FaultReport = {
  readonly repositories: number;
  readonly seconds: number;
  readonly killed: number;
  readonly restarts: number;
  readonly host: Readonly<Record<string, number>>;
  readonly states: Readonly<Record<string, number>>;
  /** Repositories without their edits at the host, with a second request, or with a job that never ended. */
  readonly lost: number;
  readonly duplicated: number;
  readonly stuck: number;
  readonly dead: number;
  readonly wrong: number;
};

/**
 * The whole work while everything breaks: workers are killed without warning all the time, the database is stopped
 * without warning twice, and the host breaks before and after it does its part, limits and hangs.
 */
export async function measureFaults(
  site: Site,
  { workers = 3, restarts = 2, pause = 5000 } = {},
): Promise<FaultReport> {
  const forge = await startFakeGitHub(
    (repository) => join(site.folder, "repositories", `${repository}.git`),
    {
      breaks: 0.04,
      breaksAfter: 0.03,
      limits: 0.02,
      hangs: 0.005,
      hangsAfter: 0.005,
      retryAfter: 3,
    },
  );
  const place = await openFleetAt(site, "faults", { heartbeat: 10, delay: 1, sink: "github" });
  const { fleet, repositories } = place;
  await fleet.queue.add(
    repositories.map(({ id, organisation }) => ({
      kind: "check",
      repository: id,
      organisation,
      commit: null,
      cause: "nightly",
    })),
  );
  const environment = {
    SUTURE_GITHUB_TOKEN: "token",
    SUTURE_GITHUB_API: forge.url,
    SUTURE_FORGE_TIMEOUT: "1500",
    SUTURE_WRITES_PER_MINUTE: "1000000",
  };
  const start = (): WorkerProcess => startWorkerProcess(place, { slots: 2, heartbeat: 10, environment });
  const all = Array.from({ length: workers }, start);
  let killed = 0;
  let over = false;
  const killing = (async () => {
    while (!over) {
      await new Promise((resolve) => setTimeout(resolve, pause + Math.random() * 1.5 * pause));
      if (over) return;
      const which = Math.floor(Math.random() * all.length);
      all[which]!.child.kill("SIGKILL");
      killed++;
      all[which] = start();
    }
  })();
  const total = repositories.length;
  const restarting = (async () => {
    for (let i = 1; i <= restarts; i++) {
      await untilDone(fleet.query, (total * i) / (restarts + 1));
      await site.cluster.restart();
    }
  })();
  const seconds = await untilEmpty(fleet, { supervise: true });
  over = true;
  await Promise.all([killing, restarting]);
  await untilEmpty(fleet, { supervise: true });
  await Promise.all(all.map((worker) => worker.stop()));

  const shelves = repositories.map(({ organisation, name }, n) => ({
    pulls: forge.shelves.get(`${organisation}/${name}`)?.pulls ?? [],
    text: forge.read(`${organisation}/${name}`, "suture/main", "docs/guide.md"),
    wanted: `fetchPage${/\d+$/.exec(name)?.[0] ?? n}`,
  }));
  const depth = await fleet.queue.depth();
  const held = await fleet.query(
    "SELECT id FROM suture_fleet.repository WHERE holder IS NOT NULL AND held_until > now()",
  );
  const states = await countStates(fleet.query);
  const [{ confirmed = 0 } = {}] = await fleet.query<{ confirmed: number }>(
    "SELECT count(*)::int AS confirmed FROM suture_fleet.publication WHERE state = 'confirmed'",
  );
  await fleet.close();
  await forge.close();
  return {
    repositories: total,
    seconds,
    killed,
    restarts,
    host: forge.counts,
    states,
    lost: shelves.filter(({ pulls }) => pulls.length === 0).length + Math.max(0, total - confirmed),
    duplicated: shelves.filter(({ pulls }) => pulls.length > 1).length,
    stuck: depth.waiting + depth.deferred + depth.active + held.length,
    dead: depth.dead,
    wrong: total - (states.open ?? 0) + shelves.filter(({ text, wanted }) => !text?.includes(wanted)).length,
  };
}

async function untilDone(
  query: (text: string) => Promise<readonly Record<string, unknown>[]>,
  wanted: number,
): Promise<void> {
  for (;;) {
    try {
      const [row] = await query("SELECT count(*)::int AS count FROM suture_fleet.publication");
      if (Number(row?.count) >= wanted) return;
    } catch {
      // The server was stopped on purpose, and comes back.
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

export function printFaults(report: FaultReport): string {
  const rows = Object.entries({
    ...report,
    host: undefined,
    states: undefined,
    seconds: Math.round(report.seconds),
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const nested = [
    ...Object.entries(report.host).map(([name, value]) => [`host: ${name}`, String(value)]),
    ...Object.entries(report.states).map(([name, value]) => [`state: ${name}`, String(value)]),
  ];
  return printTable(["faults", ""], [...rows, ...nested]);
}
