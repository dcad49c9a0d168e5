import type { Answer } from "../../../agent-hooks/clients/client.ts";
import { mostInput, readHookInput } from "../../../agent-hooks/payload.ts";
import { openPlace, startSession } from "../../../agent-hooks/start.ts";
import { stopTurn } from "../../../agent-hooks/stop.ts";
import { lateText } from "../../../wording/agent-hooks.ts";
import { type Call, exit, isSet, numberOf, textOf } from "../../command.ts";
import { callName } from "./call-name.ts";
import { superviseSelf } from "./supervise.ts";

const usualLimit = 20;

/** Answers a hook: JSON on standard input, the client's JSON on standard output. Always ends with 0. */
export async function answerHook(call: Call, event: "start" | "stop"): Promise<number> {
  const answer = await safely(call, () => answerOf(call, event));
  call.terminal.printExactly(`${JSON.stringify(answer)}\n`);
  return exit.done;
}

/** A hook that fails must not disturb the agent: exit codes other than 0 mean things to clients. */
async function safely({ terminal }: Call, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (terminal.verbose) terminal.complain(`suture: ${(error as Error).stack}`);
    return {};
  }
}

async function answerOf(call: Call, event: "start" | "stop"): Promise<Answer> {
  const bytes = await readStandardInput();
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
    command: callName(),
    run,
    time,
  });
}

/** That the check took too long is said once in a session. */
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

/** Standard input up to what a hook may send; a person at a terminal sends nothing. */
async function readStandardInput(): Promise<Uint8Array> {
  if (process.stdin.isTTY) return new Uint8Array();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length;
    if (size <= mostInput) chunks.push(chunk as Buffer);
  }
  return size <= mostInput ? Buffer.concat(chunks) : new Uint8Array();
}
