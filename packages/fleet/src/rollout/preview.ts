import type { CheckReport, ReportedFinding } from "suture/tools";
import type { SettingsScope } from "../settings/stored-settings.ts";
import type { Query } from "../store/database.ts";
import type { Organisations, WaitingReason } from "../store/repositories.ts";

/** The edits of one repository that would be published. */
export type PreviewedRepository = {
  readonly id: number;
  readonly host: string;
  readonly organisation: string;
  readonly name: string;
  readonly commit: string;
  /** The fix that made the edits. */
  readonly run: string;
  readonly waitingFor: WaitingReason;
  readonly findings: readonly PreviewedFinding[];
};

export type PreviewedFinding = Pick<
  ReportedFinding,
  "id" | "path" | "startLine" | "tier" | "kind" | "cause" | "message" | "edits"
> & {
  /** A person has approved it, or its pull request is open. */
  readonly isApproved: boolean;
};

/** A page of a list that continues after a repository. */
export type PreviewPage = {
  readonly after?: number;
  readonly most?: number;
  readonly organisations?: Organisations;
};

/** What would be published: the edits that wait in a scope, repository by repository. */
export async function readPreview(
  query: Query,
  scope: SettingsScope,
  { after = 0, most = 200, organisations = null }: PreviewPage = {},
): Promise<PreviewedRepository[]> {
  const rows = await query<PreviewRow>(
    `SELECT r.id::int AS id, r.host, r.organisation, r.name, r.checked AS commit, run.id AS run,
       r.waiting_for AS "waitingFor", run.record->'report' AS report,
       ARRAY(SELECT finding FROM suture_fleet.reason WHERE run = r.waiting_run AND fixed) AS fixed,
       ARRAY(SELECT finding FROM suture_fleet.approved a WHERE a.repository = r.id
         UNION SELECT unnest(p.findings) FROM suture_fleet.publication p WHERE p.repository = r.id AND p.kind = 'request'
           AND p.state = 'confirmed' AND p.url <> '' AND p.outcome IS NULL) AS approved
     FROM suture_fleet.repository r JOIN suture_fleet.run ON run.id = r.waiting_run
     WHERE r.waiting_for IS NOT NULL AND r.id > $1 AND ($3::bigint IS NULL OR r.id = $3)
       AND ($4::text IS NULL OR lower(r.organisation) = lower($4))
       AND ($5::text[] IS NULL OR lower(r.organisation) = ANY($5))
     ORDER BY r.id LIMIT $2`,
    [
      after,
      most,
      scope !== "fleet" && "repository" in scope ? scope.repository : null,
      scope !== "fleet" && "organisation" in scope ? scope.organisation : null,
      organisations,
    ],
  );
  return rows.map(toPreview);
}

type PreviewRow = Omit<PreviewedRepository, "findings"> & {
  readonly report: CheckReport;
  readonly fixed: readonly string[];
  readonly approved: readonly string[];
};

function toPreview({ report, fixed, approved, ...repository }: PreviewRow): PreviewedRepository {
  const wanted = new Set(fixed);
  const findings = report.findings
    .filter(({ id }) => wanted.has(id))
    .map(({ id, path, startLine, tier, kind, cause, message, edits }) => ({
      id,
      path,
      startLine,
      tier,
      kind,
      ...(cause === undefined ? {} : { cause }),
      message,
      edits,
      isApproved: approved.includes(id),
    }));
  return { ...repository, findings };
}

/** How many repositories of an organisation wait, and for what. */
export type WaitingCount = {
  readonly organisation: string;
  readonly waitingFor: WaitingReason;
  readonly repositories: number;
};

export function countWaiting(query: Query, organisations: Organisations = null): Promise<WaitingCount[]> {
  return query<WaitingCount>(
    `SELECT organisation, waiting_for AS "waitingFor", count(*)::int AS repositories FROM suture_fleet.repository
     WHERE waiting_run IS NOT NULL AND waiting_for IS NOT NULL AND ($1::text[] IS NULL OR lower(organisation) = ANY($1))
     GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 200`,
    [organisations],
  );
}

/** Every repository of a preview, read page by page. */
export async function* eachPreviewed(
  query: Query,
  scope: SettingsScope,
): AsyncGenerator<PreviewedRepository> {
  let after = 0;
  for (;;) {
    const page = await readPreview(query, scope, { after });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
