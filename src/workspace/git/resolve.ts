import { decode } from "./parse-output.ts";
import type { RunGit } from "./run-git.ts";

type RevisionQuestion = { readonly revision: string; readonly answer: (commit: string | null) => void };

/** Finds the commits that revisions name. Revisions that are asked for at the same time take one process. */
export function createResolver(git: RunGit): (revision: string) => Promise<string | null> {
  let waiting: { readonly questions: RevisionQuestion[]; readonly done: Promise<void> } | undefined;
  return async (revision) => {
    if (waiting === undefined) {
      const questions: RevisionQuestion[] = [];
      const done = Promise.resolve().then(() => {
        waiting = undefined;
        return answerAll(git, questions);
      });
      waiting = { questions, done };
    }
    let commit: string | null = null;
    waiting.questions.push({
      revision,
      answer: (found) => {
        commit = found;
      },
    });
    await waiting.done;
    return commit;
  };
}

/** Git answers each line with an id, or with a sentence that says why there is none. */
async function answerAll(git: RunGit, questions: readonly RevisionQuestion[]): Promise<void> {
  const asked = questions.filter(({ revision }) => !/[\r\n\0]/.test(revision));
  if (asked.length === 0) return;
  const input = asked.map(({ revision }) => `${revision}^{commit}\n`).join("");
  const output = await git(["cat-file", "--batch-check=%(objectname)"], { input });
  const lines = output === null ? [] : decode(output).split("\n");
  for (const [index, { answer }] of asked.entries())
    answer(/^[0-9a-f]{40,64}$/.exec(lines[index] ?? "")?.[0] ?? null);
}
