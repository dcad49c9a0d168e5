import { isMainThread, parentPort } from "node:worker_threads";
import { callTool } from "../docs/catalog.ts";
import { openContext } from "../tools/context.ts";
import { type ThreadAnswer, type ThreadRequest, toJsonSafe } from "./check-thread.ts";
import { narrowContext } from "./scope.ts";

// The program of the thread that checks for a server: one request, one answer.
if (!isMainThread)
  parentPort?.on("message", (request: ThreadRequest) => {
    void answer(request).then((sent) => parentPort?.postMessage(sent));
  });

async function answer({ options, scope, name, input }: ThreadRequest): Promise<ThreadAnswer> {
  try {
    const opened = await openContext({ ...options, mode: "analyze" });
    if (!opened.ok) return { thrown: JSON.stringify(opened.refusal) };
    await using context = opened.value;
    return { result: toJsonSafe(await callTool(narrowContext(context, scope), name, input)) };
  } catch (error) {
    return { thrown: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
