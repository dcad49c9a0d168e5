import { accept, type Outcome, refuse } from "suture/text";
import type { Query } from "./database.ts";

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
 * Leases lines to a holder, or refuses with the current holders, like a conflict of the journal on one machine. The
 * database itself excludes overlapping leases, also between concurrent requests.
 */
export async function acquireLease(query: Query, wanted: LeaseRequest): Promise<Outcome<Lease>> {
  const { repository, path, startLine, endLine, holder } = wanted;
  if (!(startLine >= 1 && endLine >= startLine))
    return refuse({ code: "malformed", what: `lines ${startLine} to ${endLine} are no lines of a page` });
  const place = [repository, path, startLine, endLine] as const;
  await query(
    `DELETE FROM suture_fleet.lease WHERE repository = $1 AND path = $2 AND region && int8range($3, $4, '[]')
       AND (until < now() OR (holder = $5 AND region = int8range($3, $4, '[]')))`,
    [...place, holder],
  );
  const [lease] = (await insert(query, [wanted])) ?? [];
  if (lease) return accept(lease);
  return refuse({
    code: "conflict",
    path,
    detail: "another task holds these lines",
    with: await findRivals(query, place),
  });
}

/** Acquires as many leases as possible. Without conflicts, it takes one statement. */
export async function acquireLeases(query: Query, wanted: readonly LeaseRequest[]): Promise<Lease[]> {
  if (wanted.length === 0) return [];
  const all = await insert(query, wanted);
  if (all) return all;
  const had: Lease[] = [];
  for (const one of wanted) {
    const lease = await acquireLease(query, one);
    if (lease.ok) had.push(lease.value);
  }
  return had;
}

/** Inserts all leases, or returns null if one overlaps a lease of another holder. */
async function insert(query: Query, wanted: readonly LeaseRequest[]): Promise<Lease[] | null> {
  const of = <T>(pick: (one: LeaseRequest) => T): T[] => wanted.map(pick);
  try {
    return await query<Lease>(
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

async function findRivals(query: Query, place: readonly (string | number)[]) {
  const rows = await query<{
    task: string;
    entry: string;
    reason: string;
    startLine: number;
    endLine: number;
  }>(
    `SELECT holder AS task, fence::text AS entry, reason, lower(region)::int AS "startLine", (upper(region) - 1)::int AS "endLine"
     FROM suture_fleet.lease WHERE repository = $1 AND path = $2 AND region && int8range($3, $4, '[]') AND until >= now()
     ORDER BY region`,
    place,
  );
  return rows;
}

export async function releaseLeases(query: Query, fences: readonly number[]): Promise<number> {
  return (await query("DELETE FROM suture_fleet.lease WHERE fence = ANY($1) RETURNING 1", [fences])).length;
}

/** Releases all leases of a holder. */
export async function releaseHolder(query: Query, holder: string): Promise<void> {
  await query("DELETE FROM suture_fleet.lease WHERE holder = $1", [holder]);
}
