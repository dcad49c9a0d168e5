import type { Answer } from "../../../agent-hooks/clients/client.ts";
import { readHookInput } from "../../../agent-hooks/payload.ts";
import { openPlace, startSession } from "../../../agent-hooks/start.ts";
import { stopTurn } from "../../../agent-hooks/stop.ts";
import { lateText } from "../../../wording/agent-hooks.ts";
import { type Call, exit, isSet, numberOf, textOf } from "../../command.ts";
import { callName } from "./call-name.ts";
import { answerSafely, readHookBytes } from "./hook-input.ts";
import { superviseSelf } from "./supervise.ts";

const usualLimit = 20;

/** Answers a hook: JSON on standard input, the client's JSON on standard output. Always ends with 0. */
export async function answerHook(call: Call, event: "start" | "stop"): Promise<number> {
  await answerSafely(() => answerOf(call, event), call.terminal.verbose);
  return exit.done;
}

async function answerOf(call: Call, event: "start" | "stop"): Promise<Answer> {
  const bytes = await readHookBytes();
  const { options } = call;
  const supervised = await superviseSelf(bytes, numberOf(options, "limit") ?? usualLimit);
  if (supervised.is === "answered") return supervised.answer;
  const input = readHookInput(bytes, textOf(options, "target"));
  if (!input.call) return {};
  if (supervised.is === "late") return event === "stop" ? sayLate(call, bytes) : {};
  const place = await openPlace(input.call, textOf(options, "root"));
  if (!place) return {};
  await using _project = place.project;
  if (event === "start") {
    await startSession(input.call, place);
    return {};
  }
  const time = new Date().toISOString();
  const run = `agent-${time.replace(/\D/g, "").slice(0, 17)}`;
  const { client, call: hookCall } = input;
  return await stopTurn({ client, call: hookCall }, place, {
    fix: isSet(options, "fix"),
    record: isSet(options, "record"),
    command: callName(),
    run,
    time,
  });
}

/** Warns about a slow check once per session. */
async function sayLate({ options }: Call, bytes: Uint8Array): Promise<Answer> {
  const { client, call } = readHookInput(bytes, textOf(options, "target"));
  const place = call && (await openPlace(call, textOf(options, "root")));
  if (!place) return {};
  await using _project = place.project;
  const session = place.store.readOrCreate(client.name);
  if (session.said.includes("late")) return {};
  place.store.write({ ...session, said: [...session.said, "late"] });
  return client.note(lateText(numberOf(options, "limit") ?? usualLimit));
}
