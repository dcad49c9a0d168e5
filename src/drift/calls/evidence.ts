import { chooseSame } from "../binding/same-things.ts";
import type { State } from "../state/state.ts";
import type { States } from "../state/states.ts";
import type { Thing } from "../surface/thing.ts";
import { asCallable, dropImplementations } from "./declared.ts";
import { findDeclared } from "./find-declared.ts";
import { familyOf } from "./page-samples.ts";

/** The same functions in another state: of the same file where it still has them. */
export async function sameFunctions(things: readonly Thing[], state: State): Promise<readonly Thing[]> {
  const [thing] = things;
  const family = thing && familyOf(thing.path);
  if (!thing || family === null || family === undefined) return [];
  const found = (await findDeclared(thing.name, { family, state })) ?? [];
  const callable = await Promise.all(found.map((one) => asCallable(one, state)));
  const same = await chooseSame(things, callable.flat(), state);
  return dropImplementations(same, state);
}

/** What a caller has to know of a function: its parameters, what it returns, whether it has to be awaited. */
export function printShape({ id, parameters = [], type = "", declaration = "" }: Thing): string {
  const list = parameters.map(
    ({ name, type: own = "", default: value, optional, rest, keyword }) =>
      `${name}\u0001${own}\u0001${value !== undefined || optional}\u0001${rest}\u0001${keyword}`,
  );
  return [id, ...list, type, /\basync\b/.test(declaration)].join("\0");
}

/** The names of the functions of changed files that callers have to use otherwise now. */
export async function findReshaped(
  files: readonly { readonly path: string; readonly from?: string }[],
  { base, head }: States,
): Promise<Set<string>> {
  const names = new Set<string>();
  for (const { path, from } of files) {
    const [before, after] = [await base.surface(from ?? path), await head.surface(path)];
    const [old, now] = [new Set(before.map(printShape)), new Set(after.map(printShape))];
    for (const thing of before) if (thing.parameters && !now.has(printShape(thing))) names.add(thing.name);
    for (const thing of after) if (thing.parameters && !old.has(printShape(thing))) names.add(thing.name);
    // A type of the same file without a constructor takes what its base takes.
    for (const thing of after)
      if (!thing.parameters && thing.bases?.some((base) => names.has(base))) names.add(thing.name);
  }
  return names;
}
