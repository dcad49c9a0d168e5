import { defined } from "../../text/model/defined.ts";
import { readUserFileEnd } from "../../workspace/files/user-file.ts";
import type { Origin } from "../../workspace/journal/entries.ts";
import type { HookCall } from "../clients/client.ts";

const longestEnd = 1 << 17;

/** Who makes the edits of a call. Where the client does not name the model, its record of the session may. */
export function originOf({ client, session, model, transcript }: HookCall, tool: string): Origin {
  const known =
    model ?? (transcript === null ? undefined : lastModel(readUserFileEnd(transcript, longestEnd)));
  return {
    client,
    ...defined({ session: session ?? undefined, model: known }),
    tool,
  };
}

/** The model that a record names last. Names in angle brackets are messages of the client itself. */
function lastModel(record: string): string | undefined {
  return [...record.matchAll(/"model":\s*"([^"\\<]{1,200})"/g)].at(-1)?.[1];
}
