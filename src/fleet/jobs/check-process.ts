import { type ChildProcess, fork } from "node:child_process";
import type { CheckReport } from "../../docs/check/report.ts";
import type { Outcome } from "../../text/model/outcome.ts";
import { withoutSecrets } from "../secrets.ts";

/** A check to run in a separate process. */
export type CheckRequest = {
  /** The bare clone. */
  readonly folder: string;
  /** The change to check; null for a survey of all pages at the head of the clone. */
  readonly change: { readonly base: string; readonly head: string } | null;
  /** The bare clone that has the pages, if they are in another repository: those of its last commit. */
  readonly docs?: string;
};

export type CheckLimits = {
  /** The most megabytes of memory that one check may use. */
  readonly memory: number;
  /** The most seconds that one check may take. */
  readonly seconds: number;
};

export const defaultLimits: CheckLimits = { memory: 1024, seconds: 600 };

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

  async run(request: CheckRequest, signal: AbortSignal): Promise<Outcome<CheckReport>> {
    const process = this.#idle.pop() ?? new CheckProcess(this.#limits);
    try {
      return await process.run(request, signal);
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

// As in bin/suture.cjs: optimising the code of a grammar takes up to 200 MB and pays late.
const parsersOnce = ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"];

const isSource = import.meta.url.endsWith(".ts");
const program = new URL(isSource ? "./check-program.ts" : "./check-program.cjs", import.meta.url);

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

  async run(request: CheckRequest, signal: AbortSignal): Promise<Outcome<CheckReport>> {
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
    const limit = setTimeout(
      () => stop(new CheckStopped(`the check took more than ${this.#limits.seconds} seconds`)),
      this.#limits.seconds * 1000,
    );
    this.#child.once("message", (message) => passOn(message as CheckAnswer, ended));
    this.#child.once("exit", onExit);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      signal.throwIfAborted();
      this.#child.send(request, (error) => error && ended.reject(new CheckStopped(error.message)));
      return await ended.promise;
    } finally {
      clearTimeout(limit);
      signal.removeEventListener("abort", onAbort);
      this.#child.off("exit", onExit);
      this.#child.removeAllListeners("message");
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

/** The answer of the process. A thrown error arrives as its message, with the code of the system if it has one. */
export type CheckAnswer =
  | { readonly outcome: Outcome<CheckReport> }
  | { readonly thrown: string; readonly code?: string };

function passOn(answer: CheckAnswer, ended: PromiseWithResolvers<Outcome<CheckReport>>): void {
  if ("thrown" in answer) ended.reject(Object.assign(new Error(answer.thrown), { code: answer.code }));
  else ended.resolve(answer.outcome);
}
