import type { ModelFixes } from "../../agents/fix/fix-with-model.ts";
import type { AgentRun } from "../../agents/run/agent-run.ts";
import type { OpenAgentRun } from "../../agents/run/open-agent-run.ts";
import { patchOf } from "../../docs/audit.ts";
import type { CheckReport, ReportedFinding } from "../../docs/check.ts";
import { type Fixed, fixFindings } from "../../docs/fix.ts";
import { proposalOf, writeProposal } from "../../docs/proposal.ts";
import { documentClass } from "../../drift/pages/policies.ts";
import type { Outcome } from "../../text/model/outcome.ts";
import { gating } from "../../wording/print-findings.ts";
import { plural } from "../../wording/report.ts";
import { atSite, check, decline, paintFinding, ranging, type Site } from "../check-repository.ts";
import { type Call, type Command, exit, isSet, numberOf, textOf } from "../command.ts";
import { paintDiff } from "../paint.ts";
import { misuse } from "../usage-error.ts";
import { usageLine } from "../usage-line.ts";
import { asking, remarkingSoon, stepsOf, withAgentRun } from "../with-models.ts";

export const command: Command = {
  name: "fix",
  group: "documentation",
  summary: "make the edits that make the documents true again",
  usage: ["[--base REV]"],
  operands: [0, 0],
  options: [
    ...ranging,
    { name: "dry-run", short: "n", text: "show the edits and write nothing" },
    { name: "propose", text: "keep the edits for `suture review` instead of making them" },
    { name: "yes", short: "y", text: "make the likely edits too, without asking" },
    { name: "limit", value: "N", integer: true, text: "most findings to fix" },
    { name: "no-model", text: "rules only, whatever model is configured" },
    { name: "no-review", text: "ask no second model what is wrong with a new wording" },
    { name: "author", value: "NAME", text: "who makes the edits by rule" },
    ...asking,
  ],
  examples: [
    ["what would change", "suture fix --dry-run"],
    ["every edit that a rule can make", "suture fix --base HEAD~1 --yes --no-model"],
    ["rules first, a model for the rest", "suture fix --model anthropic:claude-sonnet-4-5 --max-cost 0.50"],
  ],
  run,
};

function run(call: Call): Promise<number> {
  const { options, terminal } = call;
  if (isSet(options, "no-model") && isSet(options, "model"))
    return Promise.resolve(misuse(terminal, "--model and --no-model exclude each other"));
  return atSite(call, "fix", async (site) => {
    if (site.git?.isBare) return misuse(terminal, "fix needs a work tree to write to");
    if (isSet(options, "head")) {
      const named = await site.git?.resolve(textOf(options, "head")!);
      if (named !== (await site.git?.resolve("HEAD")))
        return misuse(terminal, "fix writes to the work tree, so --head can only be what is checked out");
    }
    const agreed = new Set<string>();
    return withAgentRun(call, (opened) => fixAt(call, site, opened, agreed), {
      root: site.root,
      readOnly: isSet(options, "dry-run"),
      review: !isSet(options, "no-review"),
      rulesOnly: isSet(options, "no-model"),
      policy: { consent: (path, concern) => concern === "instructions for agents" && agreed.has(path) },
    });
  });
}

async function fixAt(call: Call, site: Site, opened: OpenAgentRun, agreed: Set<string>): Promise<number> {
  const { options, terminal } = call;
  // One task for rules and model: their edits of a page are no conflict.
  const run = { ...opened.run, context: { ...opened.run.context, task: "fix" } };
  const checked = await remarkingSoon(run, "fix", "looking at the change", () => check(site, options));
  if (!checked.ok) return decline(terminal, "fix", checked.refusal);
  const report = checked.value;
  const { chosen, declined } = await choose(call, report);
  for (const { path, edits } of chosen.findings) if (edits.length > 0) agreed.add(path);
  const dryRun = isSet(options, "dry-run") || isSet(options, "propose");
  const fixed = await fixFindings({ ...run.context, author: textOf(options, "author") ?? "suture" }, chosen, {
    tiers: ["certain", "likely"],
    run: run.id,
    time: run.now().toISOString(),
    dryRun,
  });
  if (!fixed.ok) return decline(terminal, "fix", fixed.refusal);
  const most = (numberOf(options, "limit") ?? Number.POSITIVE_INFINITY) - fixed.value.fixed.length;
  const open = findOpen(report, fixed.value, declined).slice(0, Math.max(0, most));
  const { models } = run;
  if (!models || open.length === 0)
    return propose(call, run, report, fixed.value, null) ?? answer(call, report, fixed.value, null, open);
  if (isSet(options, "propose")) await beginProposal(call, run, report, open.length);
  const { fixWithModel } = await import("../../agents/fix/fix-with-model.ts");
  const { refusalText } = await import("../../agents/run/agent-run.ts");
  const task = { findings: open, byRule: fixed.value, report, dryRun, maxSteps: stepsOf(call) };
  const rest = await fixWithModel({ ...run, models }, task);
  if (!rest.ok) terminal.complain(`suture: ${refusalText(run, rest.refusal)}`);
  return (
    propose(call, run, report, fixed.value, rest.ok ? rest.value : null) ??
    answer(call, report, fixed.value, rest, open)
  );
}

/** What rules propose can be looked at while a model is still asked about the rest. */
async function beginProposal(
  { terminal }: Call,
  { context, id, now }: AgentRun,
  report: CheckReport,
  total: number,
): Promise<void> {
  const begun = proposalOf(report, { id, time: now().toISOString(), source: "fix" });
  const progress = { done: 0, total, doing: `Asking a model about ${plural(total, "passage")}` };
  const written = await writeProposal(context.workspace!, { ...begun, progress });
  if (written.ok) terminal.remark(`Watch it with: suture review ${id}`);
}

/** Keeps what would be edited for a person to decide about, where that is asked for. */
function propose(
  { options, terminal }: Call,
  { context, id, now }: AgentRun,
  report: CheckReport,
  byRule: Fixed,
  worded: ModelFixes | null,
): Promise<number> | undefined {
  if (!isSet(options, "propose")) return;
  const models = new Map(
    findDone(report, byRule, worded).flatMap((done) =>
      done.by === "rule" ? [] : [[done.id, done] as const],
    ),
  );
  const findings = report.findings.map((finding) => models.get(finding.id) ?? finding);
  const about = {
    id,
    time: now().toISOString(),
    source: "fix",
    ...(worded ? { model: worded.model } : {}),
  };
  return writeProposal(context.workspace!, proposalOf({ ...report, findings }, about)).then((written) => {
    if (!written.ok) return decline(terminal, "fix", written.refusal);
    if (terminal.json) terminal.printJson({ success: true, run: id, findings });
    else terminal.print(`✓ ${plural(findings.length, "finding")} kept as ${id}`);
    terminal.remark(`Decide with: suture review ${id}`);
    return exit.done;
  });
}

/** Certain edits are made; likely ones, and edits of what instructs agents, when somebody agrees; the others are left. */
async function choose(
  { options, terminal }: Call,
  report: CheckReport,
): Promise<{ chosen: CheckReport; declined: ReadonlySet<string> }> {
  const most = numberOf(options, "limit") ?? Number.POSITIVE_INFINITY;
  const findings: ReportedFinding[] = [];
  const declined = new Set<string>();
  let taken = 0;
  for (const finding of report.findings) {
    const wanted = taken < most && finding.edits.length > 0 && (await isWanted(finding));
    if (wanted) taken++;
    findings.push(wanted ? finding : { ...finding, edits: [] });
  }
  return { chosen: { ...report, findings }, declined };

  async function isWanted(finding: ReportedFinding): Promise<boolean> {
    if (finding.tier === "possible") return false;
    if (isSet(options, "yes") || isSet(options, "propose")) return true;
    const instructs = documentClass(finding.path) === "instructions";
    if (finding.tier === "certain" && !instructs) return true;
    if (terminal.json) return false;
    const warning = instructs ? "\nThis file instructs agents: the edit changes what they will do." : "";
    const answer = await terminal.ask(
      `${paintFinding(finding, { colour: false })}${warning}\nMake this edit? [y/N]`,
    );
    if (answer?.toLowerCase().startsWith("y")) return true;
    if (answer !== undefined) declined.add(finding.id);
    return false;
  }
}

/**
 * What a model may still be asked about: passages, and not whole pages; nothing that a person has just said no to, and
 * nothing that instructs agents.
 */
function findOpen(report: CheckReport, { fixed }: Fixed, declined: ReadonlySet<string>): ReportedFinding[] {
  const done = new Set(fixed.map(({ id }) => id));
  return report.findings.filter(
    ({ id, path, kind }) =>
      !done.has(id) && !declined.has(id) && kind !== "subject" && documentClass(path) !== "instructions",
  );
}

type Done = ReportedFinding & { readonly by: string };

function answer(
  { terminal, options }: Call,
  report: CheckReport,
  byRule: Fixed,
  rest: Outcome<ModelFixes> | null,
  open: readonly ReportedFinding[],
): number {
  const worded = rest?.ok ? rest.value : null;
  const done = findDone(report, byRule, worded);
  const mended = new Set(done.map(({ id }) => id));
  const left = report.findings.filter(({ id }) => !mended.has(id));
  const whyLeft = explainLeft(worded);
  const gates = gating({ ...report, findings: left });
  const patches = patchesOf(byRule, worded);
  const written =
    byRule.applied?.entry !== undefined || (worded?.record !== undefined && worded.patches.size > 0);
  const run = (worded?.record ?? byRule.record)?.id;
  const dryRun = isSet(options, "dry-run");
  if (terminal.json)
    terminal.printJson({
      success: gates.length === 0,
      base: report.base,
      head: report.head,
      fixed: done,
      left: left.map((finding) => ({ ...finding, ...whyLeft(finding.id) })),
      unknown: report.unknown,
      diff: patches.join(""),
      ...(worded === null ? {} : { model: worded.model, usage: worded.usage }),
      ...(run === undefined ? {} : { run, entry: byRule.applied?.entry?.id }),
      ...(dryRun ? { dryRun: true } : {}),
    });
  else {
    for (const patch of patches) terminal.printPainted(paintDiff(patch, terminal));
    for (const { path, startLine, message, by } of done)
      terminal.print(`✓ ${path}:${startLine} ${message}${by === "rule" ? "" : ` (${by})`}`);
    for (const finding of gates) {
      terminal.printPainted(paintFinding(finding, terminal));
      const { why } = whyLeft(finding.id);
      if (why !== undefined) terminal.print(`    ${why}`);
    }
  }
  terminal.remark(summary(done.length, gates.length, dryRun));
  if (worded !== null) terminal.remark(`${worded.model}: ${usageLine(worded.usage)}`);
  if (written) terminal.remark(`Take it back with: suture undo ${run}`);
  if (rest === null) adviseOn(gates, open);
  if (gates.length > 0 || worded?.passages.some(({ error }) => error !== undefined)) return exit.refused;
  return report.unknown.length > 0 || rest?.ok === false ? exit.failed : exit.done;

  function adviseOn(gates: readonly ReportedFinding[], open: readonly ReportedFinding[]): void {
    if (gates.some(({ tier, edits }) => tier === "likely" && edits.length > 0))
      terminal.remark("`suture fix --yes` makes the likely edits too.");
    if (open.some(({ edits }) => edits.length === 0) && !isSet(options, "no-model"))
      terminal.remark("A model can word what no rule can: pass --model provider:name, or set SUTURE_MODEL.");
  }
}

/** What was mended and by whom. A passage whose last wording was refused stays with the person. */
function findDone(report: CheckReport, { fixed }: Fixed, worded: ModelFixes | null): Done[] {
  const results = new Map(worded?.passages.map((passage) => [passage.finding, passage]));
  const ruled = new Set(fixed.map(({ id }) => id));
  return report.findings.flatMap((finding): Done[] => {
    if (ruled.has(finding.id)) return [{ ...finding, by: "rule" }];
    const result = results.get(finding.id);
    if (!result || result.error !== undefined || result.edits.length === 0) return [];
    return [{ ...finding, edits: result.edits, by: worded!.model }];
  });
}

/** What became of the passages a model was asked about and did not mend. */
function explainLeft(worded: ModelFixes | null): (id: string) => { why?: string } {
  const results = new Map(worded?.passages.map((passage) => [passage.finding, passage]));
  return (id) => {
    const result = results.get(id);
    return result === undefined ? {} : { why: result.error ?? result.summary };
  };
}

/** One diff for each page, from what the run found to what it leaves. */
function patchesOf({ applied }: Fixed, worded: ModelFixes | null): string[] {
  const patches = new Map((applied?.plan.changes ?? []).map((change) => [change.path, patchOf(change)]));
  for (const [path, patch] of worded?.patches ?? []) patches.set(path, patch);
  return [...patches].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, patch]) => patch);
}

function summary(done: number, open: number, dryRun: boolean): string {
  const made = `${plural(done, "passage")} ${dryRun ? "would be" : done === 1 ? "was" : "were"} made true`;
  return open === 0 ? made : `${made}, ${open} left for a person`;
}
