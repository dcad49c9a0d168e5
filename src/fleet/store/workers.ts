import type { Ask } from "./database.ts";

/** A worker process as others see it. */
export type ShownWorker = {
  readonly id: string;
  readonly started: Date;
  readonly seen: Date;
  readonly slots: number;
  readonly busy: number;
  readonly done: number;
  readonly memory: number;
};

/** A sign of life. */
export async function signalWorker(ask: Ask, worker: Omit<ShownWorker, "seen">): Promise<void> {
  const { id, started, slots, busy, done, memory } = worker;
  await ask(
    `INSERT INTO suture_fleet.worker (id, started, seen, slots, busy, done, memory) VALUES ($1, $2, now(), $3, $4, $5, $6)
     ON CONFLICT (id) DO UPDATE SET seen = now(), busy = excluded.busy, done = excluded.done, memory = excluded.memory`,
    [id, started, slots, busy, done, memory],
  );
}

export async function dropWorker(ask: Ask, id: string): Promise<void> {
  await ask("DELETE FROM suture_fleet.worker WHERE id = $1", [id]);
}

/** Those that gave a sign of life in the last minutes. */
export function listWorkers(ask: Ask): Promise<ShownWorker[]> {
  return ask<ShownWorker>(
    `SELECT id, started, seen, slots, busy, done::float AS done, memory::float AS memory FROM suture_fleet.worker
     WHERE seen > now() - interval '3 minutes' ORDER BY id LIMIT 500`,
  );
}
