import { check } from "../../docs/check/check.ts";
import { openProject } from "../../docs/project.ts";
import { openGit } from "../../workspace/git/git.ts";
import type { CheckAnswer, CheckRequest } from "./check-process.ts";

// The program of a check process: one request, one answer, until the parent ends it or goes away.
process.on("message", (request: CheckRequest) => {
  void answer(request).then((sent) => process.send?.(sent));
});
process.on("disconnect", () => process.exit());

async function answer({ folder, change, docs }: CheckRequest): Promise<CheckAnswer> {
  try {
    const git = await openGit(folder);
    if (git === null) return { thrown: "the clone is no git repository" };
    const project = await openProject({ git, docs });
    if (!project.ok) return { outcome: project };
    return { outcome: await check(project.value, change ? { ...change, sinceFork: true } : "all") };
  } catch (error) {
    if (!(error instanceof Error)) return { thrown: String(error) };
    const { code } = error as NodeJS.ErrnoException;
    return { thrown: error.message, ...(code === undefined ? {} : { code }) };
  }
}
