import type { ReportedFinding } from "suture/tools";
import type { Job } from "../queue/job.ts";
import type { ComparedCode } from "../settings/described.ts";
import type { Query } from "./database.ts";
import type { Repository, WaitingReason } from "./repositories.ts";
import type { RepositoryState } from "./repository-state.ts";
import { storableJson } from "./storable.ts";

/** The stored run of one job. */
export type Run = {
  readonly id: string;
  readonly job: Job;
  readonly base: string | null;
  readonly commit: string;
  readonly state: RunState;
  readonly worker: string;
  readonly began: Date;
  readonly findings: number;
  readonly fixed: number;
  readonly unknown: number;
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly detail?: string;
  /** The report of a check, or the record of a fix. */
  readonly record?: unknown;
  readonly reasons: readonly (ReportedFinding & { readonly fixed: boolean })[];
};

/** `superseded`: a newer commit came first. `unchanged`: there was no new commit. `held`: the edits are not published yet. */
export type RunState = "done" | "unchanged" | "superseded" | "held";

/** The status of a repository after a run. Missing fields stay as they are. */
export type RepositoryStatus = {
  readonly state?: RepositoryState;
  readonly drift?: number;
  readonly checked?: string;
  readonly base?: string;
  /** How far its pages were compared with the code of other repositories. */
  readonly compared?: readonly ComparedCode[];
  /** The survey of all its pages. */
  readonly survey?: StandingSurvey;
  /** Hours between its regular checks; null for the usual time. */
  readonly everyHours?: number | null;
  readonly wantsDashboard?: boolean;
  /** The edits that are not published yet; null if there are none. */
  readonly waiting?: WaitingEdits | null;
};

/** A survey of all pages of a commit. */
export type StandingSurvey = {
  readonly commit: string;
  readonly standing: number;
  readonly unknown: number;
  /** Since when the oldest of them is false, where the history says. */
  readonly since: string | null;
};

/** Edits that are not published yet. They are looked at again after so many seconds, or when they are woken. */
export type WaitingEdits = {
  /** The fix that made them. */
  readonly run: string;
  readonly why: WaitingReason;
  readonly seconds?: number;
};

/**
 * Stores a run, updates the status of the repository and releases it, in one statement. If the claim on the repository
 * was lost, it stores nothing and returns false.
 */
export async function finishRun(
  query: Query,
  held: Repository,
  run: Run,
  status: RepositoryStatus,
): Promise<boolean> {
  const rows = await query(
    `WITH held AS (
       UPDATE suture_fleet.repository SET holder = NULL, held_until = '-infinity', state = coalesce($3, state),
         drift = coalesce($4, drift), checked = coalesce($5, checked), base = coalesce($6, base),
         problem = NULL, failures = 0, checked_at = CASE WHEN $8 = 'check' THEN now() ELSE checked_at END,
         surveyed = coalesce($30, surveyed), standing = coalesce($31::int, standing),
         standing_unknown = coalesce($32::int, standing_unknown),
         standing_since = CASE WHEN $30 IS NULL THEN standing_since ELSE $33::timestamptz END,
         wants_dashboard = coalesce($34::boolean, wants_dashboard),
         every_hours = CASE WHEN $24 THEN $25::int ELSE every_hours END,
         waiting_run = CASE WHEN $26 THEN $27 ELSE waiting_run END,
         waiting_for = CASE WHEN $26 THEN $28 ELSE waiting_for END,
         waiting_until = CASE WHEN $26 THEN now() + $29::float * interval '1 second' ELSE waiting_until END
       WHERE id = $1 AND fence = $2 RETURNING id
     ), stored AS (
       INSERT INTO suture_fleet.run (id, repository, kind, cause, request, base, commit, state, worker, began,
         findings, fixed, unknown, tokens, cost_usd, detail, record)
       SELECT $7, held.id, $8, $9, $10::int, $11, $12, $13, $14, $15::timestamptz,
         $16::int, $17::int, $18::int, $19::bigint, $20::numeric, $21, $22::text::jsonb FROM held
       ON CONFLICT (id) DO UPDATE SET state = excluded.state, ended = now(), record = excluded.record,
         findings = excluded.findings, fixed = excluded.fixed, unknown = excluded.unknown, detail = excluded.detail
       RETURNING id, repository
     ), old_reasons AS (
       DELETE FROM suture_fleet.reason WHERE run = $7
     ), released AS (
       DELETE FROM suture_fleet.lease WHERE holder = $7
     ), new_reasons AS (
       INSERT INTO suture_fleet.reason (run, repository, path, start_line, end_line, finding, tier, message, edits, evidence, fixed)
       SELECT stored.id, stored.repository, f.path, f."startLine", f."endLine", f.id, f.tier, f.message, f.edits, f.evidence, f.fixed
       FROM stored, jsonb_to_recordset($23::text::jsonb) AS f (
         id text, path text, "startLine" int, "endLine" int, tier text, message text, edits jsonb, evidence jsonb, fixed boolean)
     )
     SELECT id FROM held`,
    [
      held.id,
      held.fence,
      status.state ?? null,
      status.drift ?? null,
      status.checked ?? null,
      status.base ?? null,
      run.id,
      run.job.kind,
      run.job.cause,
      run.job.request ?? null,
      run.base,
      run.commit,
      run.state,
      run.worker,
      run.began,
      run.findings,
      run.fixed,
      run.unknown,
      run.tokens ?? 0,
      run.costUsd ?? 0,
      run.detail ?? null,
      run.record === undefined ? null : storableJson(run.record),
      storableJson(run.reasons),
      status.everyHours !== undefined,
      status.everyHours ?? null,
      status.waiting !== undefined,
      status.waiting?.run ?? null,
      status.waiting?.why ?? null,
      status.waiting?.seconds ?? null,
      status.survey?.commit ?? null,
      status.survey?.standing ?? null,
      status.survey?.unknown ?? null,
      status.survey?.since ?? null,
      status.wantsDashboard ?? null,
    ],
  );
  return rows.length === 1;
}

/** Whether a commit was checked already. The checks of a pull request and of the main branch are separate. */
export async function isChecked(
  query: Query,
  { repository, commit, request }: { repository: number; commit: string; request?: number },
): Promise<boolean> {
  const rows = await query(
    `SELECT FROM suture_fleet.run WHERE repository = $1 AND commit = $2 AND request IS NOT DISTINCT FROM $3::int
       AND kind = 'check' AND state = 'done' LIMIT 1`,
    [repository, commit, request ?? null],
  );
  return rows.length > 0;
}

export type RunRow = {
  readonly id: string;
  readonly repository: number;
  readonly host: string;
  readonly organisation: string;
  readonly name: string;
  readonly kind: string;
  readonly cause: string;
  readonly state: string;
  readonly commit: string;
  readonly base: string | null;
  readonly worker: string;
  readonly began: Date;
  readonly ended: Date;
  readonly findings: number;
  readonly fixed: number;
  readonly unknown: number;
  readonly tokens: number;
  readonly cost_usd: number;
  readonly detail: string | null;
  readonly url: string | null;
};

const runColumns = `run.id, r.id::int AS repository, r.host, r.organisation, r.name, run.kind, run.cause, run.state, run.commit, run.base, run.worker,
  run.began, run.ended, run.findings, run.fixed, run.unknown, run.tokens::float AS tokens,
  run.cost_usd::float AS cost_usd, run.detail, p.url`;
const runTables = `suture_fleet.run JOIN suture_fleet.repository r ON r.id = run.repository
  LEFT JOIN LATERAL (SELECT url FROM suture_fleet.publication WHERE repository = r.id AND publication.run = run.id
    ORDER BY confirmed DESC NULLS LAST LIMIT 1) p ON true`;

export function listRuns(
  query: Query,
  {
    repository,
    most = 50,
    organisations = null,
  }: {
    readonly repository?: number;
    readonly most?: number;
    readonly organisations?: readonly string[] | null;
  } = {},
): Promise<RunRow[]> {
  return query<RunRow>(
    `SELECT ${runColumns} FROM ${runTables} WHERE ($1::bigint IS NULL OR run.repository = $1)
       AND ($3::text[] IS NULL OR lower(r.organisation) = ANY($3)) ORDER BY run.ended DESC LIMIT $2`,
    [repository ?? null, most, organisations],
  );
}

export async function readRun(
  query: Query,
  id: string,
): Promise<(RunRow & { readonly record: unknown }) | null> {
  const [row] = await query<RunRow & { record: unknown }>(
    `SELECT ${runColumns}, run.record FROM ${runTables} WHERE run.id = $1`,
    [id],
  );
  return row ?? null;
}

/** The reason of one finding or edit. */
export type Reason = {
  readonly run: string;
  readonly organisation: string;
  readonly name: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly tier: string;
  readonly message: string;
  readonly edits: readonly { readonly old_string: string; readonly new_string: string }[];
  readonly evidence: readonly { readonly path: string; readonly startLine: number }[];
  readonly fixed: boolean;
  readonly commit: string;
  readonly ended: Date;
  readonly url: string | null;
};

const reasonColumns = `s.run, r.organisation, r.name, s.path, s.start_line AS "startLine", s.end_line AS "endLine", s.tier,
  s.message, s.edits, s.evidence, s.fixed, run.commit, run.ended, p.url`;
const reasonTables = `suture_fleet.reason s JOIN suture_fleet.run ON run.id = s.run
  JOIN suture_fleet.repository r ON r.id = s.repository
  LEFT JOIN LATERAL (SELECT url FROM suture_fleet.publication WHERE repository = r.id AND commit = run.commit
      AND (findings IS NULL OR s.finding = ANY(findings))
    ORDER BY confirmed DESC NULLS LAST LIMIT 1) p ON true`;

/** The reasons about a page, newest first: those of its edits, or of the last check of the main branch. */
export function findReasons(
  query: Query,
  {
    repository,
    path,
    from,
  }: { readonly repository: number; readonly path: string; readonly from: ReasonSource },
): Promise<Reason[]> {
  return query<Reason>(
    `SELECT ${reasonColumns} FROM ${reasonTables} WHERE s.repository = $1 AND s.path = $2 AND ${sources[from]}
     ORDER BY s.id DESC LIMIT 200`,
    [repository, path],
  );
}

/** The passages that the last check of the main branch calls false, by their places. */
export function lastPassages(query: Query, repository: number): Promise<Reason[]> {
  return query<Reason>(
    `SELECT ${reasonColumns} FROM ${reasonTables} WHERE s.repository = $1 AND s.tier <> 'possible' AND ${sources.check}
     ORDER BY s.path, s.start_line, s.id LIMIT 200`,
    [repository],
  );
}

export type ReasonSource = keyof typeof sources;

const sources = {
  edits: "run.kind = 'fix'",
  check: `run.id = (SELECT id FROM suture_fleet.run c WHERE c.repository = $1 AND c.kind = 'check' AND c.state = 'done'
    AND c.request IS NULL ORDER BY ended DESC LIMIT 1)`,
} as const;

/** The reasons that contain all the words, or that concern the repository of that name. */
export function searchReasons(
  query: Query,
  words: string,
  {
    most = 50,
    organisations = null,
  }: { readonly most?: number; readonly organisations?: readonly string[] | null } = {},
): Promise<Reason[]> {
  const isListed =
    "($3::text[] IS NULL OR s.repository IN (SELECT id FROM suture_fleet.repository WHERE lower(organisation) = ANY($3)))";
  return query<Reason>(
    `WITH found AS (
       (SELECT s.id FROM suture_fleet.reason s WHERE s.words @@ websearch_to_tsquery('simple', $1) AND ${isListed}
        ORDER BY s.id DESC LIMIT $2)
       UNION
       (SELECT s.id FROM suture_fleet.reason s WHERE ${isListed} AND s.repository = ANY (ARRAY(
          SELECT id FROM suture_fleet.repository
          WHERE lower(organisation || '/' || name) = lower($1) OR lower(name) = lower($1)))
        ORDER BY s.id DESC LIMIT $2)
     )
     SELECT ${reasonColumns} FROM ${reasonTables} WHERE s.id IN (SELECT id FROM found) ORDER BY s.id DESC LIMIT $2`,
    [words, most, organisations],
  );
}

export function reasonsOf(query: Query, run: string): Promise<Reason[]> {
  return query<Reason>(`SELECT ${reasonColumns} FROM ${reasonTables} WHERE s.run = $1 ORDER BY s.id`, [run]);
}

/** A page of the whole store, oldest first, for export. */
export function exportRuns(query: Query, after: string, most: number) {
  return query<{ id: string; ended: Date } & Record<string, unknown>>(
    `SELECT run.*, run.tokens::float AS tokens, run.cost_usd::float AS cost_usd, run.repository::int AS repository,
       r.host, r.organisation, r.name,
       (SELECT coalesce(jsonb_agg(to_jsonb(s) - 'words' - 'repository' - 'run' ORDER BY s.id), '[]') FROM suture_fleet.reason s
        WHERE s.run = run.id) AS reasons
     FROM suture_fleet.run JOIN suture_fleet.repository r ON r.id = run.repository
     WHERE run.id > $1 ORDER BY run.id LIMIT $2`,
    [after, most],
  );
}

/** Deletes old runs with their reasons, and old webhooks. The last run of each kind stays for every repository. */
export async function deleteOldRuns(
  query: Query,
  days: number,
): Promise<{ readonly runs: number; readonly deliveries: number }> {
  const [row] = await query<{ runs: number; deliveries: number }>(
    `WITH old AS (
       DELETE FROM suture_fleet.run WHERE ended < now() - $1 * interval '1 day' AND EXISTS (
         SELECT FROM suture_fleet.run newer WHERE newer.repository = run.repository AND newer.kind = run.kind AND newer.ended > run.ended)
       RETURNING 1
     ), old_deliveries AS (
       DELETE FROM suture_fleet.delivery WHERE received < now() - interval '30 days' RETURNING 1
     ), dead_workers AS (
       DELETE FROM suture_fleet.worker WHERE seen < now() - interval '1 day'
     )
     SELECT (SELECT count(*) FROM old)::int AS runs, (SELECT count(*) FROM old_deliveries)::int AS deliveries`,
    [days],
  );
  return row!;
}

export type Day = {
  readonly day: string;
  readonly runs: number;
  readonly findings: number;
  readonly fixed: number;
  readonly published: number;
  readonly merged: number;
  readonly closed: number;
  readonly tokens: number;
  readonly cost_usd: number;
};

/** The last days, for charts. Days that are over are summed up once; only today's runs are read each time. */
export async function countDays(query: Query, days: number): Promise<Day[]> {
  await sumUpDays(query, days);
  return query<Day>(
    `SELECT to_char(d.day, 'YYYY-MM-DD') AS day, coalesce(a.runs, 0)::int AS runs, coalesce(a.findings, 0)::int AS findings,
       coalesce(a.fixed, 0)::int AS fixed, coalesce(a.tokens, 0)::float AS tokens, coalesce(a.cost_usd, 0)::float AS cost_usd,
       coalesce(b.published, 0)::int AS published, coalesce(b.merged, 0)::int AS merged, coalesce(b.closed, 0)::int AS closed
     FROM generate_series(current_date - ($1::int - 1), current_date, interval '1 day') AS d (day)
     LEFT JOIN (
       SELECT * FROM suture_fleet.day WHERE day < current_date
       UNION ALL SELECT current_date, ${totals} FROM suture_fleet.run WHERE ended >= current_date) a ON a.day = d.day
     LEFT JOIN (
       SELECT confirmed::date AS day, count(*) AS published, count(*) FILTER (WHERE outcome = 'merged') AS merged,
         count(*) FILTER (WHERE outcome = 'closed') AS closed
       FROM suture_fleet.publication WHERE state = 'confirmed' AND confirmed >= current_date - ($1::int - 1) GROUP BY 1) b ON b.day = d.day
     ORDER BY d.day`,
    [days],
  );
}

const totals = `count(*)::int AS runs, coalesce(sum(findings) FILTER (WHERE kind = 'check'), 0)::int AS findings,
  coalesce(sum(fixed) FILTER (WHERE kind = 'fix'), 0)::int AS fixed, coalesce(sum(tokens), 0)::bigint AS tokens,
  coalesce(sum(cost_usd), 0) AS cost_usd`;

/** Stores the totals of days that are over and not stored yet. */
async function sumUpDays(query: Query, days: number): Promise<void> {
  const missing = await query<{ day: string }>(
    `SELECT to_char(d.day, 'YYYY-MM-DD') AS day
     FROM generate_series(current_date - ($1::int - 1), current_date - 1, interval '1 day') AS d (day)
     WHERE NOT EXISTS (SELECT FROM suture_fleet.day s WHERE s.day = d.day)`,
    [days],
  );
  for (const { day } of missing)
    await query(
      `INSERT INTO suture_fleet.day (day, runs, findings, fixed, tokens, cost_usd)
       SELECT $1::date, ${totals} FROM suture_fleet.run WHERE ended >= $1::date AND ended < $1::date + 1
       ON CONFLICT DO NOTHING`,
      [day],
    );
}
