import type { Query } from "../store/database.ts";
import { listOpenRequests } from "../store/publications.ts";

/** Which repositories to list, and in which order. */
export type ListFilter = {
  /** Part of `organisation/name`, in any case. */
  readonly search: string;
  /** One of the states, `paused`, `waiting` for those whose edits wait, or empty for all. */
  readonly state: string;
  readonly organisation: string;
  readonly sort: SortKey;
  readonly isDescending: boolean;
  readonly offset: number;
  /** The organisations that may be seen, in lower case; null for all. */
  readonly organisations: readonly string[] | null;
};

const orders = {
  name: "lower(organisation || '/' || name)",
  passages: "drift + standing",
  state: "state",
  checked: "checked_at",
} as const;

export type SortKey = keyof typeof orders;

export function isSortKey(text: string): text is SortKey {
  return Object.hasOwn(orders, text);
}

export type RepositoryRow = {
  readonly id: number;
  readonly host: string;
  readonly organisation: string;
  readonly name: string;
  readonly url: string;
  readonly state: string;
  readonly drift: number;
  readonly paused: boolean;
  readonly problem: string | null;
  readonly checked: string | null;
  readonly checkedAt: Date | null;
  /** The open pull request of ours. */
  readonly request: string | null;
};

const columns = `r.id::int AS id, host, organisation, name, r.url, state, drift + standing AS drift, paused, problem, checked,
  checked_at AS "checkedAt",
  (SELECT p.url FROM suture_fleet.publication p WHERE p.repository = r.id AND p.kind = 'request'
     AND p.state = 'confirmed' AND p.outcome IS NULL AND p.url <> '' ORDER BY confirmed DESC LIMIT 1) AS request`;

const condition = `($1 = '' OR position(lower($1) IN lower(organisation || '/' || name)) > 0)
  AND ($2 = '' OR CASE WHEN $2 = 'paused' THEN paused WHEN $2 = 'waiting' THEN waiting_run IS NOT NULL ELSE state = $2 END)
  AND ($3 = '' OR lower(organisation) = lower($3))
  AND ($4::text[] IS NULL OR lower(organisation) = ANY($4))`;

const pageSize = 50;

/** One page of the repositories that match, and how many match. */
export async function listMatching(
  query: Query,
  filter: ListFilter,
): Promise<{ readonly total: number; readonly pageSize: number; readonly repositories: RepositoryRow[] }> {
  const given = [filter.search, filter.state, filter.organisation, filter.organisations];
  const order = `${orders[filter.sort]} ${filter.isDescending ? "DESC NULLS LAST" : "ASC NULLS FIRST"}`;
  const [counted] = await query<{ total: number }>(
    `SELECT count(*)::int AS total FROM suture_fleet.repository WHERE ${condition}`,
    given,
  );
  const repositories = await query<RepositoryRow>(
    `SELECT ${columns} FROM suture_fleet.repository r WHERE ${condition} ORDER BY ${order}, r.id LIMIT $5 OFFSET $6`,
    [...given, pageSize, filter.offset],
  );
  return { total: counted!.total, pageSize, repositories };
}

export async function readListed(query: Query, id: number): Promise<RepositoryRow | null> {
  const [row] = await query<RepositoryRow>(
    `SELECT ${columns} FROM suture_fleet.repository r WHERE r.id = $1`,
    [id],
  );
  return row ?? null;
}

/** What the page of one repository says beside its row in the list. */
export type RepositoryDetails = {
  /** Why its edits are not published yet. */
  readonly waitingFor: string | null;
  /** How many passages were false before it came into the fleet, and since when the oldest is. */
  readonly standing: number;
  readonly standingSince: Date | null;
  /** All open pull requests of ours. */
  readonly requests: readonly string[];
  /** What the last check could not judge. */
  readonly unknown: readonly { readonly path: string; readonly why: string }[];
};

export async function readDetails(query: Query, id: number): Promise<RepositoryDetails> {
  const [row] = await query<Omit<RepositoryDetails, "requests">>(
    `SELECT waiting_for AS "waitingFor", standing, standing_since AS "standingSince",
       coalesce(c.record->'unknown', '[]') || coalesce(c.record->'standing'->'unknown', '[]') AS unknown
     FROM suture_fleet.repository r LEFT JOIN LATERAL (
       SELECT record FROM suture_fleet.run WHERE repository = r.id AND kind = 'check' AND state = 'done' AND request IS NULL
       ORDER BY ended DESC LIMIT 1) c ON true
     WHERE r.id = $1`,
    [id],
  );
  const requests = (await listOpenRequests(query, { id })).map(({ url }) => url);
  return { ...row!, unknown: row!.unknown.slice(0, mostUnknown), requests };
}

const mostUnknown = 50;

/** The organisations with the most repositories, for a list to choose from. */
export function listOrganisations(query: Query, organisations: readonly string[] | null): Promise<string[]> {
  return query<{ organisation: string }>(
    `SELECT organisation FROM suture_fleet.repository WHERE ($1::text[] IS NULL OR lower(organisation) = ANY($1))
     GROUP BY organisation ORDER BY count(*) DESC, organisation LIMIT 200`,
    [organisations],
  ).then((rows) => rows.map(({ organisation }) => organisation).sort());
}
