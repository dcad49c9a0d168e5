/** A process that asks the product about commits, one repository after the other, and answers as it goes. */
import { join } from "node:path";
import { ask, openProductGit } from "./ask.ts";
import { Scratch } from "./mirror.ts";
import type { Answer, Job, Question } from "./pool.ts";

process.on("message", async (job: Job) => {
  const scratch = new Scratch({
    gitDir: job.gitDir,
    folder: join(job.work, job.repo.replace("/", "+")),
    origin: job.origin,
  });
  try {
    const git = await openProductGit(scratch);
    for (const question of job.questions) process.send!(await answer(question));
    async function answer(question: Question): Promise<Answer> {
      const shared = { repo: job.repo, commit: question.commit, id: question.id };
      const began = process.cpuUsage();
      try {
        const { base, head } = await endsOf(scratch, question);
        const asked = await ask(git, base, head);
        const spent = process.cpuUsage(began);
        return { ...shared, base, head, ...asked, milliseconds: (spent.user + spent.system) / 1000 };
      } catch (error) {
        return {
          ...shared,
          base: "",
          head: "",
          findings: [],
          unknown: 0,
          milliseconds: 0,
          failed: `${error}`,
        };
      }
    }
  } finally {
    scratch.close();
  }
  process.send!("done");
});

async function endsOf(scratch: Scratch, question: Question): Promise<{ base: string; head: string }> {
  const base = question.parent ?? (await scratch.parentOf(question.commit));
  if (base === null) throw new Error("the commit has no parent");
  if (!question.withheld) return { base, head: question.commit };
  const withheld = new Set(question.withheld);
  const changes = await scratch.compare(base, question.commit);
  return { base, head: await scratch.commitPart(base, changes, (path) => !withheld.has(path)) };
}
