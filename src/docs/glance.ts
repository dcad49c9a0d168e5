import { documentClass, isDocumentPath } from "../drift/pages/policies.ts";
import type { Git } from "../workspace/git/git.ts";

/** A repository in a few figures that git answers quickly. */
export type RepositoryGlance = {
  readonly pages: number;
  /** Files that are no pages. */
  readonly files: number;
  /** Commits since the branch left the main one, and the name of that. */
  readonly commits: number;
  readonly main: string | null;
  readonly uncommitted: number;
};

/** Looks at a repository without reading a file. */
export async function glanceAt(git: Git): Promise<RepositoryGlance> {
  const tip = await git.resolve("HEAD");
  const paths = git.isBare ? (await git.tree("HEAD")).map(({ path }) => path) : await git.workFiles();
  const pages = paths.filter(isPage).length;
  const main = tip === null ? null : await git.mainBranch();
  const fork = main === null || tip === null ? null : await git.mergeBase(main, tip);
  const isAhead = tip !== null && fork !== null && fork !== tip;
  const changed = tip === null || git.isBare ? [] : await git.changes(tip, "worktree");
  return {
    pages,
    files: paths.length - pages,
    commits: isAhead ? (await git.mainline(tip, { past: fork })).length : 0,
    main,
    uncommitted: changed.length,
  };
}

function isPage(path: string): boolean {
  const kind = documentClass(path);
  return isDocumentPath(path) && (kind === "page" || kind === "instructions");
}
