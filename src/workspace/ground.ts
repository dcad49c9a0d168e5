import { accept, type Outcome, refuse } from "../text/outcome.ts";
import type { Durability } from "./entries.ts";
import { codeOf, type Dir, type Files } from "./files.ts";
import type { Ground } from "./site.ts";
import { closeState, openState, type State, stateName } from "./state.ts";

export type GroundOptions = { readonly durability: Durability["level"]; readonly sizeLimit: number };

/** Opens a root and, where it exists or `create` says so, its state. */
export async function openGround(
  files: Files,
  path: string,
  { create, ...options }: GroundOptions & { readonly create: boolean },
): Promise<Outcome<Omit<Ground, "state"> & { readonly state: State | null }>> {
  const root = await openRoot(files, path);
  if (!root.ok) return root;
  try {
    const state = await openState(files, root.value, { create });
    if (!state.ok) return await closing(files, root.value, state);
    const foldsNames = await doesFold(files, root.value);
    const limits = await limitsOf(files, root.value, state.value);
    return accept({ ...options, files, root: root.value, state: state.value, limits, foldsNames });
  } catch (error) {
    return closing(
      files,
      root.value,
      refuse({ code: "unavailable", path: stateName, detail: codeOf(error) }),
    );
  }
}

export async function closeGround({
  files,
  root,
  state,
}: {
  files: Files;
  root: Dir;
  state: State | null;
}): Promise<void> {
  if (state) await closeState(files, state);
  await files.close(root);
}

async function openRoot(files: Files, path: string): Promise<Outcome<Dir>> {
  try {
    return accept(await files.openRoot(path));
  } catch (error) {
    return refuse({ code: "unavailable", detail: `the root cannot be opened: ${codeOf(error)}` });
  }
}

async function closing<T>(files: Files, root: Dir, outcome: Outcome<T>): Promise<Outcome<T>> {
  await files.close(root);
  return outcome;
}

/** Whether another spelling of a name that is there finds it too. */
async function doesFold(files: Files, root: Dir): Promise<boolean> {
  const shouted = stateName.toUpperCase();
  if (!(await files.stat(root, shouted))) return false;
  return !(await files.list(root)).some(({ name }) => name === shouted);
}

async function limitsOf(files: Files, root: Dir, state: State | null): Promise<Durability["limits"]> {
  const { network, flushesDirs } = await files.fileSystem(root);
  return [
    ...(flushesDirs ? [] : (["directory-flush"] as const)),
    ...(state && !state.links ? (["hard-links"] as const) : []),
    ...(network ? (["network"] as const) : []),
  ];
}
