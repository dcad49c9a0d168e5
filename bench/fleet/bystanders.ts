import type { Fleet } from "../../packages/fleet/src/fleet.ts";

/** Times between which something went wrong elsewhere. */
export type Period = { readonly from: Date; readonly to: Date };

/** How the jobs of the repositories went in which nothing is wrong. */
export type BystanderFigures = {
  readonly jobs: number;
  readonly checkMedianMs: number;
  readonly fixMedianMs: number;
  readonly publishMedianMs: number;
  /** Attempts that were lost with a worker or failed: of all jobs, and the most of one job. */
  readonly retries: number;
  readonly mostRetries: number;
  /** The longest time in which none of their jobs ended. */
  readonly longestSilenceSeconds: number;
};

export async function readBystanders(
  { query }: Fleet,
  repositories: readonly number[],
): Promise<BystanderFigures> {
  const [row] = await query<BystanderFigures>(
    `WITH own AS (SELECT kind, ended, extract(epoch FROM ended - began) * 1000 AS ms,
         ended - lag(ended) OVER (ORDER BY ended) AS silence
       FROM suture_fleet.run WHERE repository = ANY($1)),
     tried AS (SELECT retry_count FROM suture_queue.job WHERE (data->>'repository')::bigint = ANY($1))
     SELECT (SELECT count(*)::int FROM own) AS jobs,
       (SELECT ${medianOf("check")} FROM own) AS "checkMedianMs",
       (SELECT ${medianOf("fix")} FROM own) AS "fixMedianMs",
       (SELECT ${medianOf("publish")} FROM own) AS "publishMedianMs",
       (SELECT sum(retry_count)::int FROM tried) AS retries,
       (SELECT max(retry_count)::int FROM tried) AS "mostRetries",
       (SELECT extract(epoch FROM max(silence))::float FROM own) AS "longestSilenceSeconds"`,
    [repositories],
  );
  return row!;
}

/** The same jobs while something was wrong elsewhere, and at all other times. */
export async function readDuring(
  { query }: Fleet,
  repositories: readonly number[],
  { from, to }: Period,
): Promise<Record<string, number>> {
  const [row] = await query<Record<string, number>>(
    `WITH own AS (SELECT kind, ended BETWEEN $2 AND $3 AS inside, extract(epoch FROM ended - began) * 1000 AS ms
       FROM suture_fleet.run WHERE repository = ANY($1))
     SELECT extract(epoch FROM $3::timestamptz - $2::timestamptz)::float AS "lasted, s",
       count(*) FILTER (WHERE inside)::int AS "jobs of others meanwhile",
       coalesce(${medianOf("check", "inside")}, 0) AS "their check meanwhile, median ms",
       coalesce(${medianOf("check", "NOT inside")}, 0) AS "their check otherwise, median ms"
     FROM own`,
    [repositories, from, to],
  );
  return row!;
}

function medianOf(kind: string, condition = "true"): string {
  return `(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) FILTER (WHERE kind = '${kind}' AND ${condition}))::float`;
}
