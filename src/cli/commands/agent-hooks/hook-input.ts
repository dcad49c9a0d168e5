import type { Answer } from "../../../agent-hooks/clients/client.ts";
import { mostInput } from "../../../agent-hooks/payload.ts";

/**
 * Does the work of a hook and prints the answer. A hook that fails must not disturb the agent: exit codes other than 0
 * mean things to clients.
 */
export async function answerSafely(work: () => Promise<Answer>, isVerbose: boolean): Promise<void> {
  const { writeSync } = process.getBuiltinModule("node:fs");
  let answer: Answer = {};
  try {
    answer = await work();
  } catch (error) {
    if (isVerbose) writeSync(2, `suture: ${(error as Error).stack}\n`);
  }
  try {
    writeSync(1, `${JSON.stringify(answer)}\n`);
  } catch {
    // The client has gone.
  }
}

/**
 * Standard input up to what a hook may send; a person at a terminal sends nothing. It is read without a stream, because
 * loading Node's streams takes a fifth of the time of a hook.
 */
export async function readHookBytes(): Promise<Uint8Array> {
  if (process.getBuiltinModule("node:fs").fstatSync(0).isCharacterDevice()) return new Uint8Array();
  const input = new HookInputBuffer();
  try {
    while (input.readSome());
  } catch (error) {
    // Windows says so at the end of a pipe. A pipe that does not block has to be waited for.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EAGAIN") for await (const chunk of process.stdin) input.add(chunk as Buffer);
    else if (code !== "EOF") throw error;
  }
  return input.bytes();
}

/** Collects the input of a hook. Beyond the limit it reads on, so that the client can write, and keeps nothing. */
class HookInputBuffer {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  /** Reads the next bytes; false at the end. */
  readSome(): boolean {
    const chunk = Buffer.allocUnsafe(1 << 16);
    const size = process.getBuiltinModule("node:fs").readSync(0, chunk, 0, chunk.length, null);
    if (size > 0) this.add(chunk.subarray(0, size));
    return size > 0;
  }

  add(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size <= mostInput) this.#chunks.push(chunk);
    else this.#chunks.length = 0;
  }

  bytes(): Uint8Array {
    return this.#size <= mostInput ? Buffer.concat(this.#chunks) : new Uint8Array();
  }
}
