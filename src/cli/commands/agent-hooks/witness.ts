import type { Answer } from "../../../agent-hooks/clients/client.ts";
import { readHookInput } from "../../../agent-hooks/payload.ts";
import { witnessAfter, witnessBefore } from "../../../agent-hooks/witness/witness.ts";
import { type Call, exit, textOf } from "../../command.ts";
import { callName } from "./call-name.ts";
import { readHookBytes, safely } from "./hook-input.ts";

/** Answers the hooks around a client's own tools. Always ends with 0, and never keeps a tool from running. */
export async function answerTool(call: Call, event: "before" | "after"): Promise<number> {
  const answer = await safely(call, async (): Promise<Answer> => {
    const { client, call: hook } = readHookInput(await readHookBytes(), textOf(call.options, "target"));
    if (!hook) return {};
    if (event === "after") return await witnessAfter(hook, client, callName());
    await witnessBefore(hook);
    return {};
  });
  call.terminal.printExactly(`${JSON.stringify(answer)}\n`);
  return exit.done;
}
