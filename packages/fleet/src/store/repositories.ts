import type { Address } from "../clones/address.ts";
import type { Query } from "./database.ts";
import type { RepositoryState } from "./repository-state.ts";
import { storableText } from "./storable.ts";

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
  /** Why it could not be worked on; null if it could. */
  readonly problem: string | null;
  readonly paused: boolean;
  /** The commit whose pages were surveyed, independently of a change; null if none was. */
  readonly surveyed: string | null;
  /** The passages that were false there, the pages that could not be judged, and since when the oldest is false. */
  readonly standing: number;
  readonly standing_unknown: number;
  readonly standing_since: Date | null;
  /** Why its edits are not published yet; null if no edits wait. */
  readonly waiting_for: WaitingReason | null;
  /** Its settings asked for a dashboard at the last check. */
  readonly wants_dashboard: boolean;
};

/**
 * `approval`: its settings ask for a dry run. `schedule`: not at this hour. `limit`: too many pull requests are open. `branch`:
 * our branch has a commit of a person, and no pull request is open from it.
 */
export type WaitingReason = "approval" | "schedule" | "limit" | "branch";

const columns =
  "id::int AS id, host, organisation, name, url, branch, sink, checked, base, state, drift, fence::int AS fence, problem, paused, surveyed, standing, standing_unknown, standing_since, waiting_for, wants_dashboard";

/**
 * Adds new repositories. Returns all of them, new or not. A repository that the host has renamed or moved keeps its row.
 */
export async function addRepositories(
  query: Query,
  addresses: readonly Address[],
  { sink = null }: { readonly sink?: string | null } = {},
): Promise<Repository[]> {
  const of = <T>(pick: (address: Address) => T) => addresses.map(pick);
  const given = [
    of(({ host }) => host),
    of(({ organisation }) => organisation),
    of(({ name }) => name),
    of(({ url }) => url),
    of(({ hostId = null }) => hostId),
  ];
  await followRenames(query, given);
  await query(
    `INSERT INTO suture_fleet.repository (host, organisation, name, url, host_id, sink)
     SELECT *, $6::text FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
    [...given, sink],
  );
  return query<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository r
     WHERE EXISTS (SELECT FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS g (host, organisation, name, url)
       WHERE g.url = r.url OR (g.host = r.host AND g.host <> 'local'
         AND lower(g.organisation) = lower(r.organisation) AND lower(g.name) = lower(r.name)))
     ORDER BY id`,
    given.slice(0, 4),
  );
}

/** A row that was added by the name of a repository that has another row, by the host's number of it, under its old name. */
const isDouble = `d.host = g.host AND d.host_id IS NULL AND d.host <> 'local'
  AND lower(d.organisation) = lower(g.organisation) AND lower(d.name) = lower(g.name)
  AND EXISTS (SELECT FROM suture_fleet.repository r WHERE r.host = g.host AND r.host_id = g.host_id AND r.id <> d.id)`;

/** Gives repositories that the host knows by another name now their new name and address. */
async function followRenames(query: Query, given: readonly unknown[]): Promise<void> {
  await query(
    `DELETE FROM suture_fleet.repository d
     USING unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS g (host, organisation, name, url, host_id)
     WHERE ${isDouble}`,
    given,
  );
  await query(
    `UPDATE suture_fleet.repository r SET state = 'new', due = now()
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS g (host, organisation, name, url, host_id)
     WHERE r.host = g.host AND r.host_id = g.host_id AND r.state = 'archived'`,
    given,
  );
  await query(
    `UPDATE suture_fleet.repository r SET organisation = g.organisation, name = g.name, url = g.url
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS g (host, organisation, name, url, host_id)
     WHERE r.host = g.host AND r.host_id = g.host_id AND (r.organisation, r.name) IS DISTINCT FROM (g.organisation, g.name)
       AND NOT EXISTS (SELECT FROM suture_fleet.repository o WHERE o.host = g.host AND o.id <> r.id
         AND lower(o.organisation) = lower(g.organisation) AND lower(o.name) = lower(g.name))`,
    given,
  );
  await query(
    `UPDATE suture_fleet.repository r SET host_id = g.host_id
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS g (host, organisation, name, url, host_id)
     WHERE r.host = g.host AND r.host_id IS NULL AND g.host_id IS NOT NULL
       AND lower(r.organisation) = lower(g.organisation) AND lower(r.name) = lower(g.name)`,
    given,
  );
}

/** Gives a repository the name that its host uses now, and remembers the host's number of it. */
export async function followRename(
  query: Query,
  { id, host, organisation, name, url }: Repository,
  now: { readonly organisation: string; readonly name: string; readonly hostId: string | null },
): Promise<void> {
  const isSame =
    organisation.toLowerCase() === now.organisation.toLowerCase() &&
    name.toLowerCase() === now.name.toLowerCase();
  const newUrl = isSame ? url : renameIn(url, `${organisation}/${name}`, `${now.organisation}/${now.name}`);
  if (!isSame)
    await query(
      `DELETE FROM suture_fleet.repository d USING (VALUES ($1::text, $2::text, $3::text, $4::text))
         AS g (host, organisation, name, host_id) WHERE ${isDouble}`,
      [host, now.organisation, now.name, now.hostId],
    );
  // Another repository that had the name before keeps it until its host tells us of its new one.
  await query(
    `UPDATE suture_fleet.repository r SET organisation = $2, name = $3, url = $4, host_id = coalesce($5, host_id)
     WHERE id = $1 AND (organisation, name, url, host_id) IS DISTINCT FROM ($2, $3, $4, coalesce($5, host_id))
       AND NOT EXISTS (SELECT FROM suture_fleet.repository o WHERE o.id <> r.id AND (o.url = $4 OR (o.host = r.host
         AND (o.host_id = $5 OR (lower(o.organisation) = lower($2) AND lower(o.name) = lower($3))))))`,
    [id, isSame ? organisation : now.organisation, isSame ? name : now.name, newUrl, now.hostId],
  );
}

/** The name is the last part of the address. The host before it may end alike, as in `github.com/com/com`. */
function renameIn(url: string, name: string, newName: string): string {
  const at = url.lastIndexOf(name);
  return at < 0 ? url : url.slice(0, at) + newName + url.slice(at + name.length);
}

/** Moves a repository to another address. Its history and its decisions stay. */
export async function moveRepository(query: Query, id: number, address: Address): Promise<Repository | null> {
  const { host, organisation, name, url } = address;
  const [row] = await query<Repository>(
    `WITH moved AS (
       UPDATE suture_fleet.repository r SET host = $2, organisation = $3, name = $4, url = $5, host_id = NULL,
         state = 'new', problem = NULL, failures = 0, due = now()
       WHERE id = $1 AND NOT EXISTS (SELECT FROM suture_fleet.repository o WHERE o.id <> $1 AND (o.url = $5
         OR (o.host = $2 AND lower(o.organisation) = lower($3) AND lower(o.name) = lower($4))))
       RETURNING ${columns}
     ), left_behind AS (
       -- Pull requests do not move to another host, where their numbers mean others.
       UPDATE suture_fleet.publication p SET outcome = 'moved' FROM moved JOIN suture_fleet.repository before USING (id)
       WHERE p.repository = moved.id AND before.host <> $2 AND p.outcome IS NULL
     )
     SELECT * FROM moved`,
    [id, host, organisation, name, url],
  );
  return row ?? null;
}

/** Removes a repository with its runs, reasons, publications and decisions. */
export async function removeRepository(query: Query, id: number): Promise<void> {
  await query("DELETE FROM suture_fleet.reason WHERE repository = $1", [id]);
  await query("DELETE FROM suture_fleet.repository WHERE id = $1", [id]);
}

/** A paused repository is not checked, and its running job is the last one. */
export async function setPaused(query: Query, id: number, paused: boolean): Promise<void> {
  await query(
    "UPDATE suture_fleet.repository SET paused = $2, due = CASE WHEN $2 THEN due ELSE now() END WHERE id = $1",
    [id, paused],
  );
}

/** The repositories called `organisation/name`: several if several hosts have one. */
export function findRepositories(query: Query, organisation: string, name: string): Promise<Repository[]> {
  return query<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository
     WHERE lower(organisation) = lower($1) AND lower(name) = lower($2) ORDER BY id`,
    [organisation, name],
  );
}

/** The repository that a webhook names: by the host's number of it, else by its name. */
export function findOnHost(
  query: Query,
  {
    host,
    organisation,
    name,
    hostId = null,
  }: Pick<Repository, "host" | "organisation" | "name"> & { readonly hostId?: string | null },
): Promise<Repository[]> {
  return query<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository WHERE host = $1 AND (host_id = $4
       OR (lower(organisation) = lower($2) AND lower(name) = lower($3)))
     ORDER BY (host_id = $4) DESC NULLS LAST LIMIT 1`,
    [host, organisation, name, hostId],
  );
}

export function listRepositories(query: Query, after = 0, most = 1000): Promise<Repository[]> {
  return query<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository WHERE id > $1 ORDER BY id LIMIT $2`,
    [after, most],
  );
}

/** The repositories whose `organisation/name` contains a text, in any case. */
export function findByText(
  query: Query,
  text: string,
  { most, state = "" }: { readonly most: number; readonly state?: string | undefined },
): Promise<Repository[]> {
  return query<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository
     WHERE ($1 = '' OR position(lower($1) IN lower(organisation || '/' || name)) > 0)
       AND ($3 = '' OR CASE WHEN $3 = 'paused' THEN paused ELSE state = $3 END)
     ORDER BY organisation, name LIMIT $2`,
    [text, most, state],
  );
}

/** The organisations that are listed, in lower case; null for all. */
export type Organisations = readonly string[] | null;

const isListed = "($1::text[] IS NULL OR lower(organisation) = ANY($1))";

export async function readRepository(query: Query, id: number): Promise<Repository | null> {
  const [row] = await query<Repository>(`SELECT ${columns} FROM suture_fleet.repository WHERE id = $1`, [id]);
  return row ?? null;
}

/** The repositories with the most false passages. */
export function listDrifted(
  query: Query,
  most: number,
  organisations: Organisations = null,
): Promise<Repository[]> {
  return query<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository WHERE ${isListed} AND drift + standing > 0
     ORDER BY drift + standing DESC, id LIMIT $2`,
    [organisations, most],
  );
}

export async function countRepositories(query: Query): Promise<number> {
  const [row] = await query<{ count: number }>("SELECT count(*)::int AS count FROM suture_fleet.repository");
  return row!.count;
}

export async function countStates(
  query: Query,
  organisations: Organisations = null,
): Promise<Readonly<Record<string, number>>> {
  const rows = await query<{ state: string; count: number }>(
    `SELECT state, count(*)::int AS count FROM suture_fleet.repository WHERE ${isListed} GROUP BY state ORDER BY state`,
    [organisations],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Takes the repositories that are due, and sets their next due time at once, so that each is taken once. */
export async function takeDue(query: Query, seconds: number, most: number): Promise<Repository[]> {
  return query<Repository>(
    `WITH due AS (
       SELECT id FROM suture_fleet.repository WHERE due <= now() AND NOT paused AND state NOT IN ('quarantined', 'archived')
       ORDER BY due LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     UPDATE suture_fleet.repository r
     SET due = now() + coalesce(r.every_hours * 3600, $1::float) * interval '1 second' * (0.9 + random() / 5) * 2 ^ least(greatest(r.failures - 2, 0), 5)
     FROM due WHERE r.id = due.id
     RETURNING r.id::int AS id, host, organisation, name, url, branch, sink, checked, base, state, drift, fence::int AS fence,
       problem, paused, surveyed, standing, standing_unknown, standing_since, waiting_for, wants_dashboard`,
    [seconds, most],
  );
}

/** The repository of a job. If `held` is false, another job has claimed it or its host is paused. */
export type ClaimedRepository = {
  readonly repository: Repository;
  readonly held: boolean;
  /** The host rests for so many seconds. */
  readonly restSeconds: number | null;
  /** The record of the run that the job continues. */
  readonly previous: unknown;
  /** The attempt before this one never ended: its worker died, or was out of touch for too long. */
  readonly isAbandoned: boolean;
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
  const [row] = await query<
    Repository & { held: string | null; rest: number | null; before: unknown; abandoned: boolean }
  >(
    `WITH served AS (
       UPDATE suture_fleet.desk SET turn = $4 WHERE turn < $4
     ), resting AS (
       SELECT greatest(h.away_until, CASE WHEN $6 THEN h.paused_until END) AS until
       FROM suture_fleet.host h JOIN suture_fleet.repository r ON r.id = $1
         AND starts_with(lower(r.host || '/' || r.organisation) || '/', h.name || '/')
       WHERE h.away_until > now() OR ($6 AND h.paused_until > now())
     ), held AS (
       UPDATE suture_fleet.repository r
       SET holder = $2, held_until = now() + $3 * interval '1 second', fence = r.fence + 1
       WHERE r.id = $1 AND (r.holder IS NULL OR r.holder = $2 OR r.held_until < now())
         AND NOT EXISTS (SELECT FROM resting)
       RETURNING r.id, r.fence
     )
     SELECT r.id::int AS id, r.host, organisation, r.name, url, branch, sink, checked, base, state, drift,
            coalesce(held.fence, r.fence)::int AS fence, held.fence AS held,
            problem, paused, surveyed, standing, standing_unknown, standing_since, waiting_for, wants_dashboard,
            (SELECT extract(epoch FROM max(until) - now())::float FROM resting) AS rest,
            (SELECT record FROM suture_fleet.run WHERE id = $5) AS before,
            r.holder IS NOT DISTINCT FROM $2 AS abandoned
     FROM suture_fleet.repository r
     LEFT JOIN held ON held.id = r.id WHERE r.id = $1`,
    [repository, job, seconds, turn, after, asksHost],
  );
  if (!row) return null;
  const { held, rest, before, abandoned, ...found } = row;
  return {
    repository: found,
    held: held !== null,
    restSeconds: rest,
    previous: before,
    isAbandoned: abandoned,
  };
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

/** Records why a repository could not be worked on, until the next job on it succeeds. */
export async function recordProblem(
  query: Query,
  id: number,
  { problem, state }: { readonly problem: string; readonly state: "failing" | "quarantined" },
): Promise<void> {
  await query(
    "UPDATE suture_fleet.repository SET state = $3, problem = $2, failures = failures + 1 WHERE id = $1",
    [id, storableText(problem), state],
  );
}

/** Lets a quarantined or failing repository be tried again at once. */
export async function clearProblem(query: Query, id: number): Promise<void> {
  await query(
    `UPDATE suture_fleet.repository SET problem = NULL, failures = 0, due = now(),
       state = CASE WHEN state IN ('failing', 'quarantined') THEN 'new' ELSE state END WHERE id = $1`,
    [id],
  );
}

/** Records what a host says about a repository: an archived or deleted one is left alone until it is active again. */
export async function recordChange(
  query: Query,
  id: number,
  now: "archived" | "deleted" | "active" | "renamed",
): Promise<void> {
  if (now === "renamed") return;
  if (now === "active")
    await query(
      "UPDATE suture_fleet.repository SET state = 'new', due = now() WHERE id = $1 AND state = 'archived'",
      [id],
    );
  else
    await query(
      "UPDATE suture_fleet.repository SET state = 'archived', problem = NULL, waiting_run = NULL, waiting_for = NULL WHERE id = $1",
      [id],
    );
}

/** The repositories that could not be worked on. */
export function listFailing(
  query: Query,
  most: number,
  organisations: Organisations = null,
): Promise<Repository[]> {
  return query<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository WHERE ${isListed} AND state IN ('failing', 'quarantined')
     ORDER BY id LIMIT $2`,
    [organisations, most],
  );
}

export async function isDraining(query: Query): Promise<boolean> {
  const [row] = await query<{ draining: boolean }>("SELECT draining FROM suture_fleet.desk");
  return row?.draining === true;
}

export async function setDraining(query: Query, draining: boolean): Promise<void> {
  await query("UPDATE suture_fleet.desk SET draining = $1", [draining]);
}
