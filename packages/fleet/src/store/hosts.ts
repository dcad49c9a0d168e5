import type { Query } from "./database.ts";

/**
 * A paused host, or one owner on it such as `github.com/acme` if that has a credential of its own: `busy` while the API
 * limits us, `away` while it cannot be reached, `token` while it refuses ours.
 */
export type RestingHost = {
  readonly name: string;
  readonly paused_until: Date;
  readonly why: string | null;
};

/** A host that asks for a longer pause is asked again after this time, in seconds. */
const longestPause = 86_400;

/** Pauses a host's API for all workers. The database's clock counts. Returns the seconds that are left. */
export async function pauseHost(query: Query, host: string, seconds: number, why = "busy"): Promise<number> {
  const [row] = await query<{ left: number }>(
    `INSERT INTO suture_fleet.host AS h (name, paused_until, why) VALUES ($1, now() + $2 * interval '1 second', $3)
     ON CONFLICT (name) DO UPDATE SET paused_until = greatest(h.paused_until, excluded.paused_until), why = excluded.why
     RETURNING extract(epoch FROM paused_until - now())::float AS left`,
    [host, Math.min(seconds, longestPause), why],
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

/** Ends the pause of a host and of its owners, or of one owner. Returns whether any was paused. */
export async function resumeHost(query: Query, scope: string): Promise<boolean> {
  const rows = await query(
    `UPDATE suture_fleet.host SET paused_until = '-infinity', away_until = '-infinity', outages = 0
     WHERE starts_with(name || '/', lower($1) || '/') AND (paused_until > now() OR away_until > now()) RETURNING 1`,
    [scope],
  );
  return rows.length > 0;
}

/**
 * Reserves requests that write, so that all workers together keep to a host's limit. Returns null if they may be sent
 * now, or the seconds to wait; then nothing is reserved. At most the requests of one minute are saved up.
 */
export async function reserveWrites(
  query: Query,
  scope: string,
  { writes, perMinute }: { readonly writes: number; readonly perMinute: number },
): Promise<number | null> {
  const cost = Math.min(60, (writes * 60) / perMinute);
  const rows = await query(
    `INSERT INTO suture_fleet.host AS h (name, writes_until) VALUES ($1, now() + $2 * interval '1 second')
     ON CONFLICT (name) DO UPDATE SET writes_until = greatest(h.writes_until, now()) + $2 * interval '1 second'
       WHERE greatest(h.writes_until, now()) + $2 * interval '1 second' <= now() + interval '1 minute'
     RETURNING 1`,
    [scope, cost],
  );
  if (rows.length > 0) return null;
  const [row] = await query<{ wait: number }>(
    "SELECT extract(epoch FROM writes_until - now())::float + $2 - 60 AS wait FROM suture_fleet.host WHERE name = $1",
    [scope, cost],
  );
  return Math.max(0.1, row!.wait);
}

/** The paused hosts. */
export function listPaused(query: Query): Promise<RestingHost[]> {
  return query<RestingHost>(
    `SELECT name, greatest(paused_until, away_until) AS paused_until, why FROM suture_fleet.host
     WHERE paused_until > now() OR away_until > now() ORDER BY name`,
  );
}
