/** The commit that removed a path, and where the content went in it. */
export type Removal = {
  readonly commit: string;
  /** The day of the commit, such as `2025-01-17`. */
  readonly date: string;
  readonly subject: string;
  /** The new path by git's own search for renames; null where the content is gone. */
  readonly movedTo: string | null;
};

type Ask = (args: readonly string[]) => Promise<string>;

/**
 * Finds the newest removal of each path, in the history of a revision. Paths that were never there are left out. One
 * walk over the history answers all questions about a revision.
 */
export function createRemovals(
  ask: Ask,
): (revision: string, paths: readonly string[]) => Promise<ReadonlyMap<string, Removal>> {
  const walks = new Map<string, Promise<ReadonlyMap<string, RemovingCommit>>>();
  const renames = new Map<string, ReadonlyMap<string, string>>();
  return async (revision, paths) => {
    const removals = new Map<string, Removal>();
    if (paths.length === 0) return removals;
    const walk = walks.get(revision) ?? ask(removalArguments(revision)).then(parseCommits).then(indexCommits);
    walks.set(revision, walk);
    const removedIn = await walk;
    for (const path of paths) {
      const commit = removedIn.get(path);
      if (commit === undefined) continue;
      const { id, date, subject } = commit;
      const moved = renames.get(id) ?? (await findRenames(ask, id));
      const movedTo = moved.get(path) ?? movedFolder(path, moved);
      // A caller may bring the contents that git lacked, and ask again.
      if (movedTo !== null) renames.set(id, moved);
      removals.set(path, { commit: id, date, subject, movedTo });
    }
    return removals;
  };
}

/** The newest commit that removed each path, or a file below it. */
function indexCommits(commits: readonly RemovingCommit[]): ReadonlyMap<string, RemovingCommit> {
  const index = new Map<string, RemovingCommit>();
  for (const commit of commits)
    for (const removed of commit.removed)
      for (let path = removed; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf("/"))))
        if (!index.has(path)) index.set(path, commit);
  return index;
}

function removalArguments(revision: string): string[] {
  return [
    "log",
    "-z",
    "--no-renames",
    "--diff-filter=D",
    "--name-only",
    "--format=%x01%H%x02%cs%x02%s%x02",
    "--end-of-options",
    revision,
    "--",
  ];
}

type RemovingCommit = {
  readonly id: string;
  readonly date: string;
  readonly subject: string;
  readonly removed: readonly string[];
};

/** Newest first, as git prints them. */
function parseCommits(output: string): RemovingCommit[] {
  return output
    .split("\u0001")
    .slice(1)
    .map((record) => {
      const [id = "", date = "", subject = "", rest = ""] = record.split("\u0002");
      const removed = rest
        .split("\0")
        .map((field) => field.replace(/^\n/, ""))
        .filter((path) => path !== "");
      return { id, date, subject, removed };
    });
}

async function findRenames(ask: Ask, commit: string): Promise<ReadonlyMap<string, string>> {
  const output = await ask([
    "diff-tree",
    "-r",
    "-z",
    "-M",
    "--root",
    "--diff-filter=R",
    "--no-commit-id",
    "--name-status",
    commit,
  ]);
  const fields = output.split("\0");
  const renames = new Map<string, string>();
  for (let i = 0; i + 2 < fields.length; i += 3) renames.set(fields[i + 1]!, fields[i + 2]!);
  return renames;
}

/** Where a folder went: all its files went to one other folder under their old names. */
function movedFolder(folder: string, renames: ReadonlyMap<string, string>): string | null {
  const places = new Set<string>();
  for (const [from, to] of renames) {
    if (!from.startsWith(`${folder}/`)) continue;
    const below = from.slice(folder.length);
    places.add(to.endsWith(below) ? to.slice(0, -below.length) : "");
  }
  const [only = ""] = places;
  return places.size === 1 && only !== "" ? only : null;
}
