import type { Answer } from "../../../agent-hooks/clients/client.ts";
import { mostInput } from "../../../agent-hooks/payload.ts";
import type { Call } from "../../command.ts";

/** A hook that fails must not disturb the agent: exit codes other than 0 mean things to clients. */
export async function safely({ terminal }: Call, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (terminal.verbose) terminal.complain(`suture: ${(error as Error).stack}`);
    return {};
  }
}

/** Standard input up to what a hook may send; a person at a terminal sends nothing. */
export async function readHookBytes(): Promise<Uint8Array> {
  if (process.stdin.isTTY) return new Uint8Array();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length;
    if (size <= mostInput) chunks.push(chunk as Buffer);
  }
  return size <= mostInput ? Buffer.concat(chunks) : new Uint8Array();
}
