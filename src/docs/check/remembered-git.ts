import type { Git } from "../../workspace/git/git.ts";

/** The same repository for the length of one check: what was asked once is not asked again, so all answers agree. */
export function rememberGit(git: Git): Git {
  const known = new Map<string, unknown>();
  const once = <T>(question: string, ask: () => Promise<T>): Promise<T> => {
    const answer = (known.get(question) as Promise<T> | undefined) ?? ask();
    known.set(question, answer);
    return answer;
  };
  return {
    ...git,
    resolve: (revision) => once(`resolve ${revision}`, () => git.resolve(revision)),
    tree: (revision) => once(`tree ${revision}`, () => git.tree(revision)),
    changes: (base, head) => once(`changes ${base} ${head}`, () => git.changes(base, head)),
    untracked: () => once("untracked", () => git.untracked()),
    workFiles: () => once("work files", () => git.workFiles()),
  };
}
