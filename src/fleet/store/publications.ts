import type { Query } from "./database.ts";
import type { Repository } from "./repositories.ts";

/** The kinds of publication: a pull request with its branch, suggestions in a review, or a patch in a folder. */
export type PublicationKind = "request" | "suggestions" | "patch";

/** `fresh`: the first claim. `doubtful`: an earlier claim was never confirmed. `confirmed`: it is published. */
export type PublicationClaim = {
  readonly is: "fresh" | "doubtful" | "confirmed";
  readonly url: string | null;
};

/** Claims a publication before the host is called. Null if the claim on the repository was lost. */
export async function claimPublication(
  query: Query,
  held: Repository,
  { kind, commit, run }: { readonly kind: PublicationKind; readonly commit: string; readonly run: string },
): Promise<PublicationClaim | null> {
  const [row] = await query<{ state: string; claims: number; url: string | null }>(
    `INSERT INTO suture_fleet.publication AS p (repository, kind, commit, run, fence, state)
     SELECT r.id, $3, $4, $5, r.fence, 'claimed' FROM suture_fleet.repository r WHERE r.id = $1 AND r.fence = $2
     ON CONFLICT (repository, kind, commit) DO UPDATE
       SET fence = excluded.fence, claims = p.claims + 1
     RETURNING state, claims, url`,
    [held.id, held.fence, kind, commit, run],
  );
  if (!row) return null;
  const is = row.state === "confirmed" ? "confirmed" : row.claims > 1 ? "doubtful" : "fresh";
  return { is, url: row.url };
}

/** Confirms that the host has it. Only the newest claim can confirm. */
export async function confirmPublication(
  query: Query,
  held: Repository,
  { kind, commit, url }: { readonly kind: PublicationKind; readonly commit: string; readonly url: string },
): Promise<boolean> {
  const rows = await query(
    `UPDATE suture_fleet.publication SET state = 'confirmed', confirmed = now(), url = $5
     WHERE repository = $1 AND fence = $2 AND kind = $3 AND commit = $4 AND state = 'claimed' RETURNING 1`,
    [held.id, held.fence, kind, commit, url],
  );
  return rows.length === 1;
}
