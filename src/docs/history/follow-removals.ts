import type { PastPath } from "../../drift/change/change.ts";
import type { Git } from "../../workspace/git/git.ts";

/** A file may have moved several times. */
const mostMoves = 5;

/** Paths that the history of a revision once had: the commit that removed each, and its current path. */
export async function followRemovals(
  git: Git,
  revision: string,
  { paths, holds }: { readonly paths: readonly string[]; readonly holds: (path: string) => boolean },
): Promise<ReadonlyMap<string, PastPath>> {
  const first = await git.removals(revision, paths);
  const places = new Map([...first].map(([path, { movedTo }]) => [path, movedTo]));
  for (let move = 1; move < mostMoves; move++) {
    const lost = [...new Set(places.values())].filter((place) => place !== null && !holds(place));
    if (lost.length === 0) break;
    const next = await git.removals(revision, lost as string[]);
    for (const [path, place] of places)
      if (place !== null && !holds(place)) places.set(path, next.get(place)?.movedTo ?? null);
  }
  return new Map(
    [...first].map(([path, { commit, date, subject }]) => {
      const place = places.get(path) ?? null;
      return [path, { commit, date, subject, movedTo: place !== null && holds(place) ? place : null }];
    }),
  );
}
