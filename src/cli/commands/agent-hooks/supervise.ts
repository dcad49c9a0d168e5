import type { Answer } from "../../../agent-hooks/clients/client.ts";

/** `here`: this process is the one that does the work. */
export type Supervised =
  | { readonly is: "answered"; readonly answer: Answer }
  | { readonly is: "late" }
  | { readonly is: "here" };

const mark = "SUTURE_HOOK_WORKER";

/**
 * Runs this same command in a second process and waits for it at most so many seconds. Reading a large repository keeps
 * a process too busy to look at a clock, so another one has to; and an answer is due even if the worker crashes.
 */
export async function superviseSelf(input: Uint8Array, seconds: number): Promise<Supervised> {
  if (process.env[mark] !== undefined) return { is: "here" };
  const { spawn } = process.getBuiltinModule("node:child_process");
  const isGroup = process.platform !== "win32";
  const worker = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    env: { ...process.env, [mark]: "1" },
    stdio: ["pipe", "pipe", "ignore"],
    detached: isGroup,
    windowsHide: true,
  });
  const chunks: Buffer[] = [];
  worker.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  worker.stdin.on("error", () => {});
  worker.stdin.end(input);
  const { promise, resolve } = Promise.withResolvers<"ended" | "late">();
  const timer = setTimeout(() => resolve("late"), seconds * 1000);
  worker.on("error", () => resolve("ended"));
  worker.on("close", () => resolve("ended"));
  const outcome = await promise;
  clearTimeout(timer);
  if (outcome === "ended") return { is: "answered", answer: parseAnswer(Buffer.concat(chunks)) };
  endGroup(worker.pid, isGroup);
  worker.stdout.destroy();
  worker.unref();
  return { is: "late" };
}

/** Ends the worker and the git processes that it started. */
function endGroup(pid: number | undefined, isGroup: boolean): void {
  try {
    if (pid !== undefined) process.kill(isGroup ? -pid : pid, "SIGKILL");
  } catch {
    // It has ended in the meantime.
  }
}

function parseAnswer(bytes: Buffer): Answer {
  try {
    return JSON.parse(bytes.toString("utf8")) as Answer;
  } catch {
    return {};
  }
}
