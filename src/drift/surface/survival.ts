import type { ChangeModel } from "../change/change-model.ts";
import { fileKind } from "../change/file-kind.ts";
import { readSurface } from "./read-surface.ts";
import { plainName } from "./surface-change.ts";
import type { Thing } from "./thing.ts";

/** Whether the project still offers a thing: the very one, one of that kind and name under another owner, or none. */
export type Survival = "same" | "other" | "none";

const MOST_FILES = 16;
const LARGEST = 300_000;

/** Looks for a thing in every file of the product that has its name at the head. */
export function createSurvival(change: ChangeModel): (thing: Thing) => Promise<Survival> {
  const surfaces = new Map<string, Promise<readonly Thing[]>>();
  const surfaceOf = (path: string): Promise<readonly Thing[]> => {
    const known = surfaces.get(path) ?? readHead(change, path);
    surfaces.set(path, known);
    return known;
  };
  const answers = new Map<string, Promise<Survival>>();
  return (thing) => {
    const key = `${thing.id}`;
    const known = answers.get(key) ?? judge(change, thing, surfaceOf);
    answers.set(key, known);
    return known;
  };
}

async function readHead(change: ChangeModel, path: string): Promise<readonly Thing[]> {
  const text = await change.read(path);
  return text === null || text.length > LARGEST ? [] : readSurface(path, text);
}

async function judge(
  change: ChangeModel,
  thing: Thing,
  surfaceOf: (path: string) => Promise<readonly Thing[]>,
): Promise<Survival> {
  const name = plainName(thing.name);
  const paths = (await change.input.occurrences([name])).get(name) ?? [];
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
