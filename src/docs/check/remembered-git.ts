import type { Git } from "../../workspace/git/git.ts";

/**
 * A cache of answers from git. Answers about commits stay valid; those about refs, the index and the work tree are valid
 * until `forget`. One check asks each question once, so all its answers agree.
 */
export class GitAnswers {
  readonly #lasting = new Map<string, Promise<unknown>>();
  readonly #passing = new Map<string, Promise<unknown>>();

  /** Drops the answers that may have changed. */
  forget(): void {
    this.#passing.clear();
    if (this.#lasting.size > mostLasting) this.#lasting.clear();
  }

  lasting<T>(question: string, ask: () => Promise<T>): Promise<T> {
    return once(this.#lasting, question, ask);
  }

  passing<T>(question: string, ask: () => Promise<T>): Promise<T> {
    return once(this.#passing, question, ask);
  }
}

const mostLasting = 64;

/** The known answer, or a new one. A failed answer is not kept. */
function once<T>(known: Map<string, Promise<unknown>>, question: string, ask: () => Promise<T>): Promise<T> {
  const answer = known.get(question) as Promise<T> | undefined;
  if (answer !== undefined) return answer;
  const asked = ask();
  known.set(question, asked);
  asked.catch(() => known.get(question) === asked && known.delete(question));
  return asked;
}

const commitId = /^[0-9a-f]{40,64}$/;

/** The same repository with a cache. By default the cache lasts for one check. */
export function rememberGit(git: Git, answers: GitAnswers = new GitAnswers()): Git {
  const about = <T>(revisions: readonly string[], question: string, ask: () => Promise<T>): Promise<T> =>
    revisions.every((revision) => commitId.test(revision))
      ? answers.lasting(question, ask)
      : answers.passing(question, ask);
  return {
    ...git,
    isShallow: () => answers.passing("shallow", () => git.isShallow()),
    resolve: (revision) => answers.passing(`resolve ${revision}`, () => git.resolve(revision)),
    mergeBase: (a, b) => about([a, b], `merge base ${a} ${b}`, () => git.mergeBase(a, b)),
    mainBranch: () => answers.passing("main branch", () => git.mainBranch()),
    parents: (commit) => about([commit], `parents ${commit}`, () => git.parents(commit)),
    remotes: () => answers.passing("remotes", () => git.remotes()),
    changes: (base, head) => about([base, head], `changes ${base} ${head}`, () => git.changes(base, head)),
    tree: (revision) => about([revision], `tree ${revision}`, () => git.tree(revision)),
    workFiles: () => answers.passing("work files", () => git.workFiles()),
    untracked: () => answers.passing("untracked", () => git.untracked()),
    log: (revision, most) => about([revision], `log ${revision} ${most}`, () => git.log(revision, most)),
  };
}
