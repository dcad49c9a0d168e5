import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Dir, Files } from "../files/files.ts";
import { makeFolder, type State } from "./state.ts";

/** Folders of the state that other rooms keep files in. */
export type KeptFolder = "audit" | "proposals";

/** A file of the state: its directory, or the folder of it that is made when something is first kept there. */
export type StatePlace = {
  readonly dir: Dir | null;
  readonly folder?: "proposals";
  readonly name: string;
};

/** Where a file lies that other rooms keep in the state; no directory where there is no state yet. */
export function locateState(name: string, state: State | null): Outcome<StatePlace> {
  if (name === "lineage.json" || name === "sources.json") return accept({ dir: state?.dir ?? null, name });
  const [folder, file, ...rest] = name.split("/");
  if (rest.length === 0 && keptName.test(file ?? "")) {
    if (folder === "audit") return accept({ dir: state?.audit ?? null, name: file! });
    if (folder === "proposals") return accept({ dir: state?.dir ?? null, folder, name: file! });
  }
  return refuse({ code: "not-allowed", path: name, detail: "not a file of the state that others may keep" });
}

/** Names of files that others may keep in a folder. */
const keptName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.json$/;

/** Works in the directory of a place; where there is none, and it may not be made, there is nothing to work on. */
export async function inStatePlace<T>(
  files: Files,
  { dir, folder }: Pick<StatePlace, "dir" | "folder">,
  { create }: { create: boolean },
  work: (dir: Dir) => Promise<T>,
): Promise<T | null> {
  if (dir === null) return null;
  if (folder === undefined) return work(dir);
  if (create) await makeFolder(files, dir, folder);
  else if (!(await files.stat(dir, folder))) return null;
  const inner = await files.openDir(dir, folder);
  try {
    return await work(inner);
  } finally {
    await files.close(inner);
  }
}

/** The files that others keep in a folder, by name without their ending, in the order of their names. */
export async function listState(files: Files, folder: KeptFolder, state: State | null): Promise<string[]> {
  const place = folder === "audit" ? { dir: state?.audit ?? null } : { dir: state?.dir ?? null, folder };
  const listed = await inStatePlace(files, place, { create: false }, (dir) => files.list(dir));
  const names = (listed ?? []).filter(({ kind, name }) => kind === "file" && keptName.test(name));
  return names.map(({ name }) => name.slice(0, -".json".length)).sort();
}
