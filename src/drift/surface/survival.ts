import type { ChangeModel } from "../change/change-model.ts";
import { fileKind } from "../change/file-kind.ts";
import { readSurface } from "./read-surface.ts";
import { plainName } from "./surface-change.ts";
import type { Thing } from "./thing.ts";

/** Whether the project still offers a thing: the same one, one of that kind and name under another owner, or none. */
export type Survival = "same" | "other" | "none";

const MOST_FILES = 16;
const LARGEST = 300_000;

/**
 * Looks for a thing in every file of the product that has its name at the head. All names are looked up together,
 * because each lookup reads all files of the tree.
 */
export function createSurvival(
  change: ChangeModel,
  names: readonly string[],
): (thing: Thing) => Promise<Survival> {
  let places: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  const placesOf = async (name: string): Promise<readonly string[]> => {
    places ??= change.input.occurrences(names);
    return (await places).get(name) ?? [];
  };
  const surfaces = new Map<string, Promise<readonly Thing[]>>();
  const surfaceOf = (path: string): Promise<readonly Thing[]> => {
    const known = surfaces.get(path) ?? readHead(change, path);
    surfaces.set(path, known);
    return known;
  };
  const answers = new Map<string, Promise<Survival>>();
  return (thing) => {
    const key = `${thing.id}`;
    const known = answers.get(key) ?? judge(thing, placesOf, surfaceOf);
    answers.set(key, known);
    return known;
  };
}

async function readHead(change: ChangeModel, path: string): Promise<readonly Thing[]> {
  const text = await change.read(path);
  return text === null || text.length > LARGEST ? [] : readSurface(path, text);
}

async function judge(
  thing: Thing,
  placesOf: (name: string) => Promise<readonly string[]>,
  surfaceOf: (path: string) => Promise<readonly Thing[]>,
): Promise<Survival> {
  const paths = await placesOf(plainName(thing.name));
  const product = paths.filter((path) => ["product", "manifest", "data"].includes(fileKind(path)));
  let survival: Survival = "none";
  for (const path of product.slice(0, MOST_FILES))
    for (const other of await surfaceOf(path)) {
      if (other.kind !== thing.kind || other.name !== thing.name) continue;
      if (other.id === thing.id) return "same";
      if (other.exported !== "no") survival = "other";
    }
  return survival;
}
