import { accept, type Outcome, refuse } from "../text/outcome.ts";
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
  const { repository, path, startLine, endLine, holder, reason, seconds } = wanted;
  if (!(startLine >= 1 && endLine >= startLine))
    return refuse({ code: "malformed", what: `lines ${startLine} to ${endLine} are no lines of a page` });
  const place = [repository, path, startLine, endLine] as const;
  await ask(
    `DELETE FROM suture_fleet.lease WHERE repository = $1 AND path = $2 AND region && int8range($3, $4, '[]')
       AND (until < now() OR (holder = $5 AND region = int8range($3, $4, '[]')))`,
    [...place, holder],
  );
  try {
    const [row] = await ask<{ fence: number; until: Date }>(
      `INSERT INTO suture_fleet.lease (repository, path, region, holder, reason, until)
       VALUES ($1, $2, int8range($3, $4, '[]'), $5, $6, now() + $7 * interval '1 second')
       RETURNING fence::int AS fence, until`,
      [...place, holder, reason, seconds],
    );
    return accept({ ...row!, repository, path, startLine, endLine, holder });
  } catch (error) {
    if ((error as { code?: string }).code !== overlapping) throw error;
    return refuse({
      code: "conflict",
      path,
      detail: "another task holds these lines",
      with: await findRivals(ask, place),
    });
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
