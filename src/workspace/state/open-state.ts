import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Ground } from "../commit/commit-context.ts";
import { codeOf, type Dir, type Files } from "../files/files.ts";
import type { Durability } from "../journal/entries.ts";
import { openState, type State, stateName } from "./state.ts";

export type GroundOptions = { readonly durability: Durability["level"]; readonly sizeLimit: number };

/** Ground on which there may be no state yet. */
export type BareGround = Omit<Ground, "state"> & { readonly state: State | null };

/** Looks at an open root, and opens its state, where it exists or `create` says so. */
export async function openGround(
  files: Files,
  root: Dir,
  { create, ...options }: GroundOptions & { readonly create: boolean },
): Promise<Outcome<BareGround>> {
  try {
    const state = await openState(files, root, { create });
    if (!state.ok) return state;
    const foldsNames = await doesFold(files, root);
    const limits = await limitsOf(files, root, state.value);
    return accept({ ...options, files, root, state: state.value, limits, foldsNames });
  } catch (error) {
    return refuse({ code: "unavailable", path: stateName, detail: codeOf(error) });
  }
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
