import type { Ask } from "./database.ts";
import type { Repository } from "./repositories.ts";

/** What is shown to the world: a change request with its branch, suggestions in a review, or a patch in a folder. */
export type PublicationKind = "request" | "suggestions" | "patch";

/** `fresh`: nobody has tried. `doubtful`: somebody claimed it and was not heard of again. `confirmed`: it is done. */
export type Claim = { readonly is: "fresh" | "doubtful" | "confirmed"; readonly url: string | null };

/** Claims a publication before the host is called. Null where the repository is no longer held. */
export async function claim(
  ask: Ask,
  held: Repository,
  { kind, commit, run }: { readonly kind: PublicationKind; readonly commit: string; readonly run: string },
): Promise<Claim | null> {
  const [row] = await ask<{ state: string; claims: number; url: string | null }>(
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

/** Says that the host has it. Only the newest claim can. */
export async function confirm(
  ask: Ask,
  held: Repository,
  { kind, commit, url }: { readonly kind: PublicationKind; readonly commit: string; readonly url: string },
): Promise<boolean> {
  const rows = await ask(
    `UPDATE suture_fleet.publication SET state = 'confirmed', confirmed = now(), url = $5
     WHERE repository = $1 AND fence = $2 AND kind = $3 AND commit = $4 AND state = 'claimed' RETURNING 1`,
    [held.id, held.fence, kind, commit, url],
  );
  return rows.length === 1;
}

/** What people did with a change request: the measure of whether the edits were any good. */
export async function noteOutcome(
  ask: Ask,
  repository: number,
  url: string,
  outcome: "merged" | "closed",
): Promise<void> {
  await ask(
    "UPDATE suture_fleet.publication SET outcome = $3 WHERE repository = $1 AND url = $2 AND state = 'confirmed'",
    [repository, url, outcome],
  );
}
