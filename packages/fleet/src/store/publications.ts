import type { Database, Query } from "./database.ts";
import type { Repository } from "./repositories.ts";

/** The kinds of publication: a pull request with its branch, suggestions in a review, or a patch in a folder. */
export type PublicationKind = "request" | "suggestions" | "patch";

/** What is published: the edits of a commit, or those of one page or cause. */
export type PublicationDraft = {
  readonly kind: PublicationKind;
  readonly commit: string;
  readonly run: string;
  /** Which of the edits; empty for all of them. */
  readonly part?: string;
  /** The branch that the settings name; null for the usual one. */
  readonly branch?: string | null;
  /** Tells whether the edits are the same as those that were published before. */
  readonly digest?: string;
  readonly findings?: readonly string[];
  readonly limits?: RequestLimits;
};

/** The most open pull requests; null without a limit. */
export type RequestLimits = {
  readonly openRequests: number | null;
  readonly organisationRequests: number | null;
};

/**
 * `fresh`: the first claim. `doubtful`: an earlier claim was never confirmed. `confirmed`: it is published. `limited`: too
 * many pull requests are open.
 */
export type PublicationClaim = {
  readonly is: "fresh" | "doubtful" | "confirmed" | "limited";
  readonly url: string | null;
};

/** Claims a publication before the host is called. Null if the claim on the repository was lost. */
export function claimPublication(
  { transaction }: Pick<Database, "transaction">,
  held: Repository,
  draft: PublicationDraft,
): Promise<PublicationClaim | null> {
  return transaction(async (query) => {
    if (await exceedsLimits(query, held, draft)) return { is: "limited", url: null };
    return claim(query, held, draft);
  });
}

async function claim(
  query: Query,
  held: Repository,
  { kind, commit, run, part = "", branch = null, digest = "", findings = null }: ClaimValues,
): Promise<PublicationClaim | null> {
  const [row] = await query<{ state: string; claims: number; url: string | null }>(
    `INSERT INTO suture_fleet.publication AS p (repository, kind, commit, part, branch, run, fence, state, digest, findings)
     SELECT r.id, $3, $4, $5, $6, $7, r.fence, 'claimed', $8, $9::text[]
     FROM suture_fleet.repository r WHERE r.id = $1 AND r.fence = $2
     ON CONFLICT (repository, kind, commit, part) DO UPDATE
       SET fence = excluded.fence, claims = p.claims + 1, run = excluded.run, branch = excluded.branch,
         digest = excluded.digest, findings = excluded.findings,
         state = CASE WHEN p.digest IS DISTINCT FROM excluded.digest OR ${isGone} THEN 'claimed' ELSE p.state END,
         outcome = CASE WHEN ${isGone} THEN NULL ELSE p.outcome END
     RETURNING state, claims, url`,
    [held.id, held.fence, kind, commit, part, branch, run, digest, findings],
  );
  if (!row) return null;
  const is = row.state === "confirmed" ? "confirmed" : row.claims > 1 ? "doubtful" : "fresh";
  return { is, url: row.url };
}

/**
 * It was published, and is no longer, or may be no longer: people closed it, we closed it, or it is on another host. A pull
 * request without an address was never opened.
 */
const isGone =
  "(p.outcome IN ('closed', 'withdrawing', 'withdrawn', 'moved') OR (p.kind = 'request' AND p.url = ''))";

type ClaimValues = Omit<PublicationDraft, "limits" | "findings"> & {
  readonly findings?: readonly string[] | null;
};

/** Whether one more pull request is too many. One transaction of an organisation counts at a time. */
async function exceedsLimits(query: Query, held: Repository, draft: PublicationDraft): Promise<boolean> {
  const { kind, part = "", limits, findings } = draft;
  if (kind !== "request" || limits === undefined || findings?.length === 0) return false;
  const { openRequests, organisationRequests } = limits;
  if (openRequests === null && organisationRequests === null) return false;
  await query("SELECT pg_advisory_xact_lock(7385572, hashtext(lower($1)))", [held.organisation]);
  const [row] = await query<{ known: boolean; repository: number; organisation: number }>(
    `SELECT coalesce(bool_or(p.repository = $1 AND p.part = $2), false) AS known,
       count(DISTINCT p.part) FILTER (WHERE p.repository = $1)::int AS repository,
       count(DISTINCT (p.repository, p.part))::int AS organisation
     FROM suture_fleet.publication p JOIN suture_fleet.repository r ON r.id = p.repository
     WHERE lower(r.organisation) = lower($3) AND ${isOpenRequest}`,
    [held.id, part, held.organisation],
  );
  if (!row || row.known) return false;
  return (
    row.repository >= (openRequests ?? Infinity) || row.organisation >= (organisationRequests ?? Infinity)
  );
}

/** An open pull request, or one that is being opened. A claim that was given up does not count for long. */
export const isOpenRequest = `p.kind = 'request' AND p.outcome IS NULL AND ((p.state = 'confirmed' AND p.url <> '')
  OR (p.state = 'claimed' AND p.claimed > now() - interval '1 hour' AND cardinality(p.findings) > 0))`;

/** Confirms that the host has it. Only the newest claim can confirm. */
export async function confirmPublication(
  query: Query,
  held: Repository,
  {
    kind,
    commit,
    url,
    part = "",
  }: Pick<PublicationDraft, "kind" | "commit" | "part"> & { readonly url: string },
): Promise<boolean> {
  const rows = await query(
    `UPDATE suture_fleet.publication SET state = 'confirmed', confirmed = now(), url = $5
     WHERE repository = $1 AND fence = $2 AND kind = $3 AND commit = $4 AND part = $6 AND state = 'claimed' RETURNING 1`,
    [held.id, held.fence, kind, commit, url, part],
  );
  return rows.length === 1;
}

/** A pull request of ours that was open when we last knew. */
export type OpenRequest = {
  readonly url: string;
  readonly part: string;
  readonly branch: string | null;
  readonly findings: readonly string[] | null;
  /** We were closing it ourselves when we last knew. */
  readonly isLeaving: boolean;
};

/** Our pull requests in a repository whose outcome is not known, the newest row of each. */
export function listOpenRequests(query: Query, { id }: Pick<Repository, "id">): Promise<OpenRequest[]> {
  return query<OpenRequest>(
    `SELECT DISTINCT ON (${numberOf("url")}) url, part, branch, findings,
       outcome IS NOT NULL AS "isLeaving" FROM suture_fleet.publication
     WHERE repository = $1 AND kind = 'request' AND state = 'confirmed' AND url <> ''
       AND (outcome IS NULL OR outcome = 'withdrawing')
     ORDER BY ${numberOf("url")}, confirmed DESC`,
    [id],
  );
}

/** The number of a pull request, in SQL. It stays when its repository is renamed; the address does not. */
export function numberOf(url: string): string {
  return `coalesce(substring(${url} FROM '[0-9]+$'), ${url})`;
}

/** Whether two addresses are those of one pull request of one repository. */
export function isSameRequest(a: string, b: string): boolean {
  const [first, second] = [a, b].map((url) => /[0-9]+$/.exec(url)?.[0] ?? url);
  return first === second;
}
