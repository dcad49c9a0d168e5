import type { Fleet } from "../fleet.ts";
import { listPaused } from "../store/hosts.ts";
import {
  countStates,
  isDraining,
  listDrifted,
  listFailing,
  type Organisations,
} from "../store/repositories.ts";
import { countDays, listRuns } from "../store/runs.ts";
import { listWorkers } from "../store/workers.ts";
import { readLevels } from "./levels.ts";
import type { Gauge } from "./metrics.ts";

export type OverviewOptions = {
  /** The most repositories of a list. */
  readonly most?: number;
  readonly days?: number;
  readonly organisations?: Organisations;
};

/** The status of the whole fleet, or of some organisations. */
export async function readOverview(
  { query, queue }: Pick<Fleet, "query" | "queue">,
  { most = 100, days = 30, organisations = null }: OverviewOptions = {},
) {
  return {
    states: await countStates(query, organisations),
    queue: await queue.depth(),
    draining: await isDraining(query),
    workers: await listWorkers(query),
    paused: (await listPaused(query)).filter(({ name }) => mayName(name, organisations)),
    drifted: await listDrifted(query, most, organisations),
    failing: await listFailing(query, most, organisations),
    runs: await listRuns(query, { most: 50, organisations }),
    // The totals of a day are those of the whole fleet.
    days: organisations === null ? await countDays(query, days) : [],
    levels: await readLevels(query, { days, organisations }),
  };
}

/** Whether a host that rests may be named. The name of an owner on it, as in `github.com/acme`, is that of an organisation. */
function mayName(scope: string, organisations: Organisations): boolean {
  const owner = scope.includes("/") ? scope.slice(scope.indexOf("/") + 1) : null;
  if (owner === null || organisations === null) return true;
  return organisations.some((one) => `${one}/`.startsWith(`${owner}/`));
}

/** The gauges for Prometheus. */
export async function readGauges({ query, queue, database }: Fleet): Promise<Gauge[]> {
  const depth = await queue.depth();
  const workers = await listWorkers(query);
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
    ...Object.entries(await countStates(query)).map(([state, value]) =>
      gauge("repositories", "Repositories, by state.", value, { state }),
    ),
    gauge("workers", "Workers with a recent heartbeat.", workers.length),
    gauge(
      "busy_slots",
      "Jobs that run now.",
      workers.reduce((sum, { busy }) => sum + busy, 0),
    ),
    gauge("round_trips", "Statements this process has sent to the database.", database.roundTrips()),
    gauge("memory_bytes", "Memory of this process.", process.memoryUsage.rss()),
  ];
}
