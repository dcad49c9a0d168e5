import type { NewJob } from "../queue/queue.ts";
import type { Query } from "../store/database.ts";

/** Seconds after which edits whose publishing job was lost are looked at again. */
const againAfter = 900;

/** The publishing jobs of edits that have waited long enough. Each is taken once. */
export async function takeWaiting(query: Query, most: number): Promise<NewJob[]> {
  const rows = await query<{ id: number; organisation: string; checked: string; run: string }>(
    `WITH ready AS (
       SELECT id FROM suture_fleet.repository
       WHERE waiting_run IS NOT NULL AND waiting_until <= now() AND NOT paused AND state <> 'quarantined' AND checked IS NOT NULL
       ORDER BY waiting_until LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     UPDATE suture_fleet.repository r SET waiting_until = now() + $1 * interval '1 second'
     FROM ready WHERE r.id = ready.id
     RETURNING r.id::int AS id, organisation, checked, waiting_run AS run`,
    [againAfter, most],
  );
  return rows.map(({ id, organisation, checked, run }) => ({
    kind: "publish",
    repository: id,
    organisation,
    commit: checked,
    cause: "hand",
    after: run,
  }));
}
