import type { DeadLetter } from "../queue/queue.ts";
import type { Query } from "./database.ts";

/** A job that was given up, with the name of its repository. */
export type NamedDeadLetter = DeadLetter & { readonly repository: string };

/** Adds the names of the repositories. */
export async function nameDeadLetters(
  query: Query,
  letters: readonly DeadLetter[],
): Promise<readonly NamedDeadLetter[]> {
  const rows = await query<{ id: number; name: string }>(
    "SELECT id::int AS id, organisation || '/' || name AS name FROM suture_fleet.repository WHERE id = ANY($1)",
    [letters.map(({ job }) => job.repository)],
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return letters.map((letter) => ({
    ...letter,
    repository:
      names.get(letter.job.repository) ?? `a repository that was removed (${letter.job.repository})`,
  }));
}
