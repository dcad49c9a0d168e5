import type { Git } from "suture/workspace";

/** Asks for the contents of files that a clone lacks. False: they will not come. */
export type WantContents = (ids: readonly string[]) => Promise<boolean>;

/** The same clone, where contents that are read and not here are fetched first. Git's own names of removed files need them too. */
export function fetchingGit(git: Git, want: WantContents): Git {
  const eachBlob: Git["eachBlob"] = async (ids, take) => {
    const lacking = new Set(ids);
    await git.eachBlob(ids, (id, bytes) => {
      lacking.delete(id);
      take(id, bytes);
    });
    if (lacking.size > 0 && (await want([...lacking]))) await git.eachBlob([...lacking], take);
  };
  return {
    ...git,
    eachBlob,
    blobs: async (ids) => {
      const blobs = new Map<string, Uint8Array>();
      await eachBlob(ids, (id, bytes) => blobs.set(id, new Uint8Array(bytes)));
      return blobs;
    },
    removals: async (revision, paths) => {
      const first = await git.removals(revision, paths);
      const unmoved = [...first.values()].filter(({ movedTo }) => movedTo === null);
      const ids = await movedContents(git, new Set(unmoved.map(({ commit }) => commit)));
      if (ids.length === 0) return first;
      const isFetched = await fetchLacking(git, ids, want);
      return isFetched ? git.removals(revision, paths) : first;
    },
  };
}

/** A commit that moves more files is a new layout: git does not look for renames in it either. */
const mostFiles = 800;

/** The contents that commits removed and added. Git compares them to find out where a file went. */
async function movedContents(git: Git, commits: ReadonlySet<string>): Promise<string[]> {
  const ids: string[] = [];
  for (const commit of commits) {
    const [parent] = await git.parents(commit);
    if (parent === undefined) continue;
    const changes = (await git.changes(parent, commit)).filter(
      ({ kind, status }) => kind === "file" && (status === "added" || status === "deleted"),
    );
    if (changes.length > mostFiles) continue;
    ids.push(...changes.flatMap(({ before, after }) => [before, after].filter((id) => id !== null)));
  }
  return ids;
}

async function fetchLacking(git: Git, ids: readonly string[], want: WantContents): Promise<boolean> {
  const lacking = new Set(ids);
  await git.eachBlob(ids, (id) => lacking.delete(id));
  return lacking.size > 0 && want([...lacking]);
}
