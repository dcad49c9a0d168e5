import { hostname } from "node:os";
import { newRunId } from "../../docs/record/audit.ts";
import { GitTrouble } from "../clones/git-process.ts";
import type { Fleet } from "../fleet.ts";
import { type Done, Hopeless } from "../jobs/job-run.ts";
import { perform } from "../jobs/run-job.ts";
import { HostBusy } from "../publish/sink.ts";
import { isAway } from "../store/database.ts";
import { releaseHolder } from "../store/leases.ts";
import {
  begin,
  isDraining,
  keep,
  markFailing,
  pauseHost,
  type Repository,
  release,
} from "../store/repositories.ts";
import { finish, type Run } from "../store/runs.ts";
import { dropWorker, signalWorker } from "../store/workers.ts";
import type { Part, Taken } from "./queue.ts";

export type WorkerOptions = {
  /** Jobs at once. */
  readonly slots?: number;
  readonly part?: Part;
  /** Milliseconds between looks at an empty queue. */
  readonly interval?: number;
  /** Seconds after which a job that gives no sign of life is somebody else's; as the queue was opened with. */
  readonly heartbeat?: number;
  /** Most seconds for one job. */
  readonly timeout?: number;
  /** Ends when there is nothing left to do, now or later. */
  readonly untilEmpty?: boolean;
};

export type Worker = {
  readonly id: string;
  /** Takes no new jobs, lets those at work end, and is done. */
  stop(): Promise<void>;
  /** Resolves when the worker has ended. */
  readonly ended: Promise<void>;
};

type AtWork = {
  readonly taken: Taken;
  readonly abort: AbortController;
  held?: Repository;
  /** The commit that it turned out to be about. */
  commit?: string;
};

/**
 * Takes jobs and does them, several at once, until it is stopped. A database that is away is waited for. Whatever
 * happens here, a job is not lost: one that is not settled is handed out again when its sign of life stays away.
 */
export function startWorker(fleet: Fleet, options: WorkerOptions = {}): Worker {
  const { slots = 2, part = "all", interval = 1000, heartbeat = 30, untilEmpty = false } = options;
  const { queue, database, log, metrics } = fleet;
  const id = `${hostname()}-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  const started = new Date();
  const busy = new Map<string, AtWork>();
  const bell = createBell();
  let stopping = false;
  let done = 0;

  const run = async (): Promise<void> => {
    let trouble = 0;
    while (!stopping) {
      try {
        const found = busy.size < slots && (await isOpen()) ? await queue.take(slots - busy.size, part) : [];
        trouble = 0;
        for (const taken of found) void work(taken);
        if (untilEmpty && found.length === 0 && busy.size === 0 && (await isEmpty())) return;
        if (found.length === 0 || busy.size >= slots) await bell.wait(interval * (0.75 + Math.random() / 2));
      } catch (error) {
        metrics.add("database_errors_total");
        log("database-away", { why: String(error) });
        if (!isAway(error)) trouble += 2;
        await bell.wait(Math.min(10_000, 200 * 2 ** Math.min(trouble++, 6)));
      }
    }
  };

  let asked = 0;
  let draining = false;
  const isOpen = async (): Promise<boolean> => {
    if (Date.now() - asked > 2000) {
      draining = await isDraining(database.ask);
      asked = Date.now();
    }
    return !draining;
  };

  const isEmpty = async (): Promise<boolean> => {
    const { waiting, deferred, active } = await queue.depth();
    return waiting + deferred + active === 0;
  };

  const work = async (taken: Taken): Promise<void> => {
    const atWork: AtWork = { taken, abort: new AbortController() };
    busy.set(taken.id, atWork);
    const limit = setTimeout(
      () => atWork.abort.abort(new Error("the job took too long")),
      (options.timeout ?? 900) * 1000,
    );
    const began = new Date();
    const { kind } = taken.job;
    let outcome = lost;
    try {
      outcome = await fleet.span(`job ${kind}`, aboutJob(taken), async (note) => {
        const became = await handle(fleet, id, atWork, began);
        note(aboutEnd(atWork, became), troubles.has(became) ? "failed" : undefined);
        return became;
      });
    } catch (error) {
      log("job-lost", { job: taken.id, why: String(error) });
    } finally {
      clearTimeout(limit);
      busy.delete(taken.id);
      done++;
      metrics.add("jobs_total", { kind, outcome });
      metrics.observe("job_seconds", { kind }, (Date.now() - began.getTime()) / 1000);
      bell.ring();
    }
  };

  const beat = async (): Promise<void> => {
    const all = [...busy.values()];
    const held = all.flatMap((one) => (one.held ? [one.held] : []));
    if (held.length > 0) await keep(database.ask, held, heartbeat * 2);
    const lost = new Set((await queue.touch(all.map(({ taken }) => taken))).map(({ id: job }) => job));
    for (const one of all)
      if (lost.has(one.taken.id) && busy.get(one.taken.id) === one)
        one.abort.abort(new Error("the job was cancelled or given to another worker"));
    await signalWorker(database.ask, {
      id,
      started,
      slots,
      busy: busy.size,
      done,
      memory: process.memoryUsage.rss(),
    });
  };
  const signal = (): void => void beat().catch((error) => log("no-heartbeat", { why: String(error) }));
  signal();
  const pulse = setInterval(signal, (heartbeat * 1000) / 3);

  const ended = run().finally(async () => {
    while (busy.size > 0) await bell.wait(1000);
    clearInterval(pulse);
    await dropWorker(database.ask, id).catch(() => {});
  });
  return {
    id,
    ended,
    stop: () => {
      stopping = true;
      bell.ring();
      return ended;
    },
  };
}

/** What became of a job as long as nothing else is known. */
const lost = "lost";

/** Outcomes that somebody who watches should look at. */
const troubles: ReadonlySet<string> = new Set(["failed", "hopeless"]);

function aboutJob({ id, attempt, job }: Taken) {
  return {
    "suture.job.id": id,
    "suture.job.kind": job.kind,
    "suture.job.cause": job.cause,
    "suture.job.attempt": attempt,
    "suture.job.outcome": lost,
  };
}

function aboutEnd({ taken, held, commit = taken.job.commit ?? undefined }: AtWork, outcome: string) {
  return {
    "suture.job.outcome": outcome,
    ...(held === undefined ? {} : { "suture.repository": `${held.organisation}/${held.name}` }),
    ...(commit === undefined ? {} : { "suture.commit": commit }),
  };
}

/** One job from beginning to end; answers with what became of it. */
async function handle(fleet: Fleet, worker: string, atWork: AtWork, began: Date): Promise<string> {
  const { database, queue, log } = fleet;
  const { taken, abort } = atWork;
  const { job } = taken;
  const begun = await begin(database.ask, {
    repository: job.repository,
    job: taken.id,
    seconds: fleet.leaseSeconds,
    turn: job.turn,
    after: job.after ?? null,
    asksHost: job.kind === "publish",
  });
  if (begun === null) {
    await queue.complete(taken, { outcome: "the repository is no longer in the fleet" });
    return "gone";
  }
  if (!begun.held) {
    // Not all at the same moment.
    await queue.defer(
      taken,
      new Date((begun.pausedUntil?.getTime() ?? Date.now()) + 1000 + Math.random() * 2000),
    );
    return "deferred";
  }
  const held = begun.repository;
  atWork.held = held;
  const run = newRunId(taken.created.toISOString(), "").slice(0, -1).concat("-", taken.id);
  let did: Done;
  try {
    did = await perform[job.kind](fleet, { job, run, held, before: begun.before, signal: abort.signal });
    abort.signal.throwIfAborted();
    atWork.commit = did.run.commit;
  } catch (error) {
    if (job.kind === "fix") await releaseHolder(database.ask, run);
    return giveUp(fleet, taken, held, error);
  }
  const kept = await persist(fleet, () =>
    settle(fleet, taken, { ...did.run, id: run, job, worker, began }, held, did),
  );
  if (!kept) return "overtaken";
  log("job", {
    kind: job.kind,
    repository: `${held.organisation}/${held.name}`,
    run,
    state: did.run.state,
    findings: did.run.findings,
    fixed: did.run.fixed,
    ms: Date.now() - began.getTime(),
  });
  return did.run.state;
}

/** All that a job leaves behind, in one transaction: its run, the job after it, and its own end. */
async function settle(
  { database, queue }: Fleet,
  taken: Taken,
  run: Run,
  held: Repository,
  did: Done,
): Promise<boolean> {
  try {
    await database.transaction(async (ask) => {
      if (!(await finish(ask, held, run, did.standing))) throw new Overtaken();
      if (did.next) await queue.add([did.next], ask);
      if (!(await queue.complete(taken, { run: run.id }, ask))) throw new Overtaken();
    });
    return true;
  } catch (error) {
    if (error instanceof Overtaken) return false;
    throw error;
  }
}

/** Somebody else has the job by now, or it was ended before. */
class Overtaken extends Error {}

async function giveUp(fleet: Fleet, taken: Taken, held: Repository, error: unknown): Promise<string> {
  const { database, queue, log } = fleet;
  const why = error instanceof Error ? error.message : String(error);
  await release(database.ask, held);
  if (error instanceof HostBusy) {
    const until = new Date(Date.now() + error.milliseconds);
    await pauseHost(database.ask, held.host, until);
    await queue.defer(taken, until);
    log("host-busy", { host: held.host, until: until.toISOString() });
    return "deferred";
  }
  const hopeless = error instanceof Hopeless || (error instanceof GitTrouble && error.permanent);
  log(hopeless ? "job-hopeless" : "job-failed", {
    kind: taken.job.kind,
    repository: `${held.organisation}/${held.name}`,
    attempt: taken.attempt,
    why,
  });
  if (hopeless) {
    await markFailing(database.ask, held.id);
    await queue.bury(taken, why);
    return "hopeless";
  }
  await queue.fail(taken, why);
  return "failed";
}

/** What was done is worth waiting for the database to come back, as long as the job is still ours. */
async function persist<T>({ leaseSeconds }: Fleet, write: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + leaseSeconds * 500;
  for (let wait = 100; ; wait = Math.min(2000, wait * 2)) {
    try {
      return await write();
    } catch (error) {
      if (!isAway(error) || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** Somebody waits, and somebody else may end the wait early. */
function createBell(): { ring(): void; wait(milliseconds: number): Promise<void> } {
  let rung: (() => void) | undefined;
  let waiting = false;
  return {
    ring: () => {
      waiting = true;
      rung?.();
    },
    wait: (milliseconds) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          rung = undefined;
          waiting = false;
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        if (waiting) end();
        else rung = end;
      }),
  };
}
