import type { Address } from "../clones/address.ts";
import type { Ask } from "./database.ts";

/** A repository of the fleet, and how it stands. */
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
  /** The last commit whose pages were true, as far as was told. */
  readonly base: string | null;
  readonly state: RepositoryState;
  readonly drift: number;
  readonly fence: number;
};

/** `open`: edits are published and wait for people. `unknown`: something could not be looked at. */
export type RepositoryState = "new" | "clean" | "drifted" | "open" | "unknown" | "failing";

const columns =
  "id::int AS id, host, organisation, name, url, branch, sink, checked, base, state, drift, fence::int AS fence";

/** Adds those that are not there yet; answers with all of them. */
export async function addRepositories(
  ask: Ask,
  addresses: readonly Address[],
  { sink = null }: { readonly sink?: string | null } = {},
): Promise<Repository[]> {
  const of = (pick: (address: Address) => string) => addresses.map(pick);
  await ask(
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
  return ask<Repository>(`SELECT ${columns} FROM suture_fleet.repository WHERE url = ANY($1) ORDER BY id`, [
    of(({ url }) => url),
  ]);
}

/** The one repository called `organisation/name`, whatever its host; several answer where hosts share a name. */
export function findRepositories(ask: Ask, organisation: string, name: string): Promise<Repository[]> {
  return ask<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository WHERE organisation = $1 AND name = $2 ORDER BY id`,
    [organisation, name],
  );
}

export function findOn(ask: Ask, host: string, organisation: string, name: string): Promise<Repository[]> {
  return ask<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository WHERE host = $1 AND organisation = $2 AND name = $3`,
    [host, organisation, name],
  );
}

export function listRepositories(ask: Ask, after = 0, most = 1000): Promise<Repository[]> {
  return ask<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository WHERE id > $1 ORDER BY id LIMIT $2`,
    [after, most],
  );
}

/** Those with the most passages that are not true, and how many there are. */
export function listDrifted(ask: Ask, most: number): Promise<Repository[]> {
  return ask<Repository>(
    `SELECT ${columns} FROM suture_fleet.repository WHERE drift > 0 ORDER BY drift DESC, id LIMIT $1`,
    [most],
  );
}

export async function countStates(ask: Ask): Promise<Readonly<Record<string, number>>> {
  const rows = await ask<{ state: string; count: number }>(
    "SELECT state, count(*)::int AS count FROM suture_fleet.repository GROUP BY state ORDER BY state",
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Those whose next round has come; their round after that is put off at once, so that nobody takes them twice. */
export async function takeDue(ask: Ask, seconds: number, most: number): Promise<Repository[]> {
  return ask<Repository>(
    `WITH due AS (
       SELECT id FROM suture_fleet.repository WHERE due <= now() ORDER BY due LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     UPDATE suture_fleet.repository r SET due = now() + $1 * interval '1 second' * (0.9 + random() / 5)
     FROM due WHERE r.id = due.id
     RETURNING r.id::int AS id, host, organisation, name, url, branch, sink, checked, base, state, drift, fence::int AS fence`,
    [seconds, most],
  );
}

/** What a job finds when it begins. Without `held` somebody else works on the repository. */
export type Begun = {
  readonly repository: Repository;
  readonly held: boolean;
  /** The host wants to be left alone until then. */
  readonly pausedUntil: Date | null;
  /** The record of the run that the job goes on with. */
  readonly before: unknown;
};

/**
 * Begins a job: takes the repository, unless another job has it or its host is resting, and moves the turn on. Whoever
 * held it before under the same job, or for too long, can no longer write: the number has risen.
 */
export async function begin(
  ask: Ask,
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
): Promise<Begun | null> {
  const [row] = await ask<Repository & { held: string | null; paused_until: Date | null; before: unknown }>(
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
  return { repository: found, held: held !== null, pausedUntil: paused_until, before };
}

/** Gives a repository back. Nothing happens where somebody else has it by now. */
export async function release(ask: Ask, { id, fence }: Repository): Promise<void> {
  await ask(
    "UPDATE suture_fleet.repository SET holder = NULL, held_until = '-infinity' WHERE id = $1 AND fence = $2",
    [id, fence],
  );
}

/** Keeps repositories for another while. */
export async function keep(ask: Ask, held: readonly Repository[], seconds: number): Promise<void> {
  await ask(
    `UPDATE suture_fleet.repository r SET held_until = now() + $3 * interval '1 second'
     FROM unnest($1::bigint[], $2::bigint[]) AS h (id, fence) WHERE r.id = h.id AND r.fence = h.fence`,
    [held.map(({ id }) => id), held.map(({ fence }) => fence), seconds],
  );
}

/** A host that asked to be left alone is, by everybody. */
export async function pauseHost(ask: Ask, host: string, until: Date): Promise<void> {
  await ask(
    `INSERT INTO suture_fleet.host AS h (name, paused_until) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET paused_until = greatest(h.paused_until, excluded.paused_until)`,
    [host, until],
  );
}

/** Hosts that rest at the moment. */
export function listPaused(ask: Ask): Promise<{ readonly name: string; readonly paused_until: Date }[]> {
  return ask("SELECT name, paused_until FROM suture_fleet.host WHERE paused_until > now() ORDER BY name");
}

/** A repository that could not be worked on is shown as such until it can. */
export async function markFailing(ask: Ask, id: number): Promise<void> {
  await ask("UPDATE suture_fleet.repository SET state = 'failing' WHERE id = $1", [id]);
}

export async function isDraining(ask: Ask): Promise<boolean> {
  const [row] = await ask<{ draining: boolean }>("SELECT draining FROM suture_fleet.desk");
  return row?.draining === true;
}

export async function setDraining(ask: Ask, draining: boolean): Promise<void> {
  await ask("UPDATE suture_fleet.desk SET draining = $1", [draining]);
}
