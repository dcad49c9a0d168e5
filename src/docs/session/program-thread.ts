import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { readUserFile } from "../../workspace/files/user-file.ts";

/** What a program in a thread sends: its progress any number of times, then one end. */
export type ThreadMessage<Answer> =
  | { readonly progress: readonly [done: number, total: number] }
  | { readonly answer: Answer }
  | { readonly thrown: string };

/** What a thread is sent: requests, one at a time, and that the running one is no longer wanted. */
export type ThreadRequest<Request> = { readonly request: Request } | { readonly abort: true };

export type ThreadOptions = {
  /** The places where the program may be: beside the sources, and in the builds. */
  readonly programs: readonly URL[];
  /** A request that shows no progress for so long ends with its thread. */
  readonly seconds: number;
};

export type ThreadCall = {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
};

/**
 * Runs a program in a thread and sends it requests, one after another, so that a server answers everything else meanwhile.
 * A new thread follows one that was stopped. Other people's files decide how long a request takes.
 */
export class ProgramThread<Request, Answer> {
  readonly #options: ThreadOptions;
  #worker: Worker | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Whether the program is where it should be. A bundle of another program may not have it. */
  get isThere(): boolean {
    return this.#options.programs.some(isFile);
  }

  /** The answer of the program; `null`: it took too long. */
  call(request: Request, call: ThreadCall = {}): Promise<Answer | null> {
    const done = this.#turn.then(() => this.#run(request, call));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async #run(request: Request, { signal, onProgress }: ThreadCall): Promise<Answer | null> {
    signal?.throwIfAborted();
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const ended = Promise.withResolvers<Answer | null>();
    const timer = setTimeout(() => ended.resolve(null), this.#options.seconds * 1000);
    const onMessage = (message: ThreadMessage<Answer>): void => {
      if ("progress" in message) {
        timer.refresh();
        onProgress?.(...message.progress);
      } else if ("answer" in message) ended.resolve(message.answer);
      else if (signal?.aborted) ended.reject(signal.reason);
      else ended.reject(new Error(message.thrown));
    };
    let late: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      send(worker, { abort: true });
      late = setTimeout(() => ended.resolve(null), graceAfterAbort);
    };
    const onExit = (): void => ended.reject(new Error("the thread ended"));
    worker.on("message", onMessage).once("error", ended.reject).once("exit", onExit);
    signal?.addEventListener("abort", onAbort, { once: true });
    worker.ref();
    let isUsable = true;
    try {
      send(worker, { request });
      const answer = await ended.promise;
      // A large answer took a while to arrive: what waits goes first.
      await new Promise(setImmediate);
      isUsable = answer !== null;
      signal?.throwIfAborted();
      return answer;
    } catch (error) {
      isUsable &&= signal?.aborted === true;
      throw error;
    } finally {
      clearTimeout(timer);
      clearTimeout(late);
      signal?.removeEventListener("abort", onAbort);
      // Node keeps listeners of its own on a worker, without which it hears no second answer.
      worker.off("message", onMessage).off("error", ended.reject).off("exit", onExit);
      if (isUsable) worker.unref();
      else await this.close();
    }
  }

  #start(): Worker {
    const { programs } = this.#options;
    return new Worker(programs.find(isFile) ?? programs[0]!, { stdout: true, name: "suture-check" });
  }
}

/** Milliseconds in which a program may notice that its answer is no longer wanted. Then its thread is stopped. */
const graceAfterAbort = 5000;

function send<Request>(worker: Worker, message: ThreadRequest<Request>): void {
  worker.postMessage(message);
}

function isFile(url: URL): boolean {
  return readUserFile(fileURLToPath(url)) !== null;
}

/** A copy without functions and signals, which no other thread can have. */
export function toJsonSafe<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
