import type { Query } from "./database.ts";
import type { Repository } from "./repositories.ts";

/** Records whether people merged or closed a pull request of ours. The findings of a closed one are declined. */
export async function recordOutcome(
  query: Query,
  { repository, url, outcome }: { repository: number; url: string; outcome: "merged" | "closed" },
): Promise<void> {
  await query(
    `WITH decided AS (
       UPDATE suture_fleet.publication SET outcome = $3
       WHERE repository = $1 AND url = $2 AND state = 'confirmed' AND outcome IS NULL RETURNING run
     )
     INSERT INTO suture_fleet.declined (repository, finding)
     SELECT DISTINCT $1::bigint, s.finding FROM suture_fleet.reason s JOIN decided ON s.run = decided.run
     WHERE $3 = 'closed' AND s.fixed
     ON CONFLICT DO NOTHING`,
    [repository, url, outcome],
  );
}

/** The findings whose edits people declined. A finding has a new id when its passage or its cause changes. */
export async function declinedFindings(query: Query, repository: number): Promise<ReadonlySet<string>> {
  const rows = await query<{ finding: string }>(
    "SELECT finding FROM suture_fleet.declined WHERE repository = $1",
    [repository],
  );
  return new Set(rows.map(({ finding }) => finding));
}

/** The last pull request of ours whose outcome is not known. */
export async function findUndecided(query: Query, { id }: Pick<Repository, "id">): Promise<string | null> {
  const [row] = await query<{ url: string }>(
    `SELECT url FROM suture_fleet.publication
     WHERE repository = $1 AND kind = 'request' AND state = 'confirmed' AND outcome IS NULL AND url <> ''
     ORDER BY confirmed DESC LIMIT 1`,
    [id],
  );
  return row?.url ?? null;
}

/** Records that we close our pull requests ourselves, because nothing is left to fix: no person declined them. */
export async function recordWithdrawal(query: Query, { id }: Pick<Repository, "id">): Promise<void> {
  await query(
    `UPDATE suture_fleet.publication SET outcome = 'withdrawn'
     WHERE repository = $1 AND kind = 'request' AND state = 'confirmed' AND outcome IS NULL`,
    [id],
  );
}
