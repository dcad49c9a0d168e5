import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Ask } from "./database.ts";

/** Lines of one page that one holder may edit for a while. The fence rises with every lease. */
export type Lease = {
  readonly fence: number;
  readonly repository: number;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly holder: string;
  readonly until: Date;
};

export type LeaseRequest = {
  readonly repository: number;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly holder: string;
  readonly reason: string;
  readonly seconds: number;
};

const overlapping = "23P01";

/**
 * Takes lines for a holder, or names who has them: the conflict that the journal answers with on one machine. The
 * database itself keeps two leases from overlapping, however many ask at once.
 */
export async function acquireLease(ask: Ask, wanted: LeaseRequest): Promise<Outcome<Lease>> {
  const { repository, path, startLine, endLine, holder } = wanted;
  if (!(startLine >= 1 && endLine >= startLine))
    return refuse({ code: "malformed", what: `lines ${startLine} to ${endLine} are no lines of a page` });
  const place = [repository, path, startLine, endLine] as const;
  await ask(
    `DELETE FROM suture_fleet.lease WHERE repository = $1 AND path = $2 AND region && int8range($3, $4, '[]')
       AND (until < now() OR (holder = $5 AND region = int8range($3, $4, '[]')))`,
    [...place, holder],
  );
  const [lease] = (await insert(ask, [wanted])) ?? [];
  if (lease) return accept(lease);
  return refuse({
    code: "conflict",
    path,
    detail: "another task holds these lines",
    with: await findRivals(ask, place),
  });
}

/** Several at once: those that can be had. Where nobody is in the way, that is one statement. */
export async function acquireLeases(ask: Ask, wanted: readonly LeaseRequest[]): Promise<Lease[]> {
  if (wanted.length === 0) return [];
  const all = await insert(ask, wanted);
  if (all) return all;
  const had: Lease[] = [];
  for (const one of wanted) {
    const lease = await acquireLease(ask, one);
    if (lease.ok) had.push(lease.value);
  }
  return had;
}

/** All of them, or null where one overlaps another's. */
async function insert(ask: Ask, wanted: readonly LeaseRequest[]): Promise<Lease[] | null> {
  const of = <T>(pick: (one: LeaseRequest) => T): T[] => wanted.map(pick);
  try {
    return await ask<Lease>(
      `INSERT INTO suture_fleet.lease (repository, path, region, holder, reason, until)
       SELECT w.repository, w.path, int8range(w.first, w.last, '[]'), w.holder, w.reason, now() + w.seconds * interval '1 second'
       FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::int[])
         AS w (repository, path, first, last, holder, reason, seconds)
       RETURNING fence::int AS fence, repository::int AS repository, path, lower(region)::int AS "startLine",
         (upper(region) - 1)::int AS "endLine", holder, until`,
      [
        of(({ repository }) => repository),
        of(({ path }) => path),
        of(({ startLine }) => startLine),
        of(({ endLine }) => endLine),
        of(({ holder }) => holder),
        of(({ reason }) => reason),
        of(({ seconds }) => seconds),
      ],
    );
  } catch (error) {
    if ((error as { code?: string }).code === overlapping) return null;
    throw error;
  }
}

async function findRivals(ask: Ask, place: readonly (string | number)[]) {
  const rows = await ask<{ task: string; entry: string; reason: string; startLine: number; endLine: number }>(
    `SELECT holder AS task, fence::text AS entry, reason, lower(region)::int AS "startLine", (upper(region) - 1)::int AS "endLine"
     FROM suture_fleet.lease WHERE repository = $1 AND path = $2 AND region && int8range($3, $4, '[]') AND until >= now()
     ORDER BY region`,
    place,
  );
  return rows;
}

/** Whether a lease still counts: asked before everything that cannot be taken back. */
export async function holdsLease(ask: Ask, { fence }: Pick<Lease, "fence">): Promise<boolean> {
  return (
    (await ask("SELECT FROM suture_fleet.lease WHERE fence = $1 AND until >= now()", [fence])).length > 0
  );
}

export async function releaseLeases(ask: Ask, fences: readonly number[]): Promise<number> {
  return (await ask("DELETE FROM suture_fleet.lease WHERE fence = ANY($1) RETURNING 1", [fences])).length;
}

/** Gives back everything a holder has. */
export async function releaseHolder(ask: Ask, holder: string): Promise<void> {
  await ask("DELETE FROM suture_fleet.lease WHERE holder = $1", [holder]);
}
