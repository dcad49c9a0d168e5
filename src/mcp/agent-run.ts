import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { AgentRun } from "../agents/run/agent-run.ts";
import { newRunId } from "../docs/record/audit.ts";
import type { Context } from "../tools/tool.ts";

/** An agent run in a client's own context. It has no model of ours; the client may bring one. */
export async function createAgentRun(clientContext: Context, signal?: AbortSignal): Promise<AgentRun> {
  const { CostBudget } = await import("../agents/model/budget.ts");
  const { createRedact, secretsIn } = await import("../text/match/secrets.ts");
  const { openGitRepository } = await import("../agents/run/repository.ts");
  const { root } = clientContext.reader;
  const id = newRunId(new Date().toISOString(), randomBytes(8).toString("hex"));
  const secrets = secretsIn(process.env);
  // A run outlives the request that started it, so it does not keep the request's signal.
  const { signal: _, ...context } = clientContext;
  const cancellation = signal === undefined ? {} : { signal };
  return {
    context: { ...context, run: id, ...cancellation },
    id,
    repository: await openGitRepository(root, clientContext.reader),
    models: null,
    embed: null,
    budget: new CostBudget(),
    redact: createRedact(secrets),
    secrets,
    project: basename(root),
    report: () => {},
    now: () => new Date(),
    ...cancellation,
  };
}
