import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Git } from "../../workspace/git/git.ts";

/** Which change is meant. Every field may be left out; `locateRange` says what is compared then. */
export type Range = {
  /** A revision, or the name of a branch of `origin`. `null` and absent are the same. */
  readonly base?: string | null | undefined;
  readonly head?: string | undefined;
  /** The index instead of the work tree, compared with the last commit. */
  readonly staged?: boolean | undefined;
  /** Compare with the commit where the head left the base, as a code host shows a pull request. */
  readonly sinceFork?: boolean | undefined;
  /** A push has replaced the base, so its absence is no mistake. */
  readonly baseMayBeGone?: boolean | undefined;
};

/** Where content is read from: a commit, the work tree or the index. */
export type Head = string | "worktree" | "index";

/** The two states that are compared, and the commit whose configuration holds where a change must not choose its own. */
export type Ends = {
  readonly base: string;
  readonly head: Head;
  readonly trusted: string;
  /** What the base is. Absent: nothing is compared. */
  readonly against?: Against;
  /** The base is the parent of the head. Absent: it may be. */
  readonly isOneCommit?: boolean;
};

/** What the base of a check is: a revision that the caller named, the main branch, or a commit of this branch. */
export type Against =
  | { readonly is: "revision" | "last commit" | "commit before" }
  | { readonly is: "main branch"; readonly name: string };

/**
 * The one answer to "compared with what?". A base that is named; else where the head left the main branch; else the
 * last commit, where the work tree differs from it; else the commit before. A clone that is too shallow to tell is
 * refused.
 */
export async function locateRange(git: Git, range: Range): Promise<Outcome<Ends>> {
  const located = await locateHead(git, range);
  if (!located.ok) return located;
  const { head, commit } = located.value;
  const named = await locateNamedBase(git, commit, range);
  if (!named.ok) return named;
  if (named.value !== null) {
    const isOneCommit = (await git.resolve(parentOf(range))) === named.value.base;
    return preferCommit(git, { ...named.value, head, against: { is: "revision" }, isOneCommit });
  }
  if (range.staged) return accept({ base: commit, head, trusted: commit, against: lastCommit });
  return locateUsualBase(git, head, commit);
}

/** Asks for both ends of a range at once, so that one process answers. Useful only with a cache. */
export async function resolveEnds(git: Git, { base, head, staged }: Range): Promise<void> {
  if (base && !staged) await Promise.all([head ?? "HEAD", base, parentOf({ head })].map(git.resolve));
}

function parentOf({ head = "HEAD" }: Range): string {
  return `${head}~1`;
}

/** The state of a repository without a change: its work tree, or its last commit where there is none. */
export async function locateWhole(git: Git): Promise<Outcome<Ends>> {
  const located = await locateHead(git, {});
  if (!located.ok) return located;
  const { head, commit } = located.value;
  return preferCommit(git, { base: commit, head, trusted: commit });
}

const lastCommit: Against = { is: "last commit" };

type LocatedHead = { readonly head: Head; readonly commit: string };

async function locateHead(git: Git, { head: named, staged }: Range): Promise<Outcome<LocatedHead>> {
  if (named !== undefined && !staged) {
    const commit = await findCommit(git, named);
    return commit === null ? notHere(git, named) : accept({ head: commit, commit });
  }
  const tip = await git.resolve("HEAD");
  if (tip === null)
    return refuse({
      code: "unavailable",
      detail: "the repository has no commit yet, so there is nothing to compare with",
    });
  return accept({ head: staged ? "index" : git.isBare ? tip : "worktree", commit: tip });
}

async function locateNamedBase(
  git: Git,
  commit: string,
  { base = null, sinceFork = false, baseMayBeGone = false }: Range,
): Promise<Outcome<Omit<Ends, "head"> | null>> {
  if (base === null) return accept(null);
  const start = await findCommit(git, base);
  if (start === null) return baseMayBeGone && !(await git.isShallow()) ? accept(null) : notHere(git, base);
  if (!sinceFork) return accept({ base: start, trusted: start });
  const fork = await git.mergeBase(start, commit);
  if (fork === null && (await git.isShallow())) return tooShallow("where the branch left its base");
  return accept({ base: fork ?? start, trusted: start });
}

async function locateUsualBase(git: Git, head: Head, commit: string): Promise<Outcome<Ends>> {
  const main = await git.mainBranch();
  const fork = main === null ? null : await git.mergeBase(main, commit);
  if (main !== null && fork !== null && fork !== commit) {
    const trusted = (await git.resolve(main)) ?? fork;
    return preferCommit(git, { base: fork, head, trusted, against: { is: "main branch", name: main } });
  }
  if (head === "worktree" && (await git.changes(commit, "worktree")).length > 0)
    return accept({ base: commit, head, trusted: commit, against: lastCommit });
  const [parent] = await git.parents(commit);
  if (parent !== undefined && (await git.resolve(parent)) !== null)
    return preferCommit(git, {
      base: parent,
      head,
      trusted: parent,
      against: { is: "commit before" },
      isOneCommit: true,
    });
  if (await git.isShallow()) return tooShallow("the commit before");
  return refuse({
    code: "unavailable",
    detail:
      "there is only one commit, so there is nothing to compare with; `suture check --all` needs no change",
  });
}

/** A work tree without changes counts as its commit, so that the check can be repeated later. */
async function preferCommit(git: Git, ends: Ends): Promise<Outcome<Ends>> {
  if (ends.head !== "worktree") return accept(ends);
  const tip = await git.resolve("HEAD");
  const isClean =
    tip !== null && (await git.changes(tip, "worktree")).length === 0 && (await git.untracked()).length === 0;
  return accept(isClean ? { ...ends, head: tip } : ends);
}

/** A revision; else the branch of that name on the remote, which is all that a fresh clone has of it. */
async function findCommit(git: Git, name: string): Promise<string | null> {
  return (await git.resolve(name)) ?? (await git.resolve(`origin/${name}`));
}

async function notHere(git: Git, revision: string): Promise<Outcome<never>> {
  if (await git.isShallow()) return tooShallow(revision);
  // Only the name of a branch or a tag, or a whole id, can be fetched.
  const isName = /^[\w.][\w./-]*$/.test(revision) && revision !== "HEAD";
  const fetching = isName ? `; fetch it first (git fetch origin ${revision})` : "";
  return refuse({ code: "unavailable", detail: `there is no revision ${revision} in this clone${fetching}` });
}

function tooShallow(what: string): Outcome<never> {
  return refuse({
    code: "unavailable",
    detail: `the clone is too shallow to have ${what}; fetch more history (git fetch --deepen=50); in CI, set \`fetch-depth: 0\` or \`GIT_DEPTH: 0\``,
  });
}
