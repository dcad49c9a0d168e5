import { accept, type Outcome, type Refusal, refuse } from "../../text/model/outcome.ts";
import { PlainFiles } from "../commit/attributes.ts";
import type { RootContext } from "../commit/commit-context.ts";
import type { Dir, Files } from "../files/files.ts";
import { refusalOfIoError } from "../files/io-error.ts";
import type { Durability } from "../journal/entries.ts";
import { closeState, openStateDir, type State, stateName } from "./state.ts";

export type OpenStateOptions = { readonly durability: Durability["level"]; readonly sizeLimit: number };

/** An open root that may have no state yet. */
export type ProbedRoot = RootContext & {
  readonly state: State | null;
  /** Why an existing state is out of reach: it belongs to another user. Files can be read without it. */
  readonly foreign: Refusal | null;
};

/** Inspects an open root and opens its state. `create` creates a missing state. */
export async function probeRoot(
  files: Files,
  root: Dir,
  { create, ...options }: OpenStateOptions & { readonly create: boolean },
): Promise<Outcome<ProbedRoot>> {
  let state: State | null = null;
  try {
    const opened = await openStateDir(files, root, { create });
    const foreign = !opened.ok && isForeign(opened.refusal) ? opened.refusal : null;
    if (!opened.ok && !foreign) return opened;
    state = opened.ok ? opened.value : null;
    const foldsNames = await doesFold(files, root);
    const limits = await limitsOf(files, root, state);
    return accept({
      ...options,
      files,
      root,
      state,
      foreign,
      limits,
      foldsNames,
      plainFiles: new PlainFiles(),
    });
  } catch (error) {
    if (state) await closeState(files, state);
    return refuse({ path: stateName, ...refusalOfIoError(error) });
  }
}

/** Whether the state could not be opened because it belongs to another user. */
export function isForeign(refusal: Refusal): boolean {
  return refusal.code === "not-allowed" && refusal.barrier === "other-user";
}

/** Whether the file system ignores case: the state is found under another spelling. */
async function doesFold(files: Files, root: Dir): Promise<boolean> {
  const upperCase = stateName.toUpperCase();
  if (!(await files.stat(root, upperCase))) return false;
  return !(await files.list(root)).some(({ name }) => name === upperCase);
}

async function limitsOf(files: Files, root: Dir, state: State | null): Promise<Durability["limits"]> {
  const { network, flushesDirs } = await files.fileSystem(root);
  return [
    ...(flushesDirs ? [] : (["directory-flush"] as const)),
    ...(state && !state.links ? (["hard-links"] as const) : []),
    ...(network ? (["network"] as const) : []),
  ];
}
