import type { ChangedFile, CommitChange, History } from "../../drift/change/change.ts";
import { fileKind } from "../../drift/change/file-kind.ts";
import { withFolders } from "../../drift/finders/audit/places.ts";
import { documentClass, isDocumentPath } from "../../drift/pages/policies.ts";
import { isCodePath } from "../../syntax/file-kinds.ts";
import type { Git, RawChange } from "../../workspace/git/git.ts";
import { BlobTexts } from "../check/memory.ts";
import { changedPaths } from "./changed-paths.ts";
import { LossSearch } from "./loss-search.ts";

/** A commit that touches more files is an import or a new layout, and says little about names. */
const mostFiles = 800;

export type PastOptions = {
  /** The commit whose past is asked for. */
  readonly head: string;
  /** Whether a source counts as evidence. */
  readonly proves: (path: string) => boolean;
};

/** Looks up, in the history of a commit, things that its tree no longer has. */
export function openHistory(git: Git, { head, proves }: PastOptions): History {
  const texts = new BlobTexts();
  return {
    losses: (sought) =>
      new LossSearch(git, { ...sought, mayHold: (path) => proves(path) && sought.mayHold(path) }).find(head),
    changeOf: async (commit) => {
      const [parent] = await git.parents(commit);
      if (parent === undefined) return null;
      const changes = (await git.changes(parent, commit)).filter(
        ({ path }) => fileKind(path) !== "generated",
      );
      if (changes.length > mostFiles) return null;
      return { base: parent, head: commit, ...(await readCommit(git, changes, proves)) };
    },
    pathsAt: async (revision) => {
      const commit = (await git.resolve(`refs/tags/${revision}`)) ?? (await resolveId(git, revision));
      return commit === null ? null : withFolders((await git.tree(commit)).map(({ path }) => path));
    },
    blame: (path) => git.blame(head, path),
    touching: (paths, past) => git.mainline(head, { past, paths }),
    summary: (commit) => git.summary(commit),
    stateAt: async (commit) => {
      const files = new Map((await git.tree(commit)).map(({ path, id }) => [path, id]));
      return {
        revision: commit,
        paths: files.keys(),
        read: async (path) => (files.has(path) ? texts.read(git, files.get(path)!) : null),
        holders: async (words) => {
          const held = await git.grep(commit, words);
          return new Map([...held].map(([word, paths]) => [word, paths.filter(proves)]));
        },
      };
    },
    documentsAt: async (commit) => {
      const files = (await git.tree(commit)).filter(({ path }) => isPastPage(path));
      const read = await readTexts(git, texts, files);
      texts.trim();
      return read;
    },
  };
}

/** A whole or shortened commit id; a branch of that name is left alone, because it moves. */
function resolveId(git: Git, revision: string): Promise<string | null> {
  return /^[0-9a-f]{7,64}$/.test(revision) ? git.resolve(revision) : Promise.resolve(null);
}

function isPastPage(path: string): boolean {
  return isDocumentPath(path) && !["history", "generated", "fixture"].includes(documentClass(path));
}

async function readTexts(
  git: Git,
  texts: BlobTexts,
  files: readonly { readonly path: string; readonly id: string }[],
): Promise<ReadonlyMap<string, string>> {
  await texts.fill(
    git,
    files.map(({ id }) => id),
  );
  const read = new Map<string, string>();
  for (const { path, id } of files) {
    const text = await texts.read(git, id);
    if (text !== null) read.set(path, text);
  }
  return read;
}

/** Both sides of the files that a commit touched. A file that is no text, or not here, says nothing. */
async function readCommit(
  git: Git,
  changes: readonly RawChange[],
  proves: (path: string) => boolean,
): Promise<Omit<CommitChange, "base" | "head">> {
  const isEvidence = (path: string): boolean => isCodePath(path) && !isDocumentPath(path) && proves(path);
  const texts = new BlobTexts();
  const files = changes.filter(
    ({ kind, path }) => kind === "file" && (isEvidence(path) || isDocumentPath(path)),
  );
  await texts.fill(
    git,
    files.flatMap(({ before, after }) => [before, after].filter((id) => id !== null)),
  );
  const read = async ({ path, before, after }: RawChange): Promise<ChangedFile[]> => {
    const old = before === null ? null : await texts.read(git, before);
    const fresh = after === null ? null : await texts.read(git, after);
    const isWhole = (before === null || old !== null) && (after === null || fresh !== null);
    return isWhole && old !== fresh ? [{ path, before: old, after: fresh }] : [];
  };
  const all = (await Promise.all(files.map(read))).flat();
  return {
    files: all.filter(({ path }) => isEvidence(path)),
    pages: all.filter(({ path }) => isDocumentPath(path)),
    paths: changedPaths(changes),
  };
}
