import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Git } from "../workspace/git/git.ts";

/** The commits of one check. The configuration is that of `settings`, which no change can alter for itself. */
export type CommitRange = { readonly base: string; readonly head: string; readonly settings: string };

/** What is meant: `mayBeGone` where the base was replaced by a push, so that its absence says nothing. */
export type Ends = { readonly head: string; readonly base: string | null; readonly mayBeGone?: boolean };

/** What a change started from, and what it came to. A clone that is too shallow to tell is refused, never guessed at. */
export async function locateRange(
  git: Git,
  { head, base, mayBeGone = false }: Ends,
): Promise<Outcome<CommitRange>> {
  const tip = await git.resolve(head);
  if (tip === null) return notHere(git, head);
  const start = base === null ? null : await git.resolve(base);
  if (base !== null && start === null && (!mayBeGone || (await git.isShallow()))) return notHere(git, base);
  if (start !== null) {
    const fork = await git.mergeBase(start, tip);
    if (fork !== null) return accept({ base: fork, head: tip, settings: start });
    if (await git.isShallow()) return tooShallow("where the branch left its base");
    return accept({ base: start, head: tip, settings: start });
  }
  // A new branch, or one whose history was replaced: compare with the main branch, else with the commit before.
  const main = await git.mainBranch();
  const fork = main === null ? null : await git.mergeBase(main, tip);
  if (fork !== null && fork !== tip)
    return accept({ base: fork, head: tip, settings: (await git.resolve(main!))! });
  const [parent] = await git.parents(tip);
  if (parent !== undefined && (await git.resolve(parent)) !== null)
    return accept({ base: parent, head: tip, settings: parent });
  if (await git.isShallow()) return tooShallow("the commit before");
  return refuse({ code: "unavailable", detail: "there is only one commit, so there is no change to check" });
}

async function notHere(git: Git, commit: string): Promise<Outcome<never>> {
  if (await git.isShallow()) return tooShallow(commit);
  return refuse({
    code: "unavailable",
    detail: `${commit} is not in this clone; fetch it first (git fetch origin ${commit})`,
  });
}

function tooShallow(what: string): Outcome<never> {
  return refuse({
    code: "unavailable",
    detail: `the clone is too shallow to hold ${what}; check out with \`fetch-depth: 0\` (GitLab: \`GIT_DEPTH: 0\`)`,
  });
}
