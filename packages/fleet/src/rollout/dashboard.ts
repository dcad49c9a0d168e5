import type { Query } from "../store/database.ts";
import { declinedFindings } from "../store/decisions.ts";
import { listOpenRequests } from "../store/publications.ts";
import type { Repository } from "../store/repositories.ts";
import type { DashboardContents, DashboardPassage } from "../wording/dashboard.ts";
import { readPreview } from "./preview.ts";

const mostListed = 100;

/** The lists of a repository's dashboard. Each passage is in one list. */
export async function readDashboard(query: Query, held: Repository): Promise<DashboardContents> {
  const [preview] = await readPreview(query, { repository: held.id });
  const requests = await listOpenRequests(query, held);
  const declined = await declinedFindings(query, held.id);
  const waiting = (preview?.findings ?? []).filter(({ isApproved }) => !isApproved);
  const shown = new Set([
    ...declined,
    ...requests.flatMap(({ findings }) => findings ?? []),
    ...(preview?.findings ?? []).map(({ id }) => id),
  ]);
  const found = await lastFindings(query, held);
  return {
    waiting: waiting.slice(0, mostListed),
    requests: requests.map(({ url }) => url),
    left: found.filter(({ id, tier }) => tier !== "possible" && !shown.has(id)).slice(0, mostListed),
    dismissed: found.filter(({ id }) => declined.has(id)).slice(0, mostListed),
  };
}

/** The findings of the last check of the main branch. */
function lastFindings(query: Query, { id }: Repository): Promise<DashboardPassage[]> {
  return query<DashboardPassage>(
    `SELECT DISTINCT ON (path, start_line, finding) finding AS id, path, start_line AS "startLine", tier, message
     FROM suture_fleet.reason WHERE run = (
       SELECT id FROM suture_fleet.run WHERE repository = $1 AND kind = 'check' AND state = 'done' AND request IS NULL
       ORDER BY ended DESC LIMIT 1)
     ORDER BY path, start_line, finding`,
    [id],
  );
}
