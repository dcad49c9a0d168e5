import type { Counter, Metrics } from "../serve/metrics.ts";
import type { Query } from "./database.ts";

/** Adds the counts of this process to those of all processes. If the database is unavailable, they wait. */
export async function storeCounters(query: Query, metrics: Metrics): Promise<void> {
  const pending = metrics.takePending();
  if (pending.length === 0) return;
  try {
    await query(
      `INSERT INTO suture_fleet.counter AS c (name, labels, value)
       SELECT * FROM unnest($1::text[], $2::text[], $3::float8[])
       ON CONFLICT (name, labels) DO UPDATE SET value = c.value + excluded.value`,
      [
        pending.map(({ name }) => name),
        pending.map(({ labels }) => labels),
        pending.map(({ value }) => value),
      ],
    );
  } catch (error) {
    metrics.putBack(pending);
    throw error;
  }
}

export function readCounters(query: Query): Promise<Counter[]> {
  return query<Counter>("SELECT name, labels, value FROM suture_fleet.counter ORDER BY name, labels");
}
