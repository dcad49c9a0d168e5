import { type ChildProcess, fork } from "node:child_process";
import { unknownWords } from "suture/service";
import { accept, type Outcome } from "suture/text";
import type { CheckReport } from "suture/tools";
import { withoutSecrets } from "../secrets.ts";
import { type FetchContents, LimitedFetches } from "./limited-fetches.ts";
import { PausableLimit } from "./pausable-limit.ts";

/** A check to run in a separate process. */
export type CheckRequest = {
  /** The bare clone. */
  readonly folder: string;
  /** The change to check; null for a survey of all pages at the head of the clone. */
  readonly change: { readonly base: string; readonly head: string } | null;
  /** The bare clone that has the pages, if they are in another repository: those of its last commit. */
  readonly docs?: string;
  /** The clone lacks contents, which the process may ask for. */
  readonly isPartial?: boolean;
};

export type CheckRunOptions = {
  readonly signal: AbortSignal;
  /** Fetches contents that the clone lacks. */
  readonly fetch?: FetchContents | undefined;
};

export type CheckLimits = {
  /** The most megabytes of memory that one check may use. */
  readonly memory: number;
  /** The most seconds that one check may take. */
  readonly seconds: number;
};

const defaultLimits: CheckLimits = { memory: 1024, seconds: 600 };

/** The check took too long or too much memory, or its process died. */
export class CheckStopped extends Error {
  override readonly name = "CheckStopped";
}

/** A process is replaced after so many checks. */
const mostChecks = 200;

/**
 * Runs checks in processes of their own, so that a large repository cannot stop this process's heartbeat, and a check
 * without end or with too much memory ends alone. An idle process waits for the next check.
 */
export class CheckProcesses {
  readonly #limits: CheckLimits;
  readonly #idle: CheckProcess[] = [];
  #isClosed = false;

  constructor(limits: Partial<CheckLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  async run(request: CheckRequest, options: CheckRunOptions): Promise<Outcome<CheckReport>> {
    const process = this.#idle.pop() ?? new CheckProcess(this.#limits);
    try {
      return await process.run(request, options);
    } finally {
      if (process.isUsable && !this.#isClosed) this.#idle.push(process);
      else process.stop();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const process of this.#idle.splice(0)) process.stop();
  }
}

// As in bin/load.cjs: optimising the code of a grammar takes up to 200 MB and pays late.
const parsersOnce = ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"];

const isSource = import.meta.url.endsWith(".ts");
const program = new URL(isSource ? "./check-program.ts" : "./check-program.js", import.meta.url);

class CheckProcess {
  readonly #child: ChildProcess;
  readonly #limits: CheckLimits;
  #checks = 0;
  #isEnded = false;
  #errors = "";

  constructor(limits: CheckLimits) {
    this.#limits = limits;
    this.#child = fork(program, {
      execArgv: [
        `--max-old-space-size=${limits.memory}`,
        ...parsersOnce,
        ...(isSource ? process.execArgv : []),
      ],
      env: withoutSecrets(process.env),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      serialization: "advanced",
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#errors = `${this.#errors}${chunk}`.slice(-2000);
    });
    this.#child.on("error", () => {});
    this.#child.on("exit", () => {
      this.#isEnded = true;
    });
    // An idle process must not keep its parent alive.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get isUsable(): boolean {
    return !this.#isEnded && this.#child.connected && this.#checks < mostChecks;
  }

  async run(request: CheckRequest, { signal, fetch }: CheckRunOptions): Promise<Outcome<CheckReport>> {
    this.#checks++;
    this.#child.channel?.ref();
    const ended = Promise.withResolvers<Outcome<CheckReport>>();
    const stop = (error: Error): void => {
      this.stop();
      ended.reject(error);
    };
    const onExit = (code: number | null, by: string | null): void =>
      ended.reject(new CheckStopped(`the check ended with ${by ?? code}: ${this.#reason()}`));
    const onAbort = (): void => stop(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    const { seconds } = this.#limits;
    const limit = new PausableLimit(seconds * 1000, () =>
      stop(new CheckStopped(`the check took more than ${seconds} seconds`)),
    );
    const fetches = new LimitedFetches(fetch, seconds * 500);
    const fetchWanted = async ({ question, wants }: FetchQuestion): Promise<void> => {
      limit.pause();
      const isFetched = await fetches.fetch(wants);
      limit.resume();
      if (this.#child.connected) this.#child.send({ question, isFetched } satisfies FetchAnswer);
    };
    const onMessage = (message: unknown): void => {
      const answer = message as CheckAnswer;
      if ("wants" in answer) fetchWanted(answer).catch(stop);
      else passOn(answer, ended);
    };
    this.#child.on("message", onMessage);
    this.#child.once("exit", onExit);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      signal.throwIfAborted();
      this.#child.send(
        { ...request, isPartial: fetch !== undefined },
        (error) => error && ended.reject(new CheckStopped(error.message)),
      );
      const outcome = await ended.promise;
      return fetches.isCut && outcome.ok ? accept(withoutHistory(outcome.value)) : outcome;
    } finally {
      limit.end();
      signal.removeEventListener("abort", onAbort);
      this.#child.off("exit", onExit);
      this.#child.off("message", onMessage);
      this.#child.channel?.unref();
    }
  }

  stop(): void {
    this.#isEnded = true;
    this.#child.kill("SIGKILL");
  }

  /** The last error that the process printed: usually that memory ran out. */
  #reason(): string {
    return /FATAL ERROR: [^\n]*|^\w*Error\b[^\n]*/m.exec(this.#errors)?.[0] ?? "it died";
  }
}

/** A check that could not read all of the history says so, and is not called a check without findings. */
function withoutHistory(report: CheckReport): CheckReport {
  return { ...report, unknown: [...report.unknown, { path: ".", why: unknownWords.history }] };
}

/** A question of the process, and the answer of its parent. */
type FetchQuestion = { readonly question: number; readonly wants: readonly string[] };
export type FetchAnswer = { readonly question: number; readonly isFetched: boolean };

/** The answer of the process. A thrown error arrives as its message, with the code of the system if it has one. */
export type CheckAnswer =
  | FetchQuestion
  | { readonly outcome: Outcome<CheckReport> }
  | { readonly thrown: string; readonly code?: string };

function passOn(
  answer: Exclude<CheckAnswer, FetchQuestion>,
  ended: PromiseWithResolvers<Outcome<CheckReport>>,
): void {
  if ("thrown" in answer) ended.reject(Object.assign(new Error(answer.thrown), { code: answer.code }));
  else ended.resolve(answer.outcome);
}
