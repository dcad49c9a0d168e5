import type { State } from "../state/state.ts";
import type { Thing } from "../surface/thing.ts";

/**
 * Things as another state has them: the same identity, in the same file where it still has them. Another file that
 * declares the same is meant only where the old file went. `name` is the word by which the state is asked.
 */
export async function sameThings(
  things: readonly Thing[],
  state: State,
  name = things[0]?.name,
): Promise<readonly Thing[]> {
  if (name === undefined) return [];
  const same = chooseSame(things, (await state.things(name)).things, state);
  if (same.length > 0) return same;
  // The code may not write the name: a short flag that a macro makes of a field.
  const paths = [...new Set(things.map(({ path }) => path))].filter((path) => state.files().has(path));
  return chooseSame(things, (await Promise.all(paths.map(state.surface))).flat(), state);
}

/** Those of the candidates that are the same things. */
export function chooseSame(
  things: readonly Thing[],
  candidates: readonly Thing[],
  { has }: State,
): readonly Thing[] {
  const ids = new Set(things.map(({ id }) => id));
  const paths = new Set(things.map(({ path }) => path));
  const same = candidates.filter(({ id }) => ids.has(id));
  const here = same.filter(({ path }) => paths.has(path));
  return here.length > 0 || [...paths].some(has) ? here : same;
}

/** Whether a state still has a file, here or where it moved to. What went with its file may be made elsewhere now. */
export async function hasFile(path: string, { has, movedTo }: State): Promise<boolean> {
  return has(path) || Boolean((await movedTo?.(path))?.to);
}
