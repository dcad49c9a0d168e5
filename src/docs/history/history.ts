import type { History } from "../../drift/change/change.ts";
import { foldersOf } from "../../drift/change/folders.ts";
import { keepLast } from "../../syntax/keep-last.ts";
import type { CommitSummary, Git } from "../../workspace/git/git.ts";
import { HeadFiles } from "../check/head-files.ts";
import { CheckMemory } from "../check/memory.ts";
import { findOccurrences, openWordIndex } from "../check/occurrences.ts";

export type PastOptions = {
  /** The commit whose past is asked for. */
  readonly head: string;
  /** Whether a source counts as evidence. */
  readonly proves: (path: string) => boolean;
  /** What the check has read: most files of the past are files of the present too. */
  readonly memory?: CheckMemory;
};

const mostAnswers = 1000;

/** Looks up, in the history of a commit, things that its tree no longer has. */
export function openHistory(git: Git, { head, proves, memory = new CheckMemory() }: PastOptions): History {
  // Many passages became false by one change of one file.
  const touched = keepLast<Promise<readonly string[]>>(mostAnswers);
  const summaries = keepLast<Promise<CommitSummary | null>>(mostAnswers);
  return {
    pathsAt: async (revision) => {
      const commit = (await git.resolve(`refs/tags/${revision}`)) ?? (await resolveId(git, revision));
      if (commit === null) return null;
      const paths = (await git.tree(commit)).map(({ path }) => path);
      return new Set([...paths, ...foldersOf(paths), ""]);
    },
    blame: (path) => git.blame(head, path),
    touching: (paths, past) =>
      touched([past, ...paths].join("\0"), () => git.mainline(head, { past, paths })),
    summary: (commit) => summaries(commit, () => git.summary(commit)),
    stateAt: async (commit) => {
      memory.texts.trim();
      const ids = new Map((await git.tree(commit)).map(({ path, id }) => [path, id]));
      const state = { git, reader: null, base: commit, head: commit, changes: [] };
      const files = new HeadFiles(state, ids, { proves, texts: memory.texts });
      const words = openWordIndex(git.top, files, memory);
      return {
        revision: commit,
        paths: [...files.ids.keys()],
        blob: (path) => ids.get(path),
        read: (path) => files.text(path),
        holders: (names) => findOccurrences(names, { files, words, skipComments: false }),
      };
    },
  };
}

/** A whole or shortened commit id; a branch of that name is left alone, because it moves. */
function resolveId(git: Git, revision: string): Promise<string | null> {
  return /^[0-9a-f]{7,64}$/.test(revision) ? git.resolve(revision) : Promise.resolve(null);
}
