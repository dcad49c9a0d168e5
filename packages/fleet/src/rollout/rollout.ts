import { causeOf } from "../publish/parts.ts";
import { readScope, type SettingsScope, writeSettings } from "../settings/stored-settings.ts";
import type { Database, Query } from "../store/database.ts";
import { approveFindings } from "../store/decisions.ts";
import {
  eachPreviewed,
  type PreviewedFinding,
  type PreviewedRepository,
  type PreviewPage,
  readPreview,
} from "./preview.ts";

/** Which of the waiting edits are meant. */
export type RolloutSelection = {
  readonly scope: SettingsScope;
  /** Only edits of this cause, or of this rule. */
  readonly cause?: string | undefined;
  /** At most so many repositories. */
  readonly most?: number | undefined;
};

export type RolloutCounts = { readonly repositories: number; readonly edits: number };

/** What would be published, with the edits that a selection names. */
export async function previewRollout(
  { query }: Pick<Database, "query">,
  { scope, cause, most = Number.POSITIVE_INFINITY }: RolloutSelection,
): Promise<PreviewedRepository[]> {
  const found: PreviewedRepository[] = [];
  for await (const repository of eachPreviewed(query, scope)) {
    const findings = repository.findings.filter((finding) => isOfCause(finding, cause));
    if (findings.length > 0) found.push({ ...repository, findings });
    if (found.length >= most) break;
  }
  return found;
}

/** One page of a preview for people. */
export type RolloutPage = {
  readonly repositories: readonly PreviewedRepository[];
  /** The repository after which the next page begins; null on the last page. */
  readonly next: number | null;
};

/** Repositories that are read at most to fill one page: with a rare cause, a page may have few. */
const mostRead = 1000;

/** The waiting edits that match, a few repositories at a time. */
export async function readRolloutPage(
  query: Query,
  { scope, cause }: Pick<RolloutSelection, "scope" | "cause">,
  { after = 0, most = 20, organisations = null }: PreviewPage = {},
): Promise<RolloutPage> {
  const found: PreviewedRepository[] = [];
  let last = after;
  for (let read = 0; read < mostRead; read += most) {
    const page = await readPreview(query, scope, { after: last, most, organisations });
    for (const repository of page) {
      last = repository.id;
      const findings = repository.findings.filter((finding) => isOfCause(finding, cause));
      if (findings.length > 0) found.push({ ...repository, findings });
      if (found.length === most) return { repositories: found, next: last };
    }
    if (page.length < most) return { repositories: found, next: null };
  }
  return { repositories: found, next: last };
}

function isOfCause(finding: PreviewedFinding, cause: string | undefined): boolean {
  return cause === undefined || causeOf(finding) === cause || finding.kind === cause;
}

/** Approves waiting edits. Workers publish them: exactly these, because an edit that changes has another id. */
export async function approveRollout(
  { query }: Pick<Database, "query">,
  { most = Number.POSITIVE_INFINITY, ...selection }: RolloutSelection,
  by: string,
): Promise<RolloutCounts> {
  let repositories = 0;
  let edits = 0;
  for (const { id, findings } of await previewRollout({ query }, selection)) {
    if (repositories >= most) break;
    const fresh = findings.filter(({ isApproved }) => !isApproved).map((finding) => finding.id);
    if (fresh.length === 0) continue;
    await approveFindings(query, id, { findings: fresh, by });
    repositories++;
    edits += fresh.length;
  }
  return { repositories, edits };
}

/**
 * Stops a rollout: from now on the scope is a dry run, and approvals that are not published are withdrawn. A job that is
 * talking to its host finishes; pull requests that are open stay.
 */
export function stopRollout(
  { transaction }: Pick<Database, "transaction">,
  scope: SettingsScope,
): Promise<{ readonly withdrawn: number }> {
  return transaction(async (query) => {
    await writeSettings(query, scope, { ...(await readScope(query, scope)), dryRun: true });
    const [id, organisation] =
      scope === "fleet"
        ? [null, null]
        : "repository" in scope
          ? [scope.repository, null]
          : [null, scope.organisation];
    const isInScope =
      "($1::bigint IS NULL OR r.id = $1) AND ($2::text IS NULL OR lower(r.organisation) = lower($2))";
    // A narrower place must not go on because of a setting of its own.
    if (id === null)
      await query(
        `UPDATE suture_fleet.repository r SET settings = settings - 'dryRun' WHERE settings ? 'dryRun' AND ${isInScope}`,
        [id, organisation],
      );
    if (scope === "fleet")
      await query(
        "UPDATE suture_fleet.organisation SET settings = settings - 'dryRun' WHERE settings ? 'dryRun'",
      );
    const withdrawn = await query(
      `DELETE FROM suture_fleet.approved a USING suture_fleet.repository r
       WHERE r.id = a.repository AND ${isInScope} AND NOT EXISTS (
         SELECT FROM suture_fleet.publication p WHERE p.repository = r.id AND a.finding = ANY(p.findings)
           AND p.state = 'confirmed' AND p.url <> '') RETURNING 1`,
      [id, organisation],
    );
    return { withdrawn: withdrawn.length };
  });
}
