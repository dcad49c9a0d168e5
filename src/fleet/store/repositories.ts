import type { Address } from "../clones/address.ts";
import type { Query } from "./database.ts";

/** A repository of the fleet and its status. */
export type Repository = {
  readonly id: number;
  readonly host: string;
  readonly organisation: string;
  readonly name: string;
  readonly url: string;
  readonly branch: string | null;
  readonly sink: string | null;
  /** The commit that was checked last. */
  readonly checked: string | null;
  /** The last commit without findings. */
  readonly base: string | null;
  readonly state: RepositoryState;
  readonly drift: number;
  readonly fence: number;
};

/** `open`: edits are published and wait for people. `unknown`: a file could not be checked. */
export type RepositoryState = "new" | "clean" | "drifted" | "open" | "unknown" | "failing";

const columns =
  "id::int AS id, host, organisation, name, url, branch, sink, checked, base, state, drift, fence::int AS fence";

/** Adds new repositories. Returns all of them, new or not. */
export async function addRepositories(
  query: Query,
  addresses: readonly Address[],
  { sink = null }: { readonly sink?: string | null } = {},
): Promise<Repository[]> {
  const of = (pick: (address: Address) => string) => addresses.map(pick);
  await query(
    `INSERT INTO suture_fleet.repository (host, organisation, name, url, sink)
     SELECT *, $5::text FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) ON CONFLICT DO NOTHING`,
    [
      of(({ host }) => host),
      of(({ organisation }) => organisation),
      of(({ name }) => name),
      of(({ url }) => url),
      sink,
    ],
  );
  return query<Repository>(`SELECT ${columns} FROM suture_fleet.repository WHERE url = ANY($1) ORDER BY id`, [
    of(({ url }) => url),
  ]);
}

/** The repositories called `organisation/name`: several if several hosts have one. */
export function findRepositories(query: Query, organisation: string, name: string): Promise<Repository[]> {
  return query<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository WHERE organisation = $1 AND name = $2 ORDER BY id`,
    [organisation, name],
  );
}

export function findOnHost(
  query: Query,
  { host, organisation, name }: Pick<Repository, "host" | "organisation" | "name">,
): Promise<Repository[]> {
  return query<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository WHERE host = $1 AND organisation = $2 AND name = $3`,
    [host, organisation, name],
  );
}

export function listRepositories(query: Query, after = 0, most = 1000): Promise<Repository[]> {
  return query<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository WHERE id > $1 ORDER BY id LIMIT $2`,
    [after, most],
  );
}

/** The repositories with the most false passages. */
export function listDrifted(query: Query, most: number): Promise<Repository[]> {
  return query<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository WHERE drift > 0 ORDER BY drift DESC, id LIMIT $1`,
    [most],
  );
}

export async function countStates(query: Query): Promise<Readonly<Record<string, number>>> {
  const rows = await query<{ state: string; count: number }>(
    "SELECT state, count(*)::int AS count FROM suture_fleet.repository GROUP BY state ORDER BY state",
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Takes the repositories that are due, and sets their next due time at once, so that each is taken once. */
export async function takeDue(query: Query, seconds: number, most: number): Promise<Repository[]> {
  return query<Repository>(
    `WITH due AS (
       SELECT id FROM suture_fleet.repository WHERE due <= now() ORDER BY due LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     UPDATE suture_fleet.repository r SET due = now() + $1 * interval '1 second' * (0.9 + random() / 5)
     FROM due WHERE r.id = due.id
     RETURNING r.id::int AS id, host, organisation, name, url, branch, sink, checked, base, state, drift, fence::int AS fence`,
    [seconds, most],
  );
}

/** The repository of a job. If `held` is false, another job has claimed it or its host is paused. */
export type ClaimedRepository = {
  readonly repository: Repository;
  readonly held: boolean;
  /** The host is paused until then. */
  readonly pausedUntil: Date | null;
  /** The record of the run that the job continues. */
  readonly previous: unknown;
};

/**
 * Claims the repository of a job, unless another job has it or its host is paused, and records the turn being served.
 * An earlier claim of the same job, or an expired one, can no longer write: its fencing token is too old.
 */
export async function claimRepository(
  query: Query,
  {
    repository,
    job,
    seconds,
    turn,
    after,
    asksHost,
  }: {
    repository: number;
    job: string;
    seconds: number;
    turn: number;
    after: string | null;
    asksHost: boolean;
  },
): Promise<ClaimedRepository | null> {
  const [row] = await query<Repository & { held: string | null; paused_until: Date | null; before: unknown }>(
    `WITH served AS (
       UPDATE suture_fleet.desk SET turn = $4 WHERE turn < $4
     ), held AS (
       UPDATE suture_fleet.repository r
       SET holder = $2, held_until = now() + $3 * interval '1 second', fence = r.fence + 1
       WHERE r.id = $1 AND (r.holder IS NULL OR r.holder = $2 OR r.held_until < now())
         AND NOT ($6 AND EXISTS (SELECT FROM suture_fleet.host h WHERE h.name = r.host AND h.paused_until > now()))
       RETURNING r.id, r.fence
     )
     SELECT r.id::int AS id, r.host, organisation, r.name, url, branch, sink, checked, base, state, drift,
            coalesce(held.fence, r.fence)::int AS fence, held.fence AS held,
            CASE WHEN $6 AND h.paused_until > now() THEN h.paused_until END AS paused_until,
            (SELECT record FROM suture_fleet.run WHERE id = $5) AS before
     FROM suture_fleet.repository r
     LEFT JOIN held ON held.id = r.id LEFT JOIN suture_fleet.host h ON h.name = r.host
     WHERE r.id = $1`,
    [repository, job, seconds, turn, after, asksHost],
  );
  if (!row) return null;
  const { held, paused_until, before, ...found } = row;
  return { repository: found, held: held !== null, pausedUntil: paused_until, previous: before };
}

/** Releases a repository. Does nothing if another job has claimed it meanwhile. */
export async function releaseRepository(query: Query, { id, fence }: Repository): Promise<void> {
  await query(
    "UPDATE suture_fleet.repository SET holder = NULL, held_until = '-infinity' WHERE id = $1 AND fence = $2",
    [id, fence],
  );
}

/** Extends the claims on repositories. */
export async function extendClaims(
  query: Query,
  held: readonly Repository[],
  seconds: number,
): Promise<void> {
  await query(
    `UPDATE suture_fleet.repository r SET held_until = now() + $3 * interval '1 second'
     FROM unnest($1::bigint[], $2::bigint[]) AS h (id, fence) WHERE r.id = h.id AND r.fence = h.fence`,
    [held.map(({ id }) => id), held.map(({ fence }) => fence), seconds],
  );
}

/** Pauses a host for all workers. */
export async function pauseHost(query: Query, host: string, until: Date): Promise<void> {
  await query(
    `INSERT INTO suture_fleet.host AS h (name, paused_until) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET paused_until = greatest(h.paused_until, excluded.paused_until)`,
    [host, until],
  );
}

/** The hosts that are paused. */
export function listPaused(query: Query): Promise<{ readonly name: string; readonly paused_until: Date }[]> {
  return query("SELECT name, paused_until FROM suture_fleet.host WHERE paused_until > now() ORDER BY name");
}

/** Marks a repository as failing until the next job on it succeeds. */
export async function markFailing(query: Query, id: number): Promise<void> {
  await query("UPDATE suture_fleet.repository SET state = 'failing' WHERE id = $1", [id]);
}

export async function isDraining(query: Query): Promise<boolean> {
  const [row] = await query<{ draining: boolean }>("SELECT draining FROM suture_fleet.desk");
  return row?.draining === true;
}

export async function setDraining(query: Query, draining: boolean): Promise<void> {
  await query("UPDATE suture_fleet.desk SET draining = $1", [draining]);
}
