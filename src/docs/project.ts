import { accept, type Outcome } from "../text/model/outcome.ts";
import { type Git, openGit } from "../workspace/git/git.ts";
import { type Closable, closable } from "../workspace/lifetime.ts";
import { openReader, type Reader } from "../workspace/workspace.ts";

/** A repository whose documents are kept true to its code: what `check`, `fix` and `verify` work on. */
export type Project = Closable & {
  /** The top of the work tree, or the folder that was named where there is no repository. */
  readonly root: string;
  /** `null`: the folder is in no git repository, or git is not installed. */
  readonly git: Git | null;
  /** `null`: there is no work tree. */
  readonly reader: Reader | null;
  /** Which configuration applies. In CI it is that of the base, so that a change cannot silence its own check. */
  readonly settings: "head" | "base";
};

/** A folder to open, or a repository that is open already. What the caller opened, the caller closes. */
export type ProjectPlace =
  | { readonly root: string }
  | { readonly git: Git; readonly reader?: Reader | null; readonly settings?: Project["settings"] }
  | { readonly reader: Reader };

export async function openProject(place: ProjectPlace): Promise<Outcome<Project>> {
  if ("git" in place) {
    const { git, reader = null, settings = "base" } = place;
    return accept({ root: git.top, git, reader, settings, ...closable(nothing) });
  }
  if ("reader" in place) {
    const { reader } = place;
    const git = await openGit(reader.root);
    return accept({ root: reader.root, git, reader, settings: usual(), ...closable(nothing) });
  }
  const git = await openGit(place.root);
  const root = git?.top ?? place.root;
  const shared = { root, git, settings: usual() };
  if (git?.isBare) return accept({ ...shared, reader: null, ...closable(nothing) });
  const opened = await openReader(root, {});
  if (!opened.ok) return opened;
  const reader = opened.value;
  return accept({ ...shared, reader, ...closable(() => reader.close()) });
}

async function nothing(): Promise<void> {}

function usual(): Project["settings"] {
  const { CI = "" } = process.env;
  return CI === "" || CI === "false" ? "head" : "base";
}
