import type { Fleet } from "./fleet.ts";
import type { Gauge } from "./metrics.ts";
import { countStates, isDraining, listDrifted } from "./repositories.ts";
import { countDays, listRuns } from "./runs.ts";

export type ShownWorker = {
  readonly id: string;
  readonly started: Date;
  readonly seen: Date;
  readonly slots: number;
  readonly busy: number;
  readonly done: number;
  readonly memory: number;
};

export async function readOverview(
  { ask, queue }: Pick<Fleet, "ask" | "queue">,
  { most = 100, days = 30 } = {},
) {
  return {
    states: await countStates(ask),
    queue: await queue.depth(),
    draining: await isDraining(ask),
    workers: await listWorkers(ask),
    paused: await listPaused(ask),
    drifted: await listDrifted(ask, most),
    runs: await listRuns(ask, { most: 50 }),
    days: await countDays(ask, days),
  };
}

/** Workers that gave a sign of life in the last minutes. */
function listWorkers(ask: Fleet["ask"]): Promise<ShownWorker[]> {
  return ask<ShownWorker>(
    `SELECT id, started, seen, slots, busy, done::float AS done, memory::float AS memory FROM suture_fleet.worker
     WHERE seen > now() - interval '3 minutes' ORDER BY id LIMIT 500`,
  );
}

function listPaused(ask: Fleet["ask"]) {
  return ask<{ readonly name: string; readonly paused_until: Date }>(
    "SELECT name, paused_until FROM suture_fleet.host WHERE paused_until > now() ORDER BY name",
  );
}

/** The figures that change by themselves, for Prometheus. */
export async function readGauges({ ask, queue, database }: Fleet): Promise<Gauge[]> {
  const depth = await queue.depth();
  const workers = await listWorkers(ask);
  const gauge = (name: string, help: string, value: number, labels = {}): Gauge => ({
    name,
    help,
    value,
    labels,
  });
  return [
    ...Object.entries(depth).map(([state, value]) =>
      gauge("jobs", "Jobs in the queue, by state.", value, { state }),
    ),
    ...Object.entries(await countStates(ask)).map(([state, value]) =>
      gauge("repositories", "Repositories, by how they stand.", value, { state }),
    ),
    gauge("workers", "Workers that gave a sign of life.", workers.length),
    gauge(
      "busy_slots",
      "Jobs that workers are doing.",
      workers.reduce((sum, { busy }) => sum + busy, 0),
    ),
    gauge("round_trips", "Statements this process has sent to the database.", database.roundTrips()),
    gauge("memory_bytes", "Memory of this process.", process.memoryUsage.rss()),
  ];
}
