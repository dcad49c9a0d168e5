import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Dir, Files } from "../files/files.ts";
import { makeFolder, type State } from "./state.ts";

/** Folders of the state in which other rooms keep files. */
export type KeptFolder = "audit" | "proposals";

/** A file of the state: its directory, and the folder below it that is created on first use. */
export type StatePlace = {
  readonly dir: Dir | null;
  readonly folder?: "proposals";
  readonly name: string;
};

/** Locates a file that another room keeps in the state. `dir` is null if there is no state yet. */
export function locateState(name: string, state: State | null): Outcome<StatePlace> {
  if (name === "lineage.json" || name === "sources.json") return accept({ dir: state?.dir ?? null, name });
  const [folder, file, ...rest] = name.split("/");
  if (rest.length === 0 && file !== undefined && keptName.test(file)) {
    if (folder === "audit") return accept({ dir: state?.audit ?? null, name: file });
    if (folder === "proposals") return accept({ dir: state?.dir ?? null, folder, name: file });
  }
  return refuse({ code: "not-allowed", path: name, detail: "not a file that may be kept in the state" });
}

/** The names that files in these folders may have. */
const keptName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.json$/;

/** Runs work in the directory of a state file. Returns null if the directory is missing and `create` is off. */
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

/** The names of the files in a folder, without `.json`, sorted. */
export async function listState(files: Files, folder: KeptFolder, state: State | null): Promise<string[]> {
  const place = folder === "audit" ? { dir: state?.audit ?? null } : { dir: state?.dir ?? null, folder };
  const listed = await inStatePlace(files, place, { create: false }, (dir) => files.list(dir));
  const names = (listed ?? []).filter(({ kind, name }) => kind === "file" && keptName.test(name));
  return names.map(({ name }) => name.slice(0, -".json".length)).sort();
}
