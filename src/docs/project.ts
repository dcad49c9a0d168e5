import { accept, type Outcome } from "../text/model/outcome.ts";
import { type Git, openGit } from "../workspace/git/git.ts";
import { type Closable, closable } from "../workspace/lifetime.ts";
import { openReader, type Reader } from "../workspace/workspace.ts";
import { type DocumentsRoot, openDocuments } from "./documents.ts";

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
  /** The clone that has the documents. Absent: they are in this repository. */
  readonly docs?: DocumentsRoot;
  /** Only these pages, and those below these folders. Absent: all of them. */
  readonly only?: readonly string[];
};

/** A folder to open, or a repository that is open already. What the caller opened, the caller closes. */
export type ProjectPlace =
  | {
      readonly root: string;
      /** A folder of the clone that has the documents, or of this one. */
      readonly docs?: string | undefined;
      /** The repository of the root, where the caller has opened it already. */
      readonly opened?: Git | null;
    }
  | {
      readonly git: Git;
      readonly reader?: Reader | null;
      readonly settings?: Project["settings"];
      /** The same; the pages are those of the last commit there. */
      readonly docs?: string | undefined;
    }
  | { readonly reader: Reader };

export async function openProject(place: ProjectPlace): Promise<Outcome<Project>> {
  const opened = await openCode(place);
  const docs = "docs" in place ? place.docs : undefined;
  if (!opened.ok || docs === undefined) return opened;
  const added = await withDocuments(opened.value, docs, { isCommitted: "git" in place });
  if (!added.ok) await opened.value.close();
  return added;
}

async function openCode(place: ProjectPlace): Promise<Outcome<Project>> {
  if ("git" in place) {
    const { git, reader = null, settings = "base" } = place;
    return accept({ root: git.top, git, reader, settings, ...closable(nothing) });
  }
  if ("reader" in place) {
    const { reader } = place;
    const git = await openGit(reader.root);
    return accept({ root: reader.root, git, reader, settings: usual(), ...closable(nothing) });
  }
  const git = place.opened === undefined ? await openGit(place.root) : place.opened;
  const root = git?.top ?? place.root;
  const shared = { root, git, settings: usual() };
  if (git?.isBare) return accept({ ...shared, reader: null, ...closable(nothing) });
  const opened = await openReader(root, {});
  if (!opened.ok) return opened;
  const reader = opened.value;
  return accept({ ...shared, reader, ...closable(() => reader.close()) });
}

/** The same code with the documents of a folder, which may be in another clone. Closing it closes both. */
async function withDocuments(
  project: Project,
  folder: string,
  how: { readonly isCommitted: boolean },
): Promise<Outcome<Project>> {
  const opened = await openDocuments(folder, how);
  if (!opened.ok) return opened;
  const docs = opened.value;
  const below = docs.git.prefix === "" ? {} : { only: [docs.git.prefix] };
  if (docs.root === project.root) {
    await docs.close();
    return accept({ ...project, ...below });
  }
  const close = async (): Promise<void> => {
    await Promise.all([project.close(), docs.close()]);
  };
  return accept({ ...project, docs, ...below, ...closable(close) });
}

async function nothing(): Promise<void> {}

function usual(): Project["settings"] {
  return isCi() ? "base" : "head";
}

export function isCi(): boolean {
  const { CI = "" } = process.env;
  return CI !== "" && CI !== "false";
}
