import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { Bench } from "../agents/run/agent-run.ts";
import { newRunId } from "../docs/audit.ts";
import type { Context } from "../tools/tool.ts";

/** What agents stand at when a client has set them to work: its own place, and no model of ours. */
export async function benchFor(place: Context, signal?: AbortSignal): Promise<Bench> {
  const { openLedger } = await import("../agents/model/budget.ts");
  const { createRedact, secretsIn } = await import("../agents/run/redact.ts");
  const { openRepository } = await import("../agents/run/repository.ts");
  const run = newRunId(new Date().toISOString(), randomBytes(8).toString("hex"));
  const secrets = secretsIn(process.env);
  const { signal: _, ...context } = place;
  const stopping = signal === undefined ? {} : { signal };
  return {
    context: { ...context, run, ...stopping },
    run,
    repository: await openRepository(place.reader.root, place.reader),
    crew: null,
    embed: null,
    ledger: openLedger(),
    redact: createRedact(secrets),
    secrets,
    project: basename(place.reader.root),
    report: () => {},
    now: () => new Date(),
    ...stopping,
  };
}
