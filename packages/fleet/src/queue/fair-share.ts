import type { Query } from "../store/database.ts";

/**
 * Fair share between organisations (start-time fair queueing). Each new job gets the turn after its organisation's last
 * job, or after the turn that is being served if that is later. Ten thousand jobs of one organisation so wait behind the
 * first job of every other one, and an idle organisation saves up nothing. Returns the first turn of each organisation.
 */
export async function takeTurns(
  query: Query,
  wanted: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const names = [...wanted.keys()].sort();
  const rows = await query<{ name: string; turn: string }>(
    `INSERT INTO suture_fleet.organisation AS o (name, turn)
     SELECT w.name, d.turn + w.count FROM unnest($1::text[], $2::bigint[]) AS w (name, count), suture_fleet.desk d
     ON CONFLICT (name) DO UPDATE SET turn = greatest(o.turn, (SELECT turn FROM suture_fleet.desk))
       + (excluded.turn - (SELECT turn FROM suture_fleet.desk))
     RETURNING name, turn`,
    [names, names.map((name) => wanted.get(name)!)],
  );
  return new Map(rows.map(({ name, turn }) => [name, Number(turn) - wanted.get(name)! + 1]));
}

/** Resets all turns. Called while the queue is empty, so that turns never outgrow their priority band. */
export async function resetTurns(query: Query): Promise<void> {
  await query("UPDATE suture_fleet.organisation SET turn = 0; UPDATE suture_fleet.desk SET turn = 0");
}
