import { isRecord, parseJsonBytes } from "../text/model/json.ts";
import { claude } from "./clients/claude.ts";
import type { HookCall, HookClient } from "./clients/client.ts";
import { findClient, recogniseClient } from "./clients/registry.ts";

/** The parsed input of a hook: the client that sent it, and its call; `call: null` if the input is not a call. */
export type HookInput = { readonly client: HookClient; readonly call: HookCall | null };

/** The most that a hook reads. Clients repeat whole files in what they send. */
export const mostInput = 32 << 20;

/** Reads a hook's input without trusting it: any bytes give an answer, and none throw. */
export function readHookInput(bytes: Uint8Array, target?: string): HookInput {
  const named = target === undefined ? undefined : findClient(target);
  const payload = bytes.length > mostInput ? null : parsePayload(bytes);
  const client = named ?? (payload ? recogniseClient(payload) : claude);
  if (!payload) return { client, call: null };
  const { transcript_path: path } = payload;
  const transcript = typeof path === "string" && !path.includes("\0") ? path : null;
  return { client, call: { client: client.name, ...client.readCall(payload), transcript } };
}

/** Windows clients may put a byte order mark before the JSON. */
function parsePayload(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  const value = parseJsonBytes(bytes);
  return isRecord(value) ? value : null;
}
