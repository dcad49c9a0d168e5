import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { ContextOptions } from "../tools/context.ts";
import type { Result } from "../tools/tool.ts";
import { serverText } from "../wording/mcp.ts";
import { readUserFile } from "../workspace/files/user-file.ts";
import type { ClientScope } from "./scope.ts";

/** The tools that judge a whole project. The files of the project decide how long they take. */
export const threadedTools: ReadonlySet<string> = new Set(["find_drift"]);

export type ThreadRequest = {
  readonly options: ContextOptions;
  readonly scope: ClientScope;
  readonly name: string;
  readonly input: unknown;
};

export type ThreadAnswer = { readonly result: Result } | { readonly thrown: string };

/** The programs beside the sources, and in both builds. */
const programs = [
  "./check-program.ts",
  "./mcp-check-program.cjs",
  "./cli/mcp-check-program.cjs",
  "../cli/mcp-check-program.cjs",
].map((path) => new URL(path, import.meta.url));

const longest = 120;

/**
 * Runs checks in a thread, one after another, so that the server answers everything else meanwhile. A check that takes too
 * long ends with its thread. The next check starts a new one.
 */
export class CheckThread {
  readonly #options: ContextOptions;
  readonly #seconds: number;
  #worker: Worker | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ContextOptions, seconds = longest) {
    this.#options = toJsonSafe(options);
    this.#seconds = seconds;
  }

  /** Whether the program of the thread is where it should be. A bundle of another program may not have it. */
  get isThere(): boolean {
    return programs.some(isFile);
  }

  call(
    request: Omit<ThreadRequest, "options">,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Result> {
    const done = this.#turn.then(() => this.#run({ ...request, options: this.#options }, signal));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async #run(request: ThreadRequest, signal: AbortSignal | undefined): Promise<Result> {
    signal?.throwIfAborted();
    this.#worker ??= start();
    const worker = this.#worker;
    const ended = Promise.withResolvers<ThreadAnswer | null>();
    const timer = setTimeout(() => ended.resolve(null), this.#seconds * 1000);
    const onAbort = (): void => ended.reject(signal?.reason);
    const onExit = (): void => ended.resolve({ thrown: "the thread of the check ended" });
    worker.once("message", ended.resolve).once("error", ended.reject).once("exit", onExit);
    signal?.addEventListener("abort", onAbort, { once: true });
    worker.ref();
    let isWhole = false;
    try {
      worker.postMessage(request);
      const answer = await ended.promise;
      isWhole = answer !== null && "result" in answer;
      if (answer === null) return tookTooLong(request.name, this.#seconds);
      if ("thrown" in answer) throw new Error(answer.thrown);
      return answer.result;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      worker.removeAllListeners();
      if (isWhole) worker.unref();
      else await this.close();
    }
  }
}

function isFile(url: URL): boolean {
  return readUserFile(fileURLToPath(url)) !== null;
}

/** A copy without functions and signals, which no other thread can have. */
export function toJsonSafe<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function start(): Worker {
  const program = programs.find(isFile);
  return new Worker(program ?? programs[0]!, { stdout: true, name: "suture-check" });
}

function tookTooLong(tool: string, seconds: number): Result {
  return {
    success: false,
    output: "",
    tool,
    error: serverText.tookTooLong(tool, seconds),
    code: "unavailable",
  };
}
