import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AskedFinding } from "./ask.ts";
import { gitDirOf } from "./mirror.ts";

/** One commit to ask about, against its first parent or the one named. */
export type Question = {
  readonly id: string;
  readonly commit: string;
  readonly parent?: string;
  /** Paths whose change is left out of the commit. */
  readonly withheld?: readonly string[];
};

export type Answer = {
  readonly repo: string;
  readonly id: string;
  readonly commit: string;
  readonly base: string;
  readonly head: string;
  readonly findings: readonly AskedFinding[];
  readonly unknown: number;
  /** CPU time of the check. */
  readonly milliseconds: number;
  readonly failed?: string;
};

export type Job = {
  readonly repo: string;
  readonly gitDir: string;
  /** The folder of scratch repositories. */
  readonly work: string;
  readonly origin?: string | undefined;
  readonly questions: readonly Question[];
};

export type PoolOptions = {
  readonly mirror: string;
  readonly jobs: number;
  /** Whether `origin` is the address on GitHub, as in a clone that people work in. */
  readonly origin: boolean;
  readonly onAnswer?: (answer: Answer) => void;
};

// Few enough to keep all processes busy to the end, many enough to share what was read.
const CHUNK = 60;

/** Asks all questions in worker processes. The answers come back in the order of the questions. */
export async function askAll(
  byRepo: ReadonlyMap<string, readonly Question[]>,
  { mirror, jobs, origin, onAnswer }: PoolOptions,
): Promise<Answer[]> {
  const work = mkdtempSync(join(tmpdir(), "suture-bench-"));
  const queue = [...byRepo].flatMap(([repo, questions]) =>
    chunk(questions).map((part) => ({
      repo,
      gitDir: gitDirOf(mirror, repo),
      work,
      origin: origin ? `https://github.com/${repo}.git` : undefined,
      questions: part,
    })),
  );
  const answers = new Map<string, Answer>();
  const take = (answer: Answer): void => {
    answers.set(`${answer.repo} ${answer.id}`, answer);
    onAnswer?.(answer);
  };
  const env = { ...process.env, SUTURE_CACHE: join(work, "cache") };
  try {
    await Promise.all(Array.from({ length: jobs }, () => serve(queue, env, take)));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return [...byRepo].flatMap(([repo, questions]) =>
    questions.flatMap(({ id }) => answers.get(`${repo} ${id}`) ?? []),
  );
}

async function serve(queue: Job[], env: NodeJS.ProcessEnv, take: (answer: Answer) => void): Promise<void> {
  const worker = fork(join(import.meta.dirname, "worker.ts"), {
    env,
    execArgv: ["--max-old-space-size=4096"],
  });
  for (let job = queue.shift(); job; job = queue.shift()) await run(worker, job, take);
  worker.disconnect();
}

function run(worker: ChildProcess, job: Job, take: (answer: Answer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`a worker ended with ${code} while it was at ${job.repo}`));
    worker.once("exit", onExit);
    worker.on("message", (message: Answer | "done") => {
      if (message !== "done") return take(message);
      worker.removeAllListeners("message");
      worker.off("exit", onExit);
      resolve();
    });
    worker.send(job);
  });
}

function chunk(questions: readonly Question[]): Question[][] {
  const parts: Question[][] = [];
  for (let at = 0; at < questions.length; at += CHUNK) parts.push(questions.slice(at, at + CHUNK));
  return parts;
}
