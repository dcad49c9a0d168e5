import { findCi } from "../../../ci/ci-event.ts";
import type { Environment } from "../../../hosts/host.ts";
import { accept, type Outcome, refuse } from "../../../text/model/outcome.ts";
import { ciWords } from "../../../wording/ci.ts";
import { readInput } from "../../terminal/input.ts";

/** The event payload that the host wrote to a file; undefined if it writes none. */
export async function readPayload(environment: Environment): Promise<Outcome<unknown>> {
  const path = environment[findCi(environment)?.files.event ?? ""];
  if (!path) return accept(undefined);
  const text = await readInput(path);
  if (!text.ok) return text;
  try {
    return accept(JSON.parse(text.value));
  } catch {
    return refuse({ code: "malformed", what: ciWords.eventNotJson });
  }
}
