import type { Query } from "../store/database.ts";

/** The state of the fleet on one day. */
export type Level = {
  readonly day: string;
  readonly repositories: number;
  readonly drifted: number;
  readonly failing: number;
  readonly passages: number;
};

/** Records the state of each organisation today. The last record of a day stays. */
export async function recordLevels(query: Query): Promise<void> {
  await query(
    `INSERT INTO suture_fleet.level (day, organisation, repositories, drifted, failing, passages)
     SELECT current_date, organisation, count(*), count(*) FILTER (WHERE drift + standing > 0),
       count(*) FILTER (WHERE state IN ('failing', 'quarantined')), sum(drift + standing)
     FROM suture_fleet.repository GROUP BY organisation
     ON CONFLICT (day, organisation) DO UPDATE SET repositories = excluded.repositories, drifted = excluded.drifted,
       failing = excluded.failing, passages = excluded.passages`,
  );
}

/** The days that were recorded, oldest first. With `organisations`, the sum of these only. */
export function readLevels(
  query: Query,
  { days, organisations }: { readonly days: number; readonly organisations: readonly string[] | null },
): Promise<Level[]> {
  return query<Level>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, sum(repositories)::int AS repositories, sum(drifted)::int AS drifted,
       sum(failing)::int AS failing, sum(passages)::float AS passages
     FROM suture_fleet.level WHERE day > current_date - $1::int
       AND ($2::text[] IS NULL OR lower(organisation) = ANY($2))
     GROUP BY day ORDER BY day`,
    [days, organisations],
  );
}
