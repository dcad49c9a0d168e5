import type { LookedAt } from "../agents/fix/find-silent.ts";
import type { AgentRun } from "../agents/run/agent-run.ts";
import type { AgentRunOptions, OpenAgentRun } from "../agents/run/open-agent-run.ts";
import type { CheckReport } from "../docs/check/report.ts";
import { accept, type Outcome, type Refusal } from "../text/model/outcome.ts";
import { exitCodeOf } from "../wording/exit-code.ts";
import { judgeLine, lookedLine, verdictsLine } from "../wording/usage-line.ts";
import { type Call, isSet, numberOf, type Option, textOf } from "./command.ts";
import { untilDone } from "./terminal/interrupt.ts";
import { openProgressList } from "./terminal/progress-list.ts";
import { usageError } from "./usage-error.ts";

/** Options of the commands that may ask a model. */
export const modelOptions: readonly Option[] = [
  { name: "model", value: "P:M", text: "the model, as provider:name; SUTURE_MODEL by default" },
  { name: "max-cost", value: "USD", text: "the most dollars to spend" },
  { name: "timeout", value: "S", integer: true, text: "seconds to wait for one answer of the model (120)" },
  {
    name: "max-steps",
    value: "N",
    integer: true,
    text: "round trips to the model for each page (5)",
  },
];

/** Options of the checks whose findings a model may judge. */
export const judgeOptions: readonly Option[] = [
  {
    name: "model",
    value: "P:M",
    text: "a model judges each finding, and looks for what no rule noticed, as provider:name",
  },
  ...modelOptions.filter(({ name }) => name === "max-cost" || name === "timeout"),
];

/** Options of the checks that a finding can fail. */
export const gateOptions: readonly Option[] = [
  ...judgeOptions,
  { name: "strict-model", text: "fail also on passages that only the model noticed" },
];

/** The pages of a report as their commit has them; by default as they are on the disk. */
export type PageAtHead = (path: string) => Promise<string | null>;

type Work = (opened: OpenAgentRun) => Promise<number>;

/** Judges the findings of a report. */
export type ReportJudge = (
  report: CheckReport,
  options?: { readonly read?: PageAtHead },
) => Promise<Outcome<CheckReport>>;

/** Does the work of a check with a judge, and says at its end what the judge used. */
export function withJudge(
  call: Call,
  work: (judge: ReportJudge) => Promise<number>,
  how: { readonly root: string; readonly command: string },
): Promise<number> {
  const { root, command } = how;
  const judging: Work = async ({ run }) => {
    let failed = 0;
    let isAsked = false;
    let recorded: string | null = null;
    let looked: LookedAt | null = null;
    const report: AgentRun["report"] = (event) => {
      if (event.kind === "failed") failed++;
      run.report(event);
    };
    const code = await work((found, options) => {
      isAsked = true;
      const recordedAs = (id: string): void => {
        recorded = id;
      };
      const lookedAt = (at: LookedAt): void => {
        looked = at;
      };
      return judgeReport({ ...run, report }, found, { ...options, command, recordedAs, lookedAt });
    });
    const model = run.models?.reviewer ?? run.models?.writer;
    if (model && isAsked)
      call.terminal.remark(judgeLine({ model: model.name, usage: run.budget.total(), failed }));
    if (looked !== null) call.terminal.remark(lookedLine(looked));
    if (recorded !== null) call.terminal.remark(verdictsLine(recorded));
    return code;
  };
  return withAgentRun(call, judging, { root });
}

/** Has the chosen model judge the findings of a report, and keeps a record of its verdicts. */
async function judgeReport(
  run: AgentRun,
  report: CheckReport,
  options: SilentOptions & { readonly command: string; recordedAs(run: string): void },
): Promise<Outcome<CheckReport>> {
  const { models } = run;
  if (models === null) return accept(report);
  const asked = await withSilent(run, report, options);
  const { judgeFindings } = await import("../agents/fix/judge-findings.ts");
  const judged = await judgeFindings({ ...run, models }, asked, options);
  if (!judged.ok) return judged;
  const { recordVerdicts } = await import("../agents/fix/judge-record.ts");
  const record = await recordVerdicts({ ...run, models }, judged.value, options.command);
  if (record !== null) options.recordedAs(record);
  const { askedKind } = await import("../agents/fix/find-silent.ts");
  // A passage that only a model noticed is reported where the judge confirms it.
  const findings = judged.value.findings.filter(
    ({ kind, tier }) => kind !== askedKind || tier !== "possible",
  );
  return accept({ ...judged.value, findings });
}

type SilentOptions = { readonly read?: PageAtHead; readonly lookedAt?: (at: LookedAt) => void };

/** A report with the passages that the chosen model notices where the rules are silent. */
export async function withSilent(
  run: AgentRun,
  report: CheckReport,
  options: SilentOptions = {},
): Promise<CheckReport> {
  const { models } = run;
  if (models === null) return report;
  const { findSilent } = await import("../agents/fix/find-silent.ts");
  const { findings, looked } = await findSilent({ ...run, models }, report, options);
  if (looked) options.lookedAt?.(looked);
  return findings.length === 0 ? report : { ...report, findings: [...report.findings, ...findings] };
}

/** Opens an agent run as the options ask, does the work, and closes the run. */
export async function withAgentRun(
  call: Call,
  work: Work,
  how: Pick<AgentRunOptions, "readOnly" | "review" | "rulesOnly" | "policy"> & {
    readonly root?: string;
  } = {},
): Promise<number> {
  const { options, terminal } = call;
  const maxCost = textOf(options, "max-cost");
  if (maxCost !== undefined && !/^\d{1,9}(\.\d{1,9})?$/.test(maxCost))
    return usageError(terminal, `--max-cost takes an amount in dollars, not ${JSON.stringify(maxCost)}`);
  const { openAgentRun } = await import("../agents/run/open-agent-run.ts");
  const progress = openProgressList(terminal);
  return untilDone(async (signal) => {
    const opened = await openAgentRun({
      ...how,
      root: how.root ?? textOf(options, "root") ?? ".",
      environment: process.env,
      model: textOf(options, "model"),
      maxCostUsd: maxCost === undefined ? undefined : Number(maxCost),
      timeout: numberOf(options, "timeout"),
      report: progress.report,
      signal,
    });
    if (!opened.ok) return explain(call, opened.refusal);
    try {
      return await work(opened.value);
    } finally {
      progress.close();
      await opened.value.close();
    }
  });
}

/** Prints a refusal without secrets, and returns its exit code. */
export async function explain(call: Call, refusal: Refusal, run?: AgentRun): Promise<number> {
  const { refused, textOf: words } = await import("../wording/report.ts");
  const { createRedact, secretsIn } = await import("../text/match/secrets.ts");
  const result = refused(refusal, { tool: "suture", wording: "files" });
  const redact = run?.redact ?? createRedact(secretsIn(process.env));
  const text = redact(words(result));
  if (call.terminal.json) call.terminal.printJson({ ...result, error: text });
  else call.terminal.complain(`suture: ${text}`);
  return exitCodeOf(refusal);
}

export function stepsOf({ options }: Call): number | undefined {
  return isSet(options, "max-steps") ? numberOf(options, "max-steps") : undefined;
}
