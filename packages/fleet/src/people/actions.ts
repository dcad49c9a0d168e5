import type { Query } from "../store/database.ts";
import { storableText } from "../store/storable.ts";

/** One action of a person: on a repository, a host, an organisation or the whole fleet. */
export type Action = {
  readonly who: string;
  readonly did: string;
  /** The organisation of the target; null if the action concerns the whole fleet. */
  readonly organisation: string | null;
  readonly target: string;
};

export type RecordedAction = Action & { readonly id: number; readonly at: Date };

export async function recordAction(query: Query, { who, did, organisation, target }: Action): Promise<void> {
  await query("INSERT INTO suture_fleet.action (who, did, organisation, target) VALUES ($1, $2, $3, $4)", [
    who,
    did,
    organisation,
    storableText(target),
  ]);
}

/** The newest actions. With `organisations`, those on their repositories only. */
export function listActions(
  query: Query,
  {
    text = "",
    organisations = null,
    most = 100,
  }: {
    readonly text?: string;
    readonly organisations?: readonly string[] | null;
    readonly most?: number;
  } = {},
): Promise<RecordedAction[]> {
  return query<RecordedAction>(
    `SELECT id::int AS id, at, who, did, organisation, target FROM suture_fleet.action
     WHERE ($1 = '' OR position(lower($1) IN lower(who || ' ' || did || ' ' || target)) > 0)
       AND ($2::text[] IS NULL OR lower(organisation) = ANY($2))
     ORDER BY id DESC LIMIT $3`,
    [text, organisations, most],
  );
}
