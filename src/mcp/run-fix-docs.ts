import { askedKind, findSilent } from "../agents/fix/find-silent.ts";
import type { PassageResult } from "../agents/fix/fix-passages.ts";
import { fixWithModel } from "../agents/fix/fix-with-model.ts";
import type { ModelRun } from "../agents/run/agent-run.ts";
import { check } from "../docs/check/check.ts";
import { type PageText, recheckPage } from "../docs/check/recheck.ts";
import type { CheckReport } from "../docs/check/report.ts";
import { isInstructions } from "../docs/fix/choose.ts";
import { fix } from "../docs/fix/fix-report.ts";
import { openProject } from "../docs/project.ts";
import { accept, type Outcome } from "../text/model/outcome.ts";
import type { Context, Result } from "../tools/tool.ts";
import { fixDocsSummary } from "../wording/mcp.ts";
import { createAgentRun } from "./agent-run.ts";
import type { FixDocsCall, FixDocsInput } from "./fix-docs.ts";
import { openSamplingModel, type Sample } from "./sampling.ts";

/** Rules first, then the client's model for the findings that rules leave. */
export async function runFixDocs(
  call: FixDocsCall,
  signal: AbortSignal,
  sample: Sample,
): Promise<Outcome<Result>> {
  const { context, input, client } = call;
  const checked = await findDrift(context, input);
  if (!checked.ok) return checked;
  const run = await createAgentRun(context, signal);
  const model = openSamplingModel(`client:${client}`, sample);
  const models = { planner: model, writer: model, researcher: model, reviewer: null };
  const report = await addSilent({ ...run, models }, checked.value, input);
  const fixed = await fix(run.context, report, {
    tiers: ["certain"],
    run: run.id,
    time: run.now().toISOString(),
    rewriteLimit: limitOf(input),
    rewrite: (findings, byRule) =>
      fixWithModel({ ...run, models }, { findings, byRule, report, recheck: recheckOf(context, report) }),
  });
  if (!fixed.ok) return fixed;
  const { done, rewritten } = fixed.value;
  if (rewritten && !rewritten.ok) return rewritten;
  // A passage that only the model noticed, and then called a false alarm, is nothing that is left.
  const left = fixed.value.left.filter(({ kind, tier }) => kind !== askedKind || tier !== "possible");
  const output = fixDocsSummary({
    fixed: done,
    left,
    explanations: explain(rewritten?.value.passages ?? []),
  });
  return accept({
    success: true,
    output,
    tool: "fix_docs",
    run: run.id,
    fixed: done,
    left,
    unknown: report.unknown,
  });
}

/** A report with the passages that the client's model notices where the rules are silent. */
async function addSilent(run: ModelRun, report: CheckReport, { path }: FixDocsInput): Promise<CheckReport> {
  const { findings } = await findSilent(run, report);
  const found = findings.filter(
    (finding) => (typeof path !== "string" || finding.path === path) && !isInstructions(finding.path),
  );
  return { ...report, findings: [...report.findings, ...found] };
}

/** The drift of the documents that the input names. Instructions for agents are not for a model to edit. */
async function findDrift({ reader }: Context, { base, path }: FixDocsInput): Promise<Outcome<CheckReport>> {
  const project = await openProject({ reader });
  const range = { base: typeof base === "string" ? base : undefined };
  const checked = project.ok ? await check(project.value, range) : project;
  if (!checked.ok) return checked;
  const findings = checked.value.findings.filter(
    (finding) => (typeof path !== "string" || finding.path === path) && !isInstructions(finding.path),
  );
  return accept({ ...checked.value, findings });
}

function recheckOf({ reader }: Context, report: CheckReport) {
  return async (page: PageText) => {
    const project = await openProject({ reader });
    return project.ok ? recheckPage(project.value, report, page) : [];
  };
}

function limitOf({ limit }: FixDocsInput): number {
  return typeof limit === "number" && limit >= 1 ? Math.min(Math.floor(limit), 20) : 5;
}

function explain(passages: readonly PassageResult[]): ReadonlyMap<string, string> {
  return new Map(passages.map(({ finding, summary, error }) => [finding, error ?? summary]));
}
