import type { SettingsScope } from "../settings/stored-settings.ts";
import type { Query } from "./database.ts";
import { isOpenRequest, numberOf } from "./publications.ts";
import type { Repository } from "./repositories.ts";

/** Records whether people merged or closed a pull request of ours. The findings of a closed one are declined. */
export async function recordOutcome(
  query: Query,
  { repository, url, outcome }: { repository: number; url: string; outcome: "merged" | "closed" },
): Promise<void> {
  await query(
    `WITH decided AS (
       UPDATE suture_fleet.publication SET outcome = $3
       WHERE repository = $1 AND ${isMeant} AND state = 'confirmed' AND outcome IS NULL RETURNING run, findings
     )
     INSERT INTO suture_fleet.declined (repository, finding)
     SELECT $1::bigint, finding FROM (
       SELECT unnest(findings) AS finding FROM decided
       UNION SELECT s.finding FROM suture_fleet.reason s JOIN decided ON s.run = decided.run
       WHERE decided.findings IS NULL AND s.fixed) f
     WHERE $3 = 'closed'
     ON CONFLICT DO NOTHING`,
    [repository, url, outcome],
  );
  // Its edits are no longer open. What was false is still false.
  if (outcome === "closed")
    await query(
      `UPDATE suture_fleet.repository r SET state = 'drifted' WHERE id = $1 AND state = 'open' AND NOT EXISTS (
         SELECT FROM suture_fleet.publication p WHERE p.repository = r.id AND ${isOpenRequest})`,
      [repository],
    );
  // A limit of open pull requests may allow another one now.
  await query(
    `UPDATE suture_fleet.repository SET waiting_until = now() WHERE waiting_for = 'limit'
       AND lower(organisation) = (SELECT lower(organisation) FROM suture_fleet.repository WHERE id = $1)`,
    [repository],
  );
}

/** The rows of the pull request with the address `$2`. */
const isMeant = `kind = 'request' AND ${numberOf("url")} = ${numberOf("$2::text")}`;

/** Records that people opened a pull request of ours again. What they declined by closing it is no longer declined. */
export async function recordReopening(
  query: Query,
  { repository, url }: { readonly repository: number; readonly url: string },
): Promise<void> {
  const rows = await query(
    `WITH reopened AS (
       UPDATE suture_fleet.publication SET outcome = NULL
       WHERE repository = $1 AND ${isMeant} AND state = 'confirmed' AND outcome = 'closed' RETURNING run, findings
     ), restored AS (
       DELETE FROM suture_fleet.declined WHERE repository = $1 AND by IS NULL AND finding IN (
         SELECT unnest(findings) FROM reopened
         UNION SELECT s.finding FROM suture_fleet.reason s JOIN reopened ON s.run = reopened.run
         WHERE reopened.findings IS NULL AND s.fixed)
     )
     SELECT FROM reopened`,
    [repository, url],
  );
  if (rows.length > 0)
    await query("UPDATE suture_fleet.repository SET state = 'open' WHERE id = $1 AND state = 'drifted'", [
      repository,
    ]);
}

/** The findings whose edits people declined. A finding has a new id when its passage or its cause changes. */
export async function declinedFindings(query: Query, repository: number): Promise<ReadonlySet<string>> {
  return findingsIn(query, "declined", repository);
}

/** The findings whose edits a person approved for publication. */
export async function approvedFindings(query: Query, repository: number): Promise<ReadonlySet<string>> {
  return findingsIn(query, "approved", repository);
}

async function findingsIn(
  query: Query,
  table: "declined" | "approved",
  repository: number,
): Promise<ReadonlySet<string>> {
  const rows = await query<{ finding: string }>(
    `SELECT finding FROM suture_fleet.${table} WHERE repository = $1`,
    [repository],
  );
  return new Set(rows.map(({ finding }) => finding));
}

/** Records findings that a person dismissed. Returns those that were not dismissed before. */
export async function declineFindings(
  query: Query,
  repository: number,
  {
    findings,
    by,
    reason,
  }: { readonly findings: readonly string[]; readonly by: string; readonly reason: string },
): Promise<number> {
  const rows = await query(
    `INSERT INTO suture_fleet.declined (repository, finding, by, reason)
     SELECT $1, finding, $3, $4 FROM unnest($2::text[]) AS f (finding) ON CONFLICT DO NOTHING RETURNING 1`,
    [repository, findings, by, reason],
  );
  return rows.length;
}

/** Takes dismissals back: the passages may be proposed again. Returns those that were dismissed. */
export async function restoreFindings(
  query: Query,
  repository: number,
  findings: readonly string[],
): Promise<number> {
  const rows = await query(
    "DELETE FROM suture_fleet.declined WHERE repository = $1 AND finding = ANY($2) RETURNING 1",
    [repository, findings],
  );
  return rows.length;
}

/** Approves findings for publication. */
export async function approveFindings(
  query: Query,
  repository: number,
  { findings, by }: { readonly findings: readonly string[]; readonly by: string },
): Promise<void> {
  await query(
    `INSERT INTO suture_fleet.approved (repository, finding, by)
     SELECT $1, finding, $3 FROM unnest($2::text[]) AS f (finding) ON CONFLICT DO NOTHING`,
    [repository, findings, by],
  );
  await wakeWaiting(query, { repository });
}

/** Records that we close a pull request ourselves, because nothing of it is left to fix: no person declined it. */
export async function recordWithdrawal(
  query: Query,
  { id }: Pick<Repository, "id">,
  { url, state }: { readonly url: string; readonly state: "withdrawing" | "withdrawn" },
): Promise<void> {
  await query(
    `UPDATE suture_fleet.publication SET outcome = $3
     WHERE repository = $1 AND ${isMeant} AND state = 'confirmed'
       AND (outcome IS NULL OR outcome = 'withdrawing')`,
    [id, url, state],
  );
}

/** Lets the edits that wait in a scope be looked at again now. */
export async function wakeWaiting(query: Query, scope: SettingsScope): Promise<void> {
  const wake = "UPDATE suture_fleet.repository SET waiting_until = now() WHERE waiting_run IS NOT NULL";
  if (scope === "fleet") await query(wake);
  else if ("repository" in scope) await query(`${wake} AND id = $1`, [scope.repository]);
  else await query(`${wake} AND lower(organisation) = lower($1)`, [scope.organisation]);
}
