import { writeAudit } from "../../docs/record/audit.ts";
import type { Redact } from "../../text/match/secrets.ts";
import type { Refusal } from "../../text/model/outcome.ts";
import type { Context } from "../../tools/tool.ts";
import { agentText } from "../../wording/agents.ts";
import { refused, textOf } from "../../wording/report.ts";
import type { CostBudget } from "../model/budget.ts";
import type { Embed } from "../model/embedding.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Models } from "../model/models.ts";
import type { Usage } from "../model/prices.ts";
import { type AgentRunRecord, checkRecord } from "./audit.ts";
import type { GitRepository } from "./repository.ts";

/** Everything that the agents of one run share: files, history, models, budget and progress reports. */
export type AgentRun = {
  /** The context of the person who started the run, with the run's id. */
  readonly context: Context;
  /** Names the run in the journal and in its audit record. */
  readonly id: string;
  /** `null`: the folder belongs to no repository. */
  readonly repository: GitRepository | null;
  /** `null`: no model was chosen, so only rules apply. */
  readonly models: Models | null;
  /** `null`: no embedding model was chosen. */
  readonly embed: Embed | null;
  readonly budget: CostBudget;
  readonly redact: Redact;
  /** Values that must never appear in a page. */
  readonly secrets: readonly string[];
  readonly project: string;
  /** Characters of sources and changes that one prompt may hold; `null`: by model. */
  readonly contextLength?: number | null;
  readonly report: (event: RunProgress) => void;
  readonly signal?: AbortSignal | undefined;
  readonly now: () => Date;
};

/** A run that has models to ask. */
export type ModelRun = AgentRun & { readonly models: Models };

/** Whom the journal names for what a run's model writes. */
export function writerOf({ id, models }: ModelRun) {
  const { name: model } = models.writer;
  return { author: `agent ${model}`, origin: { client: "suture", session: id, model } } as const;
}

export function hasModels(run: AgentRun): run is ModelRun {
  return run.models !== null;
}

/** An event to show while a run works. `detail` events are for verbose output. */
export type RunProgress = {
  readonly kind: "step" | "done" | "failed" | "note" | "detail";
  readonly subject: string;
  readonly text: string;
  /** The usage of the subject so far. */
  readonly usage?: Usage | undefined;
};

/** Reports the progress of one page or task: each new step, and the usage after each answer. */
export type StepTracker = { begin(step: string): void; answered(): void };

export function trackSteps(run: Pick<AgentRun, "report">, subject: string, budget: CostBudget): StepTracker {
  let text = "";
  const report = (): void => run.report({ kind: "step", subject, text, usage: budget.total() });
  return {
    begin: (step) => {
      text = step;
      report();
    },
    answered: report,
  };
}

export function metadataOf(run: Pick<AgentRun, "id">, command: string): Metadata {
  return { session: run.id, properties: { tool: "suture", feature: command }, tags: [command] };
}

/** A refusal in words, without secrets. */
export function refusalText(run: Pick<AgentRun, "redact">, refusal: Refusal, tool = "suture"): string {
  return run.redact(textOf(refused(refusal, { tool, wording: "files" })));
}

/** Saves the audit record. A failure is reported and does not stop the run. */
export async function saveRecord(run: AgentRun, record: AgentRunRecord): Promise<void> {
  const { workspace } = run.context;
  if (!workspace) return;
  const saved = await writeAudit(workspace, checkRecord(record, run.redact));
  if (saved.ok) return;
  const text = agentText.recordNotSaved(refusalText(run, saved.refusal));
  run.report({ kind: "failed", subject: record.id, text });
}

/** Ends a run. Sibling backups are removed after a success and stay after a failure. */
export async function finishRun(run: AgentRun, succeeded: boolean): Promise<void> {
  const finished = await run.context.workspace?.finishRun(run.id, { succeeded });
  if (finished && !finished.ok)
    run.report({ kind: "failed", subject: run.id, text: refusalText(run, finished.refusal) });
}

export async function readStateText(run: AgentRun, name: string): Promise<string | null> {
  const read = await run.context.reader.readState(name);
  return read.ok && read.value !== null ? new TextDecoder().decode(read.value) : null;
}
