import { claude } from "./claude.ts";
import type { HookClient, Payload } from "./client.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { vscode } from "./vscode.ts";

/** Every client, one line each; in the order in which payloads are recognised. */
export const clients: readonly HookClient[] = [cursor, gemini, codex, copilot, vscode, claude];

/** Every name that `--target` accepts. */
export const targetNames: readonly string[] = clients
  .flatMap(({ name, aliases = [] }) => [name, ...aliases])
  .sort();

export function findClient(target: string): HookClient | undefined {
  return clients.find(({ name, aliases = [] }) => name === target || aliases.includes(target));
}

/** The client that sent a payload. Others imitate the form of Claude Code, so Claude Code is the default. */
export function recogniseClient(payload: Payload): HookClient {
  return clients.find((client) => client.recognises(payload)) ?? claude;
}
