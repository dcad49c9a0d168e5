import type { Ask } from "../store/database.ts";

/**
 * Organisations take turns: each new job gets the turn after its organisation's last one, or after the one being served
 * if that is later. So ten thousand jobs of one organisation stand behind the first of every other, and no organisation
 * can save up turns while it is idle. Answers with the first turn for each organisation.
 */
export async function takeTurns(
  ask: Ask,
  wanted: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const names = [...wanted.keys()].sort();
  const rows = await ask<{ name: string; turn: string }>(
    `INSERT INTO suture_fleet.organisation AS o (name, turn)
     SELECT w.name, d.turn + w.count FROM unnest($1::text[], $2::bigint[]) AS w (name, count), suture_fleet.desk d
     ON CONFLICT (name) DO UPDATE SET turn = greatest(o.turn, (SELECT turn FROM suture_fleet.desk))
       + (excluded.turn - (SELECT turn FROM suture_fleet.desk))
     RETURNING name, turn`,
    [names, names.map((name) => wanted.get(name)!)],
  );
  return new Map(rows.map(({ name, turn }) => [name, Number(turn) - wanted.get(name)! + 1]));
}

/** Turns begin again at nothing when nobody waits, so that they never grow out of their band. */
export async function resetTurns(ask: Ask): Promise<void> {
  await ask("UPDATE suture_fleet.organisation SET turn = 0; UPDATE suture_fleet.desk SET turn = 0");
}
