import { hostname } from "node:os";
import { newRunId } from "suture/service";
import type { Fleet } from "../fleet.ts";
import type { JobResult } from "../jobs/job-run.ts";
import { jobs } from "../jobs/run-job.ts";
import { checksOfPages, recordCompared } from "../settings/described.ts";
import { storeCounters } from "../store/counters.ts";
import { isUnavailable, type Query } from "../store/database.ts";
import { recordReached } from "../store/hosts.ts";
import { releaseHolder } from "../store/leases.ts";
import { listOpenRequests } from "../store/publications.ts";
import {
  claimRepository,
  extendClaims,
  isDraining,
  type Repository,
  releaseRepository,
} from "../store/repositories.ts";
import { finishRun, type Run } from "../store/runs.ts";
import { dropWorker, recordHeartbeat } from "../store/workers.ts";
import { DiskSpace } from "./disk-space.ts";
import { handleFailure, WorkersLost } from "./failure.ts";
import { asksHost } from "./job.ts";
import type { JobSelection, NewJob, TakenJob } from "./queue.ts";

export type WorkerOptions = {
  /** The number of jobs at once. */
  readonly slots?: number;
  readonly part?: JobSelection;
  /** Milliseconds between checks of an empty queue. */
  readonly interval?: number;
  /** Seconds without a heartbeat after which a job goes to another worker. The queue must be opened with the same value. */
  readonly heartbeat?: number;
  /** The most seconds that one job may take. */
  readonly timeout?: number;
  /** Stop when no job can start soon. Jobs that failed several times or wait for long are left. */
  readonly untilEmpty?: boolean;
};

export type Worker = {
  readonly id: string;
  /** Takes no new jobs, and resolves when the running ones have ended. */
  stop(): Promise<void>;
  /** Resolves when the worker has ended. */
  readonly ended: Promise<void>;
};

type ActiveJob = {
  readonly taken: TakenJob;
  readonly abort: AbortController;
  held?: Repository;
  /** The commit that the job worked on. */
  commit?: string;
};

/**
 * Takes jobs and runs several at once until it is stopped. If the database is unavailable, it waits. No job is lost: a
 * job that is not settled goes to another worker when its heartbeat stops.
 */
export function startWorker(fleet: Fleet, options: WorkerOptions = {}): Worker {
  return new JobWorker(fleet, options);
}

class JobWorker implements Worker {
  readonly id = `${hostname()}-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  readonly ended: Promise<void>;
  readonly #fleet: Fleet;
  readonly #options: Required<WorkerOptions>;
  readonly #started = new Date();
  readonly #active = new Map<string, ActiveJob>();
  readonly #wakeUp = new WakeUp();
  readonly #drainCheck = { at: 0, isDraining: false };
  readonly #disk: DiskSpace;
  #stopping = false;
  #done = 0;

  constructor(fleet: Fleet, options: WorkerOptions) {
    this.#fleet = fleet;
    this.#options = {
      slots: 2,
      part: "all",
      interval: 1000,
      heartbeat: 30,
      timeout: 900,
      untilEmpty: false,
      ...options,
    };
    this.#disk = new DiskSpace(fleet.home.path);
    this.#sendHeartbeat();
    const pulse = setInterval(() => this.#sendHeartbeat(), (this.#options.heartbeat * 1000) / 3);
    this.ended = this.#run().finally(async () => {
      while (this.#active.size > 0) await this.#wakeUp.wait(1000);
      clearInterval(pulse);
      await storeCounters(fleet.query, fleet.metrics).catch(() => {});
      await dropWorker(fleet.query, this.id).catch(() => {});
    });
  }

  stop(): Promise<void> {
    this.#stopping = true;
    this.#wakeUp.now();
    return this.ended;
  }

  async #run(): Promise<void> {
    const { metrics, log } = this.#fleet;
    let failures = 0;
    while (!this.#stopping) {
      try {
        const isFinished = await this.#takeJobs();
        failures = 0;
        if (isFinished) return;
      } catch (error) {
        metrics.add("database_errors_total");
        log("database-away", { why: String(error) });
        if (!isUnavailable(error)) failures += 2;
        await this.#wakeUp.wait(Math.min(10_000, 200 * 2 ** Math.min(failures++, 6)));
      }
    }
  }

  /** Fills the free slots, and waits if there is nothing to do. True when the worker is finished. */
  async #takeJobs(): Promise<boolean> {
    const { slots, part, interval, untilEmpty } = this.#options;
    const free = slots - this.#active.size;
    const mayTake = free > 0 && !(await this.#isDraining()) && (await this.#hasDiskSpace());
    const found = mayTake ? await this.#fleet.queue.take(free, part) : [];
    for (const taken of found) void this.#work(taken);
    if (untilEmpty && found.length === 0 && this.#active.size === 0 && (await this.#hasNothingToDoSoon()))
      return true;
    if (found.length === 0 || this.#active.size >= slots)
      await this.#wakeUp.wait(interval * (0.75 + Math.random() / 2));
    return false;
  }

  async #isDraining(): Promise<boolean> {
    if (Date.now() - this.#drainCheck.at > 2000) {
      this.#drainCheck.isDraining = await isDraining(this.#fleet.query);
      this.#drainCheck.at = Date.now();
    }
    return this.#drainCheck.isDraining;
  }

  /** A worker on a full disk takes no jobs: it would only fail them faster than the others can do them. */
  async #hasDiskSpace(): Promise<boolean> {
    const isFull = await this.#disk.isFull();
    if (isFull) this.#fleet.log("disk-full", { worker: this.id, path: this.#fleet.home.path });
    return !isFull;
  }

  /** Whether no job can start soon. Jobs that failed several times or wait for long are left for later. */
  async #hasNothingToDoSoon(): Promise<boolean> {
    return !(await this.#fleet.queue.hasJobsWithin({
      seconds: longestWaitAtEnd,
      attempts: mostAttemptsAtEnd,
    }));
  }

  async #work(taken: TakenJob): Promise<void> {
    const { log, metrics, span } = this.#fleet;
    const active: ActiveJob = { taken, abort: new AbortController() };
    this.#active.set(taken.id, active);
    const limit = setTimeout(
      () => active.abort.abort(new Error("the job took too long")),
      this.#options.timeout * 1000,
    );
    const began = new Date();
    const { kind } = taken.job;
    let outcome = lost;
    try {
      outcome = await span(`job ${kind}`, jobAttributes(taken), async (endSpan) => {
        const result = await runJob(this.#fleet, active, { worker: this.id, began });
        if (result === "disk-full") this.#disk.markFull();
        endSpan(resultAttributes(active, result), failures.has(result) ? "failed" : undefined);
        return result;
      });
    } catch (error) {
      log("job-lost", { job: taken.id, why: String(error) });
    } finally {
      clearTimeout(limit);
      this.#active.delete(taken.id);
      this.#done++;
      metrics.add("jobs_total", { kind, outcome });
      metrics.observe("job_seconds", { kind }, (Date.now() - began.getTime()) / 1000);
      this.#wakeUp.now();
    }
  }

  #sendHeartbeat(): void {
    void this.#beat().catch((error) => this.#fleet.log("no-heartbeat", { why: String(error) }));
  }

  /** Extends the leases of all active jobs, and aborts the jobs that were lost. */
  async #beat(): Promise<void> {
    const { query, queue } = this.#fleet;
    const { slots, heartbeat } = this.#options;
    const all = [...this.#active.values()];
    const held = all.flatMap((active) => (active.held ? [active.held] : []));
    if (held.length > 0) await extendClaims(query, held, heartbeat * 2);
    const lostJobs = new Set((await queue.extend(all.map(({ taken }) => taken))).map(({ id }) => id));
    for (const active of all)
      if (lostJobs.has(active.taken.id) && this.#active.get(active.taken.id) === active)
        active.abort.abort(new JobLost("the job was cancelled or given to another worker"));
    await storeCounters(query, this.#fleet.metrics);
    await recordHeartbeat(query, {
      id: this.id,
      started: this.#started,
      slots,
      heartbeat,
      busy: this.#active.size,
      done: this.#done,
      memory: process.memoryUsage.rss(),
    });
  }
}

/** With `untilEmpty`, jobs that wait longer or were tried as often as this are left for later. */
const longestWaitAtEnd = 60;
const mostAttemptsAtEnd = 3;

/** The outcome of a job until another one is known. */
const lost = "lost";

/** Outcomes that mark the span as failed. */
const failures: ReadonlySet<string> = new Set(["failed", "hopeless", "quarantined", "disk-full"]);

function jobAttributes({ id, attempt, job }: TakenJob) {
  return {
    "suture.job.id": id,
    "suture.job.kind": job.kind,
    "suture.job.cause": job.cause,
    "suture.job.attempt": attempt,
    "suture.job.outcome": lost,
  };
}

function resultAttributes(
  { taken, held, commit = taken.job.commit ?? undefined }: ActiveJob,
  outcome: string,
) {
  return {
    "suture.job.outcome": outcome,
    ...(held === undefined ? {} : { "suture.repository": `${held.organisation}/${held.name}` }),
    ...(commit === undefined ? {} : { "suture.commit": commit }),
  };
}

type WorkerRun = { readonly worker: string; readonly began: Date };

/** Runs one job from claim to settlement. Returns its outcome. */
async function runJob(fleet: Fleet, active: ActiveJob, { worker, began }: WorkerRun): Promise<string> {
  const { query, queue } = fleet;
  const { taken, abort } = active;
  const { job } = taken;
  const claimed = await claimRepository(query, {
    repository: job.repository,
    job: taken.id,
    seconds: fleet.leaseSeconds,
    turn: job.turn,
    after: job.after ?? null,
    asksHost: asksHost(job.kind),
  });
  if (claimed === null) {
    await queue.complete(taken, { outcome: "the repository is no longer in the fleet" });
    return "gone";
  }
  if (!claimed.held) {
    await queue.defer(taken, withJitter(claimed.restSeconds));
    return "deferred";
  }
  const held = claimed.repository;
  active.held = held;
  if (isAtRest(held) && job.cause !== "hand") {
    await releaseRepository(query, held);
    await queue.complete(taken, { outcome: "the repository is at rest" });
    return "at-rest";
  }
  if (claimed.isAbandoned && taken.isLastAttempt)
    return handleFailure(fleet, { taken, held, error: new WorkersLost(taken.attempt) });
  // A check begins everything again, so earlier failures of the repository are over.
  if (job.kind === "check" && held.problem !== null) await queue.dropDeadLetters(held.id);
  const run = newRunId(taken.created.toISOString(), "").slice(0, -1).concat("-", taken.id);
  let result: JobResult;
  try {
    const { previous } = claimed;
    result = await jobs[job.kind](fleet, { job, run, repository: held, previous, signal: abort.signal });
    abort.signal.throwIfAborted();
    active.commit = result.run.commit;
  } catch (error) {
    if (job.kind === "fix") await releaseHolder(query, run);
    if (abort.signal.reason instanceof JobLost) return leaveLostJob(fleet, taken, held);
    return handleFailure(fleet, { taken, held, error });
  }
  const record: Run = { ...result.run, id: run, job, worker, began };
  const isSettled = await retryWhileUnavailable(fleet, () => settle(fleet, { taken, held, record, result }));
  if (!isSettled) return "overtaken";
  await recordReached(query, held.host);
  logResult(fleet, held, record);
  return result.run.state;
}

/** The job is no longer this worker's. That says nothing about the repository, so no failure is recorded. */
class JobLost extends Error {}

async function leaveLostJob({ query, log }: Fleet, { id }: TakenJob, held: Repository): Promise<string> {
  await releaseRepository(query, held);
  log("job-lost", { job: id, why: "it was cancelled or given to another worker" });
  return lost;
}

/** Spreads deferred jobs, so that they do not all start at the same moment. */
function withJitter(seconds: number | null): number {
  return (seconds ?? 0) + 1 + Math.random() * 2;
}

/** A paused or quarantined repository waits for a person, an archived one for its host. */
function isAtRest({ paused, state }: Repository): boolean {
  return paused || state === "quarantined" || state === "archived";
}

function logResult({ log }: Fleet, { organisation, name }: Repository, run: Run): void {
  log("job", {
    kind: run.job.kind,
    repository: `${organisation}/${name}`,
    run: run.id,
    state: run.state,
    findings: run.findings,
    fixed: run.fixed,
    ms: Date.now() - run.began.getTime(),
  });
}

type Settlement = {
  readonly taken: TakenJob;
  readonly held: Repository;
  readonly record: Run;
  readonly result: JobResult;
};

/** Stores the run, queues the next job and completes this one, in one transaction. False if the claim was lost. */
async function settle(
  { database, queue }: Fleet,
  { taken, held, record, result }: Settlement,
): Promise<boolean> {
  try {
    await database.transaction(async (query) => {
      if (!(await finishRun(query, held, record, result.status))) throw new ClaimLost();
      if (!(await queue.complete(taken, { run: record.id }, query))) throw new ClaimLost();
      await recordCompared(query, held, result.status.compared ?? []);
      const next = [
        ...(result.next ? [result.next] : await askedAfter(query, held, record)),
        ...(result.next ? [] : dashboardAfter(held, record, result)),
        ...(await checksAfter(query, held, record)),
      ];
      if (next.length > 0) await queue.add(next, query);
    });
    return true;
  } catch (error) {
    if (error instanceof ClaimLost) return false;
    throw error;
  }
}

/** After the check of a main branch: the checks of pages elsewhere that describe its code. */
async function checksAfter(query: Query, held: Repository, { job, state }: Run): Promise<readonly NewJob[]> {
  const isOfMain = job.kind === "check" && job.request === undefined && state === "done";
  return isOfMain ? checksOfPages(query, held) : [];
}

/** After the check of a main branch that leads to no publication: what people decided about our pull requests. */
async function askedAfter(query: Query, held: Repository, { job }: Run): Promise<readonly NewJob[]> {
  if (job.kind !== "check" || job.request !== undefined) return [];
  if ((await listOpenRequests(query, held)).length === 0) return [];
  const { repository, organisation, cause } = job;
  return [{ kind: "decisions", repository, organisation, commit: null, cause }];
}

/** After the last step for a main branch: its dashboard, where one is asked for. */
function dashboardAfter(
  held: Repository,
  { job: { kind, repository, organisation, cause, request } }: Run,
  { status }: JobResult,
): readonly NewJob[] {
  const isWanted = status.wantsDashboard ?? held.wants_dashboard;
  if (!isWanted || kind === "dashboard" || request !== undefined) return [];
  return [{ kind: "dashboard", repository, organisation, commit: null, cause }];
}

/** Another worker has the job, or it was cancelled. */
class ClaimLost extends Error {}

/** Retries while the database is unavailable, as long as the claim on the repository lasts. */
async function retryWhileUnavailable<T>({ leaseSeconds }: Fleet, write: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + leaseSeconds * 500;
  for (let wait = 100; ; wait = Math.min(2000, wait * 2)) {
    try {
      return await write();
    } catch (error) {
      if (!isUnavailable(error) || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** A wait that can be ended early. A call of `now` while nothing waits ends the next wait at once. */
class WakeUp {
  #end: (() => void) | undefined;
  #isPending = false;

  now(): void {
    this.#isPending = true;
    this.#end?.();
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#end = undefined;
        this.#isPending = false;
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      if (this.#isPending) end();
      else this.#end = end;
    });
  }
}
