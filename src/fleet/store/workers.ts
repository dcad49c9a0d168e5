import type { Query } from "./database.ts";

/** A worker process, as it reports itself. */
export type WorkerRow = {
  readonly id: string;
  readonly started: Date;
  readonly seen: Date;
  readonly slots: number;
  readonly busy: number;
  readonly done: number;
  readonly memory: number;
};

/** Stores the heartbeat of a worker. */
export async function recordHeartbeat(query: Query, worker: Omit<WorkerRow, "seen">): Promise<void> {
  const { id, started, slots, busy, done, memory } = worker;
  await query(
    `INSERT INTO suture_fleet.worker (id, started, seen, slots, busy, done, memory) VALUES ($1, $2, now(), $3, $4, $5, $6)
     ON CONFLICT (id) DO UPDATE SET seen = now(), busy = excluded.busy, done = excluded.done, memory = excluded.memory`,
    [id, started, slots, busy, done, memory],
  );
}

export async function dropWorker(query: Query, id: string): Promise<void> {
  await query("DELETE FROM suture_fleet.worker WHERE id = $1", [id]);
}

/** The workers with a heartbeat in the last three minutes. */
export function listWorkers(query: Query): Promise<WorkerRow[]> {
  return query<WorkerRow>(
    `SELECT id, started, seen, slots, busy, done::float AS done, memory::float AS memory FROM suture_fleet.worker
     WHERE seen > now() - interval '3 minutes' ORDER BY id LIMIT 500`,
  );
}
