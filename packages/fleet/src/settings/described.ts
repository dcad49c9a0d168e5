import type { NewJob } from "../queue/queue.ts";
import type { Query } from "../store/database.ts";
import type { Repository } from "../store/repositories.ts";

/** A repository whose code the pages of another one describe, and how far the pages were compared with it. */
export type DescribedCode = Pick<Repository, "id" | "host" | "organisation" | "name" | "url"> & {
  /** The commit of the code that the pages were compared with last. */
  readonly checked: string | null;
  /** The last commit of the code that all pages were true to. */
  readonly base: string | null;
  /** The passages that are not true to the code. */
  readonly drift: number;
};

/** What a check learnt about the pages and one repository of code. */
export type ComparedCode = Required<Pick<DescribedCode, "id" | "drift">> & {
  readonly checked: string;
  readonly base: string;
};

const isNamed = `EXISTS (SELECT FROM jsonb_array_elements_text(d.settings->'describes') AS named
  WHERE lower(named) = lower(c.organisation || '/' || c.name)) AND c.id <> d.id`;

/** The repositories whose code the pages of a repository describe, as its settings name them. */
export function listDescribed(query: Query, { id }: Pick<Repository, "id">): Promise<DescribedCode[]> {
  return query<DescribedCode>(
    `SELECT DISTINCT ON (lower(c.organisation), lower(c.name)) c.id::int AS id, c.host, c.organisation, c.name, c.url,
       l.checked, l.base, coalesce(l.drift, 0) AS drift
     FROM suture_fleet.repository d JOIN suture_fleet.repository c ON ${isNamed}
     LEFT JOIN suture_fleet.described l ON l.docs = d.id AND l.code = c.id
     WHERE d.id = $1 ORDER BY lower(c.organisation), lower(c.name), (c.host = d.host) DESC, c.id`,
    [id],
  );
}

/** The checks of the repositories whose pages describe the code of a repository. */
export async function checksOfPages(query: Query, { id }: Pick<Repository, "id">): Promise<NewJob[]> {
  const rows = await query<{ id: number; organisation: string }>(
    `SELECT d.id::int AS id, d.organisation FROM suture_fleet.repository d JOIN suture_fleet.repository c ON ${isNamed}
     WHERE c.id = $1 AND d.settings ? 'describes'`,
    [id],
  );
  return rows.map((row) => ({
    kind: "check",
    repository: row.id,
    organisation: row.organisation,
    commit: null,
    cause: "push",
  }));
}

/** Stores the last code commit that the pages were checked against. */
export async function recordCompared(
  query: Query,
  { id }: Pick<Repository, "id">,
  compared: readonly ComparedCode[],
): Promise<void> {
  for (const { id: code, checked, base, drift } of compared)
    await query(
      `INSERT INTO suture_fleet.described (docs, code, checked, base, drift) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (docs, code) DO UPDATE SET checked = excluded.checked, base = excluded.base, drift = excluded.drift`,
      [id, code, checked, base, drift],
    );
}
