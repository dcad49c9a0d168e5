import type { Query } from "./database.ts";

/** A worker process, as it reports itself. */
export type WorkerRow = {
  readonly id: string;
  readonly started: Date;
  readonly seen: Date;
  readonly slots: number;
  /** Seconds without a heartbeat after which it counts as dead. */
  readonly heartbeat: number;
  readonly busy: number;
  readonly done: number;
  readonly memory: number;
};

/** Stores the heartbeat of a worker. */
export async function recordHeartbeat(query: Query, worker: Omit<WorkerRow, "seen">): Promise<void> {
  const { id, started, slots, busy, done, memory, heartbeat } = worker;
  await query(
    `INSERT INTO suture_fleet.worker (id, started, seen, slots, busy, done, memory, heartbeat)
     VALUES ($1, $2, now(), $3, $4, $5, $6, $7)
     ON CONFLICT (id) DO UPDATE SET seen = now(), busy = excluded.busy, done = excluded.done, memory = excluded.memory`,
    [id, started, slots, busy, done, memory, heartbeat],
  );
}

export async function dropWorker(query: Query, id: string): Promise<void> {
  await query("DELETE FROM suture_fleet.worker WHERE id = $1", [id]);
}

/** The workers with a recent heartbeat. */
export function listWorkers(query: Query): Promise<WorkerRow[]> {
  return query<WorkerRow>(
    `SELECT id, started, seen, slots, busy, done::float AS done, memory::float AS memory, heartbeat FROM suture_fleet.worker
     WHERE seen > now() - heartbeat * 1.5 * interval '1 second' ORDER BY id LIMIT 500`,
  );
}
