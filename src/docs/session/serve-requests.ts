import { isMainThread, parentPort } from "node:worker_threads";
import type { ThreadMessage, ThreadRequest } from "./program-thread.ts";

/** How a request is answered in a thread. */
export type Serve<Request, Answer> = (
  request: Request,
  call: { readonly signal: AbortSignal; readonly onProgress: (done: number, total: number) => void },
) => Promise<Answer>;

/** Answers the requests of a `ProgramThread`, in the thread. Does nothing outside one. */
export function serveRequests<Request, Answer>(serve: Serve<Request, Answer>): void {
  if (isMainThread) return;
  let running = new AbortController();
  const send = (message: ThreadMessage<Answer>): void => parentPort?.postMessage(message);
  parentPort?.on("message", (message: ThreadRequest<Request>) => {
    if ("abort" in message) return running.abort();
    running = new AbortController();
    const onProgress = (done: number, total: number): void => send({ progress: [done, total] });
    serve(message.request, { signal: running.signal, onProgress }).then(
      (answer) => send({ answer }),
      (error: unknown) =>
        send({ thrown: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}
