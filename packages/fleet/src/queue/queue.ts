import type { JobWithMetadata, PgBoss } from "pg-boss";
import { type Database, engineOf, type Query } from "../store/database.ts";
import { storableText } from "../store/storable.ts";
import { resetTurns, takeTurns } from "./fair-share.ts";
import { type Job, keyOf, priorityOf, publishing } from "./job.ts";

/** A job that a worker has taken. The attempt number keeps an earlier attempt from completing a later one. */
export type TakenJob = {
  readonly id: string;
  readonly attempt: number;
  /** After a failure of this attempt, the job goes to the dead letters. */
  readonly isLastAttempt: boolean;
  readonly job: Job;
  readonly created: Date;
};

export type NewJob = Omit<Job, "turn"> & { readonly turn?: number };

export type DeadLetter = { readonly job: Job; readonly why: string };

export type QueueDepth = {
  readonly waiting: number;
  readonly deferred: number;
  readonly active: number;
  readonly dead: number;
};

/** The jobs of the fleet, stored by pg-boss. Adding a job that already waits or runs does nothing. */
export type Queue = {
  /** Returns the number of new jobs. With `query`, the jobs join the caller's transaction. */
  add(jobs: readonly NewJob[], query?: Query): Promise<number>;
  /** Takes at most `most` jobs, and never two of one repository. */
  take(most: number, selection?: JobSelection): Promise<TakenJob[]>;
  /** Extends the lease of taken jobs. Returns the jobs that were lost to another worker or cancelled. */
  extend(taken: readonly TakenJob[]): Promise<TakenJob[]>;
  /** False if the job was lost to another worker or cancelled. */
  complete(taken: TakenJob, output: object, query?: Query): Promise<boolean>;
  /** The job is retried with growing delays, and moves to the dead letters in the end. */
  fail(taken: TakenJob, why: string): Promise<void>;
  /** For an error that no retry would fix. */
  moveToDeadLetters(taken: TakenJob, why: string): Promise<void>;
  /** Puts the job back for so many seconds, by the database's clock. It does not count as an attempt. */
  defer(taken: TakenJob, seconds: number): Promise<void>;
  /** Removes the waiting jobs of a repository and aborts the running ones. */
  cancel(repository: number): Promise<number>;
  /** Moves the dead letters back into the queue, but for those of quarantined repositories. */
  retryDeadLetters(): Promise<number>;
  /** Forgets the dead letters of one repository. */
  dropDeadLetters(repository: number): Promise<void>;
  /** Lets the deferred jobs of a host's repositories start now, or of one owner on it. */
  startDeferred(host: string): Promise<void>;
  listDeadLetters(most: number): Promise<readonly DeadLetter[]>;
  depth(): Promise<QueueDepth>;
  /** Whether a job runs, or waits for at most so many seconds and was tried less often than `attempts`. */
  hasJobsWithin(limits: { readonly seconds: number; readonly attempts: number }): Promise<boolean>;
  /** Whether more than `count` jobs wait or run. Takes constant time. */
  exceeds(count: number): Promise<boolean>;
  /** Periodic maintenance. */
  supervise(): Promise<void>;
  close(): Promise<void>;
};

/** Which jobs a worker takes: all of them, those that do not write to hosts, or only those that do. */
export type JobSelection = "all" | "reading" | "publishing";

export type QueueOptions = {
  /** A job without a heartbeat for this many seconds goes to another worker. At least 10. */
  readonly heartbeat?: number;
  /** The most seconds that one job may take. */
  readonly timeout?: number;
  readonly retries?: number;
  /** Seconds before the first retry. The delay doubles each time. */
  readonly delay?: number;
  readonly onError?: (error: Error) => void;
};

const queueName = "work";
const deadLetters = "dead";
const schema = "suture_queue";
/** The most jobs in one statement. The engine sends them as one text, and larger batches are not faster. */
const batchSize = 2000;

export async function openQueue(database: Database, options: QueueOptions = {}): Promise<Queue> {
  const { onError = () => {} } = options;
  const engine = await import("pg-boss");
  const boss: PgBoss = new engine.PgBoss({
    db: database.engine,
    backend: database.kind === "embedded" ? "pglite" : "postgres",
    schema,
    schedule: false,
    supervise: false,
    monitorIntervalSeconds: 5,
  });
  boss.on("error", onError);
  boss.on("warning", () => {});
  await boss.start();
  await createQueues(boss, options);
  // The engine reads a queue's settings on first use, on a connection of its own. Inside a transaction, that would wait
  // for a second connection, so it is done here.
  for (const name of [queueName, deadLetters]) await boss.touch(name, "00000000-0000-0000-0000-000000000000");
  return new PgBossQueue(boss, database);
}

async function createQueues(boss: PgBoss, options: QueueOptions): Promise<void> {
  const { heartbeat = 30, timeout = 900, retries = 8, delay = 2 } = options;
  const settings = {
    heartbeatSeconds: heartbeat,
    expireInSeconds: timeout,
    retryLimit: retries,
    retryDelay: delay,
  };
  await boss.createQueue(deadLetters, { retentionSeconds: 90 * 86_400, retryLimit: 0 });
  await boss.createQueue(queueName, {
    ...settings,
    policy: "exclusive",
    retryBackoff: true,
    retryDelayMax: 900,
    retentionSeconds: 30 * 86_400,
    deleteAfterSeconds: 86_400,
    deadLetter: deadLetters,
  });
  // Read-only commands must not overwrite the workers' queue settings.
  if (options.heartbeat !== undefined) await boss.updateQueue(queueName, settings);
}

class PgBossQueue implements Queue {
  readonly #boss: PgBoss;
  readonly #database: Database;

  constructor(boss: PgBoss, database: Database) {
    this.#boss = boss;
    this.#database = database;
  }

  async add(jobs: readonly NewJob[], query: Query = this.#database.query): Promise<number> {
    let added = 0;
    for (const batch of batchesOf(jobs))
      added += await this.#insert(await assignTurns(query, batch), { query });
    return added;
  }

  // One at a time: from a batch, the engine takes any job of a repository, not the most urgent one.
  async take(most: number, selection: JobSelection = "all"): Promise<TakenJob[]> {
    const taken: TakenJob[] = [];
    while (taken.length < most) {
      const found = await this.#takeOne(selection).catch((error) => {
        // Jobs that are taken already must not be lost because of a later error.
        if (taken.length > 0) return undefined;
        throw error;
      });
      if (!found) break;
      taken.push(found);
    }
    return taken;
  }

  async #takeOne(selection: JobSelection): Promise<TakenJob | undefined> {
    const [found] = await this.#boss.fetch<Job>(queueName, {
      groupConcurrency: 1,
      includeMetadata: true,
      ...(selection === "publishing" ? { minPriority: publishing } : {}),
      ...(selection === "reading" ? { maxPriority: publishing - 1 } : {}),
    });
    return found && toTaken(found);
  }

  async extend(taken: readonly TakenJob[]): Promise<TakenJob[]> {
    if (taken.length === 0) return [];
    const alive = countOf(await this.#boss.touch(queueName, taken.map(attemptOf)));
    if (alive === taken.length) return [];
    const lost: TakenJob[] = [];
    for (const one of taken)
      if (countOf(await this.#boss.touch(queueName, attemptOf(one))) === 0) lost.push(one);
    return lost;
  }

  async complete(taken: TakenJob, output: object, query: Query = this.#database.query): Promise<boolean> {
    const done = await this.#boss.complete(queueName, attemptOf(taken), output, { db: engineOf(query) });
    return countOf(done) === 1;
  }

  async fail(taken: TakenJob, why: string): Promise<void> {
    await this.#boss.fail(queueName, attemptOf(taken), { message: storableText(why) });
  }

  moveToDeadLetters(taken: TakenJob, reason: string): Promise<void> {
    const why = storableText(reason);
    return this.#database.transaction(async (query) => {
      if (!(await this.complete(taken, { message: why }, query))) return;
      await this.#boss.insert(deadLetters, [{ data: { ...taken.job, why } }], { db: engineOf(query) });
    });
  }

  defer(taken: TakenJob, seconds: number): Promise<void> {
    return this.#database.transaction(async (query) => {
      if (await this.complete(taken, { deferredSeconds: seconds }, query))
        await this.#insert([taken.job], { query, startAfter: seconds });
    });
  }

  async cancel(repository: number): Promise<number> {
    const jobs = await this.#boss.findJobs<Job>(queueName, { data: { repository } });
    const open = jobs.filter(({ state }) => ["created", "retry", "active"].includes(state));
    const ids = open.map(({ id }) => id);
    return ids.length === 0 ? 0 : countOf(await this.#boss.cancel(queueName, ids));
  }

  async retryDeadLetters(): Promise<number> {
    const resting = await this.#database.query<{ id: number }>(
      "SELECT id::int AS id FROM suture_fleet.repository WHERE state = 'quarantined'",
    );
    const isResting = new Set(resting.map(({ id }) => id));
    const letters = (await this.#findDeadLetters()).filter(({ data }) => !isResting.has(data.repository));
    for (const batch of batchesOf(letters))
      await this.#database.transaction(async (query) => {
        const ids = batch.map(({ id }) => id);
        await this.#boss.deleteJob(deadLetters, ids, { db: engineOf(query) });
        const jobs = batch.map(({ data: { why: _, ...job } }) => job);
        await this.#insert(jobs, { query });
      });
    return letters.length;
  }

  async dropDeadLetters(repository: number): Promise<void> {
    const letters = await this.#boss.findJobs<Job>(deadLetters, { queued: true, data: { repository } });
    const ids = letters.map(({ id }) => id);
    if (ids.length > 0) await this.#boss.deleteJob(deadLetters, ids);
  }

  async startDeferred(host: string): Promise<void> {
    await this.#database.query(
      `UPDATE ${schema}.job SET start_after = now() WHERE name = '${queueName}' AND state < 'active'
         AND start_after > now() AND (data->>'repository')::bigint IN (SELECT id FROM suture_fleet.repository
           WHERE starts_with(lower(host || '/' || organisation) || '/', lower($1) || '/'))`,
      [host],
    );
  }

  async listDeadLetters(most: number): Promise<readonly DeadLetter[]> {
    return (await this.#findDeadLetters()).slice(0, most).map(({ data: { why, ...job }, sourceOutput }) => ({
      job,
      why: why ?? (sourceOutput as { message?: string } | null)?.message ?? "unknown",
    }));
  }

  depth(): Promise<QueueDepth> {
    return readDepth(this.#database.query);
  }

  async hasJobsWithin({ seconds, attempts }: { seconds: number; attempts: number }): Promise<boolean> {
    const rows = await this.#database.query(
      `SELECT FROM ${schema}.job WHERE name = '${queueName}' AND (state = 'active' OR (state < 'active'
         AND start_after <= now() + $1 * interval '1 second' AND retry_count < $2)) LIMIT 1`,
      [seconds, attempts],
    );
    return rows.length > 0;
  }

  exceeds(count: number): Promise<boolean> {
    return exceeds(this.#database.query, count);
  }

  async supervise(): Promise<void> {
    await this.#boss.supervise();
    if (!(await this.exceeds(0))) await resetTurns(this.#database.query);
  }

  close(): Promise<void> {
    return this.#boss.stop({ graceful: true, close: false, timeout: 5000 });
  }

  #findDeadLetters() {
    return this.#boss.findJobs<Job & { why?: string }>(deadLetters, { queued: true });
  }

  async #insert(
    jobs: readonly Job[],
    { query, startAfter }: { readonly query: Query; readonly startAfter?: number },
  ): Promise<number> {
    const rows = jobs.map((job) => ({
      data: job,
      priority: priorityOf(job),
      singletonKey: keyOf(job),
      group: { id: String(job.repository) },
      ...(startAfter === undefined ? {} : { startAfter }),
    }));
    const ids = await this.#boss.insert(queueName, rows, { db: engineOf(query), returnId: true });
    return ids?.length ?? 0;
  }
}

function* batchesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += batchSize) yield items.slice(start, start + batchSize);
}

function attemptOf({ id, attempt }: TakenJob) {
  return { id, retryCount: attempt };
}

async function assignTurns(query: Query, jobs: readonly NewJob[]): Promise<Job[]> {
  const wanted = new Map<string, number>();
  for (const { turn, organisation } of jobs)
    if (turn === undefined) wanted.set(organisation, (wanted.get(organisation) ?? 0) + 1);
  const next = new Map(wanted.size === 0 ? [] : await takeTurns(query, wanted));
  return jobs.map((job) => {
    if (job.turn !== undefined) return { ...job, turn: job.turn };
    const turn = next.get(job.organisation) ?? 0;
    next.set(job.organisation, turn + 1);
    return { ...job, turn };
  });
}

function toTaken({ id, retryCount, retryLimit, data, createdOn }: JobWithMetadata<Job>): TakenJob {
  return {
    id,
    attempt: retryCount,
    isLastAttempt: retryCount >= retryLimit,
    job: data,
    created: createdOn,
  };
}

/** The number of jobs that a command of the engine changed. */
function countOf(response: object): number {
  return (response as { readonly affected: number }).affected;
}

/** The engine updates its own counts only at intervals, so this counts the rows. */
async function readDepth(query: Query): Promise<QueueDepth> {
  const [row] = await query<Record<keyof QueueDepth, string>>(
    `SELECT count(*) FILTER (WHERE name = '${queueName}' AND state < 'active' AND start_after <= now()) AS waiting,
            count(*) FILTER (WHERE name = '${queueName}' AND state < 'active' AND start_after > now()) AS deferred,
            count(*) FILTER (WHERE name = '${queueName}' AND state = 'active') AS active,
            count(*) FILTER (WHERE name = '${deadLetters}' AND state < 'active') AS dead
     FROM ${schema}.job WHERE state <= 'active'`,
  );
  const { waiting = 0, deferred = 0, active = 0, dead = 0 } = row ?? {};
  return { waiting: Number(waiting), deferred: Number(deferred), active: Number(active), dead: Number(dead) };
}

async function exceeds(query: Query, count: number): Promise<boolean> {
  const rows = await query(
    `SELECT FROM ${schema}.job WHERE name = '${queueName}' AND state <= 'active' OFFSET $1 LIMIT 1`,
    [count],
  );
  return rows.length > 0;
}
