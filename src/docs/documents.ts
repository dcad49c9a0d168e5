import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { docsWords } from "../wording/drift.ts";
import { type Git, openGit } from "../workspace/git/git.ts";
import { type Closable, closable } from "../workspace/lifetime.ts";
import { openReader, type Reader } from "../workspace/workspace.ts";

/** A clone whose pages are checked against the code of another repository. */
export type DocumentsRoot = Closable & {
  /** The top of its work tree. */
  readonly root: string;
  readonly git: Git;
  /** `null`: the pages are those of the last commit. */
  readonly reader: Reader | null;
  /** Whether it may be written to: the caller named it, or the configurations of both sides do. */
  readonly isAgreed: boolean;
};

/** Opens the clone that a folder belongs to. Without its work tree, the pages are those of the last commit. */
export async function openDocuments(
  folder: string,
  { isCommitted }: { readonly isCommitted: boolean },
): Promise<Outcome<DocumentsRoot>> {
  const git = await openGit(folder);
  if (git === null) return refuse({ code: "malformed", what: docsWords.noClone(folder) });
  const shared = { root: git.top, git, isAgreed: true };
  if (isCommitted || git.isBare) return accept({ ...shared, reader: null, ...closable(async () => {}) });
  const opened = await openReader(git.top, {});
  if (!opened.ok) return opened;
  const reader = opened.value;
  return accept({ ...shared, reader, ...closable(() => reader.close()) });
}
