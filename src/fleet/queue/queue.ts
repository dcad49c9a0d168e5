import type { JobWithMetadata, PgBoss } from "pg-boss";
import { type Ask, type Database, engineOf } from "../store/database.ts";
import { resetTurns, takeTurns } from "./fair-share.ts";
import { type Job, keyOf, priorityOf, publishing } from "./job.ts";

/** A job that was handed out. Attempts are counted, so that one that was given up cannot settle the next. */
export type Taken = {
  readonly id: string;
  readonly attempt: number;
  readonly job: Job;
  readonly created: Date;
};

export type NewJob = Omit<Job, "turn"> & { readonly turn?: number };

export type Depth = {
  readonly waiting: number;
  readonly deferred: number;
  readonly active: number;
  readonly dead: number;
};

/** The jobs of the fleet, kept by pg-boss. Asking for a job that already waits or runs does nothing. */
export type Queue = {
  /** Answers with how many were new. In a transaction of the caller where `ask` is given. */
  add(jobs: readonly NewJob[], ask?: Ask): Promise<number>;
  /** At most so many jobs, and never two of one repository. */
  take(most: number, part?: Part): Promise<Taken[]>;
  /** Says that these are still being worked on; answers with those that are no longer ours. */
  touch(taken: readonly Taken[]): Promise<Taken[]>;
  /** False where the job is no longer ours to complete. */
  complete(taken: Taken, output: object, ask?: Ask): Promise<boolean>;
  /** It is tried again, later each time, and in the end put with the dead letters. */
  fail(taken: Taken, why: string): Promise<void>;
  /** Straight to the dead letters: trying again would not help. */
  bury(taken: Taken, why: string): Promise<void>;
  /** Puts it back as it was, for later; that is no attempt. */
  defer(taken: Taken, until: Date): Promise<void>;
  /** Takes waiting jobs of a repository away and has running ones stopped. */
  cancel(repository: number): Promise<number>;
  /** Dead letters back into the queue. */
  revive(): Promise<number>;
  dead(most: number): Promise<readonly { readonly job: Job; readonly why: string }[]>;
  depth(): Promise<Depth>;
  /** Whether more than so many wait or run; quick, however many there are. */
  exceeds(count: number): Promise<boolean>;
  /** What has to be done from time to time. */
  supervise(): Promise<void>;
  close(): Promise<void>;
};

/** Which jobs a worker takes: all, all but those that write to hosts, or only those. */
export type Part = "all" | "reading" | "publishing";

export type QueueOptions = {
  /** After so many seconds without a sign of life a job is handed to another worker. At least 10. */
  readonly heartbeat?: number;
  /** Most seconds for one job. */
  readonly timeout?: number;
  readonly retries?: number;
  /** Seconds before the first retry; then twice as long each time. */
  readonly delay?: number;
  readonly onError?: (error: Error) => void;
};

const name = "work";
const graveyard = "dead";
const schema = "suture_queue";
/** The engine takes the values of one statement as one text; more at once gains nothing. */
const atOnce = 2000;

export async function openQueue(database: Database, options: QueueOptions = {}): Promise<Queue> {
  const { heartbeat = 30, timeout = 900, retries = 8, delay = 2, onError = () => {} } = options;
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
  await boss.createQueue(graveyard, { retentionSeconds: 90 * 86_400, retryLimit: 0 });
  await boss.createQueue(name, {
    policy: "exclusive",
    heartbeatSeconds: heartbeat,
    expireInSeconds: timeout,
    retryLimit: retries,
    retryDelay: delay,
    retryBackoff: true,
    retryDelayMax: 900,
    retentionSeconds: 30 * 86_400,
    deleteAfterSeconds: 86_400,
    deadLetter: graveyard,
  });
  // Who only looks leaves the queue as those have set it who work.
  if (options.heartbeat !== undefined)
    await boss.updateQueue(name, {
      heartbeatSeconds: heartbeat,
      expireInSeconds: timeout,
      retryLimit: retries,
      retryDelay: delay,
    });

  // The engine looks a queue up when it is first used, on a connection of its own. Inside a transaction that would wait
  // for a connection while holding one, so it is done here.
  for (const each of [name, graveyard]) await boss.touch(each, "00000000-0000-0000-0000-000000000000");

  const insert = async (jobs: readonly Job[], ask?: Ask, startAfter?: Date): Promise<number> => {
    const ids = await boss.insert(
      name,
      jobs.map((job) => ({
        data: job,
        priority: priorityOf(job),
        singletonKey: keyOf(job),
        group: { id: String(job.repository) },
        ...(startAfter === undefined ? {} : { startAfter }),
      })),
      ask ? { db: engineOf(ask), returnId: true } : { returnId: true },
    );
    return ids?.length ?? 0;
  };
  const attemptOf = ({ id, attempt }: Taken) => ({ id, retryCount: attempt });

  return {
    add: async (jobs, ask = database.ask) => {
      let added = 0;
      for (let start = 0; start < jobs.length; start += atOnce)
        added += await insert(await withTurns(ask, jobs.slice(start, start + atOnce)), ask);
      return added;
    },
    // One by one: among several of one repository, the engine would pick any in a batch, and not the most urgent.
    take: async (most, part = "all") => {
      const taken: Taken[] = [];
      while (taken.length < most) {
        const [found] = await boss
          .fetch<Job>(name, {
            groupConcurrency: 1,
            includeMetadata: true,
            ...(part === "publishing" ? { minPriority: publishing } : {}),
            ...(part === "reading" ? { maxPriority: publishing - 1 } : {}),
          })
          .catch((error) => {
            // What was handed out already is not dropped because there is no more.
            if (taken.length > 0) return [];
            throw error;
          });
        if (!found) break;
        taken.push(toTaken(found));
      }
      return taken;
    },
    touch: async (taken) => {
      if (taken.length === 0) return [];
      const alive = countOf(await boss.touch(name, taken.map(attemptOf)));
      if (alive === taken.length) return [];
      const lost: Taken[] = [];
      for (const one of taken) if (countOf(await boss.touch(name, attemptOf(one))) === 0) lost.push(one);
      return lost;
    },
    complete: async (taken, output, ask = database.ask) =>
      countOf(await boss.complete(name, attemptOf(taken), output, { db: engineOf(ask) })) === 1,
    fail: async (taken, why) => void (await boss.fail(name, attemptOf(taken), { message: why })),
    bury: (taken, why) =>
      database.transaction(async (ask) => {
        const db = engineOf(ask);
        const done = await boss.complete(name, attemptOf(taken), { message: why }, { db });
        if (countOf(done) === 1) await boss.insert(graveyard, [{ data: { ...taken.job, why } }], { db });
      }),
    defer: (taken, until) =>
      database.transaction(async (ask) => {
        const note = { deferred: until.toISOString() };
        const done = await boss.complete(name, attemptOf(taken), note, { db: engineOf(ask) });
        if (countOf(done) === 1) await insert([taken.job], ask, until);
      }),
    cancel: async (repository) => {
      const ids = (await boss.findJobs<Job>(name, { data: { repository } })).flatMap(({ id, state }) =>
        ["created", "retry", "active"].includes(state) ? [id] : [],
      );
      return ids.length === 0 ? 0 : countOf(await boss.cancel(name, ids));
    },
    revive: async () => {
      const letters = await boss.findJobs<Job & { why?: string }>(graveyard, { queued: true });
      for (let start = 0; start < letters.length; start += atOnce) {
        const batch = letters.slice(start, start + atOnce);
        await database.transaction(async (ask) => {
          await boss.deleteJob(
            graveyard,
            batch.map(({ id }) => id),
            { db: engineOf(ask) },
          );
          await insert(
            batch.map(({ data: { why: _, ...job } }) => job),
            ask,
          );
        });
      }
      return letters.length;
    },
    dead: async (most) => {
      const letters = await boss.findJobs<Job & { why?: string }>(graveyard, { queued: true });
      return letters.slice(0, most).map(({ data: { why, ...job }, sourceOutput }) => ({
        job,
        why: why ?? (sourceOutput as { message?: string } | null)?.message ?? "unknown",
      }));
    },
    depth: () => readDepth(database.ask),
    exceeds: (count) => exceeds(database.ask, count),
    supervise: async () => {
      await boss.supervise();
      if (!(await exceeds(database.ask, 0))) await resetTurns(database.ask);
    },
    close: () => boss.stop({ graceful: true, close: false, timeout: 5000 }),
  };
}

async function withTurns(ask: Ask, jobs: readonly NewJob[]): Promise<Job[]> {
  const wanted = new Map<string, number>();
  for (const { turn, organisation } of jobs)
    if (turn === undefined) wanted.set(organisation, (wanted.get(organisation) ?? 0) + 1);
  const next = new Map(wanted.size === 0 ? [] : await takeTurns(ask, wanted));
  return jobs.map((job) => {
    if (job.turn !== undefined) return { ...job, turn: job.turn };
    const turn = next.get(job.organisation)!;
    next.set(job.organisation, turn + 1);
    return { ...job, turn };
  });
}

function toTaken({ id, retryCount, data, createdOn }: JobWithMetadata<Job>): Taken {
  return { id, attempt: retryCount, job: data, created: createdOn };
}

/** How many jobs a command of the engine changed. */
function countOf(response: object): number {
  return (response as { readonly affected: number }).affected;
}

/** The engine counts only now and then; people want to see the queue as it is. */
async function readDepth(ask: Ask): Promise<Depth> {
  const [row] = await ask<Record<keyof Depth, string>>(
    `SELECT count(*) FILTER (WHERE name = '${name}' AND state < 'active' AND start_after <= now()) AS waiting,
            count(*) FILTER (WHERE name = '${name}' AND state < 'active' AND start_after > now()) AS deferred,
            count(*) FILTER (WHERE name = '${name}' AND state = 'active') AS active,
            count(*) FILTER (WHERE name = '${graveyard}' AND state < 'active') AS dead
     FROM ${schema}.job WHERE state <= 'active'`,
  );
  const { waiting = 0, deferred = 0, active = 0, dead = 0 } = row ?? {};
  return { waiting: Number(waiting), deferred: Number(deferred), active: Number(active), dead: Number(dead) };
}

async function exceeds(ask: Ask, count: number): Promise<boolean> {
  const rows = await ask(
    `SELECT FROM ${schema}.job WHERE name = '${name}' AND state <= 'active' OFFSET $1 LIMIT 1`,
    [count],
  );
  return rows.length > 0;
}
