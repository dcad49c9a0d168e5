import { join } from "node:path";
import type { Fleet } from "../../packages/fleet/src/fleet.ts";
import { type Repository, readRepository } from "../../packages/fleet/src/store/repositories.ts";
import { startFakeGitHub } from "../../packages/fleet/test/fake-github.ts";
import { printTable } from "../report.ts";
import { type BystanderFigures, type Period, readBystanders, readDuring } from "./bystanders.ts";
import { openFleetAt, type Site, untilEmpty } from "./site.ts";
import { WorkerPool } from "./worker-pool.ts";

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
  /** Seconds until the last of them was published. */
  readonly lastPublished: number;
  /** Of the worker processes and the git that they started, for each job that ended. */
  readonly cpuMsPerJob: number;
  readonly healthy: BystanderFigures;
  readonly troubles: Readonly<Record<string, TroubleFigures>>;
};

export type TroubleFigures = Readonly<Record<string, string | number>>;

/** What became of a trouble, and when it was there. */
export type TroubleReport = { readonly figures: TroubleFigures; readonly period: Period | null };

/** The parts of a run that a trouble works on. */
export type FaultRun = {
  readonly site: Site;
  readonly fleet: Fleet;
  readonly pool: WorkerPool;
};

/** One more thing that goes wrong, on repositories of its own. */
export type Trouble = {
  readonly name: string;
  /** Variables that the workers need for it. */
  readonly environment?: Record<string, string>;
  begin(run: FaultRun): Promise<void>;
  /** Called when no job is left. */
  end(run: FaultRun): Promise<TroubleReport>;
};

export type FaultOptions = {
  readonly workers?: number;
  readonly slots?: number;
  readonly restarts?: number;
  /** Milliseconds between two kills, at least. */
  readonly pause?: number;
  readonly troubles?: readonly Trouble[];
};

const hostFaults = {
  breaks: 0.04,
  breaksAfter: 0.03,
  limits: 0.02,
  hangs: 0.005,
  hangsAfter: 0.005,
  retryAfter: 3,
};

/**
 * The whole work while everything breaks: workers are killed without warning all the time, the database is stopped
 * without warning twice, and the host breaks before and after it does its part, limits and hangs.
 */
export async function measureFaults(
  site: Site,
  { workers = 3, slots = 2, restarts = 2, pause = 5000, troubles = [] }: FaultOptions = {},
): Promise<FaultReport> {
  const folderOf = (repository: string): string => join(site.folder, "repositories", `${repository}.git`);
  const forge = await startFakeGitHub(folderOf, hostFaults);
  const place = await openFleetAt(site, troubles.length > 0 ? "troubles" : "faults", {
    heartbeat: 10,
    delay: 1,
    sink: "github",
  });
  const { fleet, repositories } = place;
  const environment = {
    SUTURE_GITHUB_TOKEN: "token",
    SUTURE_GITHUB_API: forge.url,
    SUTURE_HOST_TIMEOUT: "4000",
    SUTURE_WRITES_PER_MINUTE: "1000000",
    ...Object.assign({}, ...troubles.map((trouble) => trouble.environment)),
  };
  const pool = new WorkerPool(place, { workers, slots, environment });
  const run = { site, fleet, pool };
  for (const trouble of troubles) await trouble.begin(run);
  await fleet.queue.add(repositories.map(checkOf));
  const breaking = new Breaking(run, { restarts, pause, total: repositories.length });
  const seconds = await untilEmpty(fleet, { supervise: true, most: 7200 });
  await breaking.stop();
  await untilEmpty(fleet, { supervise: true });
  const figures: Record<string, TroubleFigures> = {};
  const ids = repositories.map(({ id }) => id);
  for (const trouble of troubles) {
    const { figures: own, period } = await trouble.end(run);
    figures[trouble.name] = { ...own, ...(period ? await readDuring(fleet, ids, period) : {}) };
  }
  const cpuMsPerJob = (pool.cpu() * 1000) / (await countRuns(fleet));
  await pool.stop();
  const healthy = await readBystanders(fleet, ids);
  const judged = await judge(fleet, repositories, forge);
  await fleet.close();
  await forge.close();
  return {
    repositories: repositories.length,
    seconds,
    killed: breaking.killed,
    restarts,
    host: forge.counts,
    ...judged,
    cpuMsPerJob,
    healthy,
    troubles: figures,
  };
}

/** The check of a repository that the nightly schedule would queue. */
export function checkOf({ id, organisation }: Repository) {
  return { kind: "check", repository: id, organisation, commit: null, cause: "nightly" } as const;
}

/** Kills workers and stops the database until it is told to stop. */
class Breaking {
  killed = 0;
  #isOver = false;
  readonly #ended: Promise<unknown>;

  constructor(
    run: FaultRun,
    { pause, restarts, total }: { readonly pause: number; readonly restarts: number; readonly total: number },
  ) {
    this.#ended = Promise.all([this.#kill(run, pause), this.#restart(run, restarts, total)]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }

  /** Kills a worker after each few jobs, so that a slow machine makes the same progress between two kills. */
  async #kill({ pool, fleet }: FaultRun, pause: number): Promise<void> {
    let before = 0;
    while (!this.#isOver) {
      await sleep(pause + Math.random() * 1.5 * pause);
      const done = await countRuns(fleet);
      if (this.#isOver || done < before + jobsBetweenKills) continue;
      pool.kill();
      this.killed++;
      before = done;
    }
  }

  async #restart({ fleet, site }: FaultRun, restarts: number, total: number): Promise<void> {
    for (let i = 1; i <= restarts; i++) {
      await untilPublished(fleet, (total * i) / (restarts + 1));
      await site.cluster.restart();
    }
  }
}

const jobsBetweenKills = 8;

/** The jobs that have ended; none while the server is stopped. */
async function countRuns({ query }: Fleet): Promise<number> {
  const rows = await query<{ count: number }>("SELECT count(*)::int AS count FROM suture_fleet.run").catch(
    () => [],
  );
  return rows[0]?.count ?? 0;
}

async function untilPublished({ query }: Fleet, wanted: number): Promise<void> {
  for (;;) {
    try {
      const [row] = await query("SELECT count(*)::int AS count FROM suture_fleet.publication");
      if (Number(row?.count) >= wanted) return;
    } catch {
      // The server was stopped on purpose, and comes back.
    }
    await sleep(500);
  }
}

/** Compares the database and the host with what should be there. */
async function judge(
  fleet: Fleet,
  repositories: readonly Repository[],
  forge: Awaited<ReturnType<typeof startFakeGitHub>>,
) {
  const ids = repositories.map(({ id }) => id);
  const shelves = repositories.map(({ organisation, name }, n) => ({
    pulls: forge.shelves.get(`${organisation}/${name}`)?.pulls ?? [],
    text: forge.read(`${organisation}/${name}`, "suture/main", "docs/guide.md"),
    wanted: `fetchPage${/\d+$/.exec(name)?.[0] ?? n}`,
  }));
  const depth = await fleet.queue.depth();
  const [counted] = await fleet.query<{ held: number; confirmed: number; seconds: number }>(
    `SELECT (SELECT count(*)::int FROM suture_fleet.repository WHERE holder IS NOT NULL AND held_until > now()) AS held,
       (SELECT count(*)::int FROM suture_fleet.publication WHERE state = 'confirmed' AND repository = ANY($1)) AS confirmed,
       (SELECT extract(epoch FROM max(ended) - min(began))::float FROM suture_fleet.run WHERE repository = ANY($1)) AS seconds`,
    [ids],
  );
  const states: Record<string, number> = {};
  for (const id of ids) {
    const state = (await readRepository(fleet.query, id))?.state ?? "gone";
    states[state] = (states[state] ?? 0) + 1;
  }
  const dead = (await fleet.queue.listDeadLetters(1000)).filter(({ job }) => ids.includes(job.repository));
  const total = repositories.length;
  return {
    states,
    lost: shelves.filter(({ pulls }) => pulls.length === 0).length + Math.max(0, total - counted!.confirmed),
    duplicated: shelves.filter(({ pulls }) => pulls.length > 1).length,
    stuck: depth.waiting + depth.deferred + depth.active + counted!.held,
    dead: dead.length,
    wrong: total - (states.open ?? 0) + shelves.filter(({ text, wanted }) => !text?.includes(wanted)).length,
    lastPublished: counted!.seconds,
  };
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export function printFaults({ host, states, healthy, troubles, ...counts }: FaultReport): string {
  const rows = (name: string, figures: TroubleFigures): string[][] =>
    Object.entries(figures).map(([each, value]) => [
      `${name}${each}`,
      String(typeof value === "number" ? Math.round(value) : value),
    ]);
  return printTable(
    ["faults", ""],
    [
      ...rows("", counts),
      ...rows("host: ", host),
      ...rows("state: ", states),
      ...rows("healthy: ", healthy),
      ...Object.entries(troubles).flatMap(([name, figures]) => rows(`${name}: `, figures)),
    ],
  );
}
