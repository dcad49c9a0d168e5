import type { Question } from "./check.ts";
import type { Scope, Unknown } from "./report.ts";

/** The pages that a check read, and those that it could not read. */
export type ReadPages = { readonly pages: readonly string[]; readonly unread: readonly Unknown[] };

/** What a check looked at: the change, and the pages that the caller asked about. */
export async function scopeOf(
  { git, ends: { base, head, against }, isAsked = () => true }: Question,
  { pages, unread }: ReadPages,
  touched: readonly string[],
): Promise<Scope> {
  const tip = head === "worktree" || head === "index" ? "HEAD" : head;
  const hasCommits = against !== undefined && against.is !== "last commit";
  return {
    ...(against === undefined ? {} : { against }),
    commits: hasCommits ? (await git.mainline(tip, { past: base })).length : 0,
    files: touched.length,
    pages: pages.filter(isAsked).length,
    unread: unread.filter(({ path }) => isAsked(path)),
  };
}
