import { check, openProject } from "suture/tools";
import { openGit } from "suture/workspace";
import type { CheckAnswer, CheckRequest, FetchAnswer } from "./check-process.ts";
import { fetchingGit } from "./fetching-git.ts";

// The program of a check process: one request, one answer, until the parent ends it or goes away. It has no credentials:
// contents that the clone lacks are asked of the parent.
const asked = new Map<number, (isFetched: boolean) => void>();
let questions = 0;

process.on("message", (message: CheckRequest | FetchAnswer) => {
  if ("question" in message) {
    asked.get(message.question)?.(message.isFetched);
    asked.delete(message.question);
  } else void answer(message).then((sent) => process.send?.(sent));
});
process.on("disconnect", () => process.exit());

function want(ids: readonly string[]): Promise<boolean> {
  const question = ++questions;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  asked.set(question, resolve);
  process.send?.({ question, wants: ids } satisfies CheckAnswer);
  return promise;
}

async function answer({ folder, change, docs, isPartial }: CheckRequest): Promise<CheckAnswer> {
  try {
    const opened = await openGit(folder);
    if (opened === null) return { thrown: "the clone is no git repository" };
    const git = isPartial ? fetchingGit(opened, want) : opened;
    const project = await openProject({ git, docs });
    if (!project.ok) return { outcome: project };
    // The base is the commit to compare with, also where a push with force has left it beside the main branch.
    return { outcome: await check(project.value, change ?? "all") };
  } catch (error) {
    if (!(error instanceof Error)) return { thrown: String(error) };
    const { code } = error as NodeJS.ErrnoException;
    return { thrown: error.message, ...(code === undefined ? {} : { code }) };
  }
}
