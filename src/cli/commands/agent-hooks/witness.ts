import type { Answer } from "../../../agent-hooks/clients/client.ts";
import { readHookInput } from "../../../agent-hooks/payload.ts";
import { witnessAfter, witnessBefore } from "../../../agent-hooks/witness/witness.ts";
import { callName } from "./call-name.ts";
import { answerSafely, readHookBytes } from "./hook-input.ts";

export type ToolHookOptions = { readonly target?: string | undefined; readonly isVerbose: boolean };

/** Answers the hooks around a client's own tools. Always ends with 0, and never keeps a tool from running. */
export async function answerTool(event: "before" | "after", options: ToolHookOptions): Promise<number> {
  const work = async (): Promise<Answer> => {
    const { client, call } = readHookInput(await readHookBytes(), options.target);
    if (!call) return {};
    if (event === "after") return await witnessAfter(call, client, callName());
    await witnessBefore(call);
    return {};
  };
  await answerSafely(work, options.isVerbose);
  return 0;
}
