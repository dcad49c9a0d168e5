import { writeAudit } from "../../docs/audit.ts";
import type { Refusal } from "../../text/model/outcome.ts";
import type { Context } from "../../tools/tool.ts";
import { refused, textOf } from "../../wording/report.ts";
import type { Ledger } from "../model/budget.ts";
import type { Embed } from "../model/embedding.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Crew } from "../model/models.ts";
import type { Usage } from "../model/prices.ts";
import { type AuditRecord, checkAudit } from "./audit.ts";
import type { Redact } from "./redact.ts";
import type { Repository } from "./repository.ts";

/** What every agent of a run stands at: the files, the history, the models, the purse, and whom to tell. */
export type Bench = {
  /** Of the person who started the run, with the run's name in it. */
  readonly context: Context;
  readonly run: string;
  /** `null`: the folder belongs to no repository. */
  readonly repository: Repository | null;
  /** `null`: no model was chosen, so only rules apply. */
  readonly crew: Crew | null;
  /** `null`: no embedding model was chosen. */
  readonly embed: Embed | null;
  readonly ledger: Ledger;
  readonly redact: Redact;
  /** Values that may never appear in a page. */
  readonly secrets: readonly string[];
  readonly project: string;
  readonly report: (event: Progress) => void;
  readonly signal?: AbortSignal | undefined;
  readonly now: () => Date;
};

/** Something a person may want to see while it happens. `detail` lines are for those who asked for more. */
export type Progress = {
  readonly kind: "step" | "done" | "failed" | "note" | "detail";
  readonly subject: string;
  readonly text: string;
  /** What the subject has used so far. */
  readonly usage?: Usage | undefined;
};

/** Tells how one piece of work gets on: the step it has come to, and with every answer what it has used so far. */
export type Steps = { begin(step: string): void; answered(): void };

export function followSteps(bench: Pick<Bench, "report">, subject: string, ledger: Ledger): Steps {
  let text = "";
  const tell = (): void => bench.report({ kind: "step", subject, text, usage: ledger.total() });
  return {
    begin: (step) => {
      text = step;
      tell();
    },
    answered: tell,
  };
}

export function sessionOf(bench: Bench, command: string): Metadata {
  return { session: bench.run, properties: { tool: "suture", feature: command }, tags: [command] };
}

/** A refusal in words, without secrets. */
export function worded(bench: Pick<Bench, "redact">, refusal: Refusal, tool = "suture"): string {
  return bench.redact(textOf(refused(refusal, { tool, wording: "files" })));
}

/** Keeps the record of a run; what went wrong with that is worth a word and stops nothing. */
export async function keepAudit(bench: Bench, record: AuditRecord): Promise<void> {
  const { workspace } = bench.context;
  if (!workspace) return;
  const kept = await writeAudit(workspace, checkAudit(record, bench.redact));
  if (!kept.ok)
    bench.report({
      kind: "failed",
      subject: record.id,
      text: `the audit record was not kept: ${worded(bench, kept.refusal)}`,
    });
}

/** Ends a run: backups beside the files go when all went well, and stay when something did not. */
export async function finishRun(bench: Bench, succeeded: boolean): Promise<void> {
  const finished = await bench.context.workspace?.finishRun(bench.run, { succeeded });
  if (finished && !finished.ok)
    bench.report({ kind: "failed", subject: bench.run, text: worded(bench, finished.refusal) });
}

export async function readStateText(bench: Bench, name: string): Promise<string | null> {
  const read = await bench.context.reader.readState(name);
  return read.ok && read.value !== null ? new TextDecoder().decode(read.value) : null;
}
