import type { Query } from "./database.ts";

/** A paused host: `busy` while its API limits us, `away` while it cannot be reached, `token` while it refuses ours. */
export type RestingHost = {
  readonly name: string;
  readonly paused_until: Date;
  readonly why: string | null;
};

/** Pauses a host's API for all workers. The database's clock counts. Returns the seconds that are left. */
export async function pauseHost(query: Query, host: string, seconds: number, why = "busy"): Promise<number> {
  const [row] = await query<{ left: number }>(
    `INSERT INTO suture_fleet.host AS h (name, paused_until, why) VALUES ($1, now() + $2 * interval '1 second', $3)
     ON CONFLICT (name) DO UPDATE SET paused_until = greatest(h.paused_until, excluded.paused_until), why = excluded.why
     RETURNING extract(epoch FROM paused_until - now())::float AS left`,
    [host, seconds, why],
  );
  return row!.left;
}

const firstRest = 30;
const longestRest = 900;

/**
 * Pauses a host that cannot be reached, longer each time. Returns the seconds that are left, or null if another job
 * reached the host in the last five minutes: then the fault is the repository's.
 */
export async function restHost(query: Query, host: string): Promise<number | null> {
  const [row] = await query<{ left: number }>(
    `INSERT INTO suture_fleet.host AS h (name, away_until, outages, why)
     VALUES ($1, now() + $2 * interval '1 second', 1, 'away')
     ON CONFLICT (name) DO UPDATE SET
       outages = h.outages + (h.away_until <= now())::int,
       away_until = CASE WHEN h.away_until > now() THEN h.away_until
         ELSE now() + least($3, $2 * 2 ^ least(h.outages, 10)) * interval '1 second' END,
       why = 'away'
     WHERE h.reached IS NULL OR h.reached < now() - interval '5 minutes'
     RETURNING extract(epoch FROM away_until - now())::float AS left`,
    [host, firstRest, longestRest],
  );
  return row?.left ?? null;
}

/** Records that a host answered. */
export async function recordReached(query: Query, host: string): Promise<void> {
  await query(
    `INSERT INTO suture_fleet.host (name, reached) VALUES ($1, now())
     ON CONFLICT (name) DO UPDATE SET reached = now(), outages = 0, away_until = '-infinity'`,
    [host],
  );
}

/** Ends the pause of a host. Returns whether it was paused. */
export async function resumeHost(query: Query, host: string): Promise<boolean> {
  const rows = await query(
    `UPDATE suture_fleet.host SET paused_until = '-infinity', away_until = '-infinity', outages = 0
     WHERE name = $1 AND (paused_until > now() OR away_until > now()) RETURNING 1`,
    [host],
  );
  return rows.length > 0;
}

/** The paused hosts. */
export function listPaused(query: Query): Promise<RestingHost[]> {
  return query<RestingHost>(
    `SELECT name, greatest(paused_until, away_until) AS paused_until, why FROM suture_fleet.host
     WHERE paused_until > now() OR away_until > now() ORDER BY name`,
  );
}
