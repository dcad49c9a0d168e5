import type { ModelFixes } from "../../../agents/fix/fix-with-model.ts";
import type { AgentRun, ModelRun } from "../../../agents/run/agent-run.ts";
import type { OpenAgentRun } from "../../../agents/run/open-agent-run.ts";
import { check } from "../../../docs/check/check.ts";
import type { CheckReport, ReportedFinding } from "../../../docs/check/report.ts";
import { withRewritten } from "../../../docs/fix/conclude.ts";
import type { Fixed } from "../../../docs/fix/fix.ts";
import { type FixedReport, fix } from "../../../docs/fix/fix-report.ts";
import { proposalOf, writeProposal } from "../../../docs/fix/proposal.ts";
import type { Project } from "../../../docs/project.ts";
import type { Outcome } from "../../../text/model/outcome.ts";
import { fixSummary, fixWords } from "../../../wording/drift.ts";
import { gating } from "../../../wording/findings.ts";
import { plural } from "../../../wording/report.ts";
import { type Call, type Command, exit, isSet, numberOf, textOf } from "../../command.ts";
import { paintDiff } from "../../terminal/paint.ts";
import { paintFinding } from "../../terminal/paint-findings.ts";
import { misuse } from "../../usage-error.ts";
import { usageLine } from "../../usage-line.ts";
import { asking, remarkingSoon, stepsOf, withAgentRun } from "../../with-models.ts";
import { decline, rangeOf, ranging, withProject } from "../../with-project.ts";

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
  return withProject(call, "fix", async (project) => {
    if (project.git?.isBare) return misuse(terminal, "fix needs a work tree to write to");
    if (!(await isCheckedOut(project, textOf(options, "head"))))
      return misuse(terminal, "fix writes to the work tree, so --head can only be what is checked out");
    const agreed = new Set<string>();
    return withAgentRun(call, (opened) => fixAt(call, project, opened, agreed), {
      root: project.root,
      readOnly: isSet(options, "dry-run"),
      review: !isSet(options, "no-review"),
      rulesOnly: isSet(options, "no-model"),
      policy: { consent: (path, concern) => concern === "instructions for agents" && agreed.has(path) },
    });
  });
}

async function isCheckedOut({ git }: Project, head: string | undefined): Promise<boolean> {
  return head === undefined || (await git?.resolve(head)) === (await git?.resolve("HEAD"));
}

/** `agreed` gathers the pages that a person has agreed to edit. */
async function fixAt(
  call: Call,
  project: Project,
  opened: OpenAgentRun,
  agreed: Set<string>,
): Promise<number> {
  const { options, terminal } = call;
  const { models } = opened.run;
  // One task for rules and model: their edits of a page are no conflict.
  const run = { ...opened.run, context: { ...opened.run.context, task: "fix" } };
  const looking = () => check(project, rangeOf(options));
  const checked = await remarkingSoon(run, "fix", "looking at the change", looking);
  if (!checked.ok) return decline(terminal, "fix", checked.refusal);
  const report = checked.value;
  const isAgreed = isSet(options, "yes") || isSet(options, "propose");
  if (isAgreed) for (const { path } of report.findings) agreed.add(path);
  const fixed = await fix({ ...run.context, author: textOf(options, "author") ?? "suture" }, report, {
    tiers: ["certain"],
    agreed: isAgreed,
    ask: terminal.json ? undefined : (finding, about) => askAbout(call, finding, about.instructs, agreed),
    limit: numberOf(options, "limit"),
    run: run.id,
    time: run.now().toISOString(),
    dryRun: isSet(options, "dry-run") || isSet(options, "propose"),
    rewrite: models ? (open, byRule) => rewrite(call, { ...run, models }, report, open, byRule) : undefined,
  });
  if (!fixed.ok) return decline(terminal, "fix", fixed.refusal);
  return isSet(options, "propose")
    ? propose(call, run, report, fixed.value)
    : answer(call, report, fixed.value);
}

async function askAbout(
  { terminal }: Call,
  finding: ReportedFinding,
  instructs: boolean,
  agreed: Set<string>,
): Promise<boolean | undefined> {
  const warning = instructs ? `\n${fixWords.instructs}` : "";
  const question = `${paintFinding(finding, { colour: false })}${warning}\n${fixWords.question}`;
  const answer = (await terminal.ask(question))?.toLowerCase();
  if (answer?.startsWith("y")) agreed.add(finding.path);
  return answer?.startsWith("y");
}

/** Has a model write what no rule can. */
async function rewrite(
  call: Call,
  run: ModelRun,
  report: CheckReport,
  open: readonly ReportedFinding[],
  byRule: Fixed,
): Promise<Outcome<ModelFixes>> {
  const { options, terminal } = call;
  if (isSet(options, "propose")) await beginProposal(call, run, report, open.length);
  const { fixWithModel } = await import("../../../agents/fix/fix-with-model.ts");
  const { refusalText } = await import("../../../agents/run/agent-run.ts");
  const dryRun = isSet(options, "dry-run") || isSet(options, "propose");
  const task = { findings: open, byRule, report, dryRun, maxSteps: stepsOf(call) };
  const rest = await fixWithModel(run, task);
  if (!rest.ok) terminal.complain(`suture: ${refusalText(run, rest.refusal)}`);
  return rest;
}

/** A person can look at the rules' edits while a model is still asked about the rest. */
async function beginProposal(
  { terminal }: Call,
  { context, id: run, now }: AgentRun,
  report: CheckReport,
  total: number,
): Promise<void> {
  const begun = proposalOf(report, { id: run, time: now().toISOString(), source: "fix" });
  const progress = { done: 0, total, doing: fixWords.asking(total) };
  const written = await writeProposal(context.workspace!, { ...begun, progress });
  if (written.ok) terminal.remark(`Watch it with: suture review ${run}`);
}

/** Keeps the edits for a person to decide about. */
async function propose(
  { terminal }: Call,
  { context, id: run, now }: AgentRun,
  report: CheckReport,
  fixed: FixedReport<ModelFixes>,
): Promise<number> {
  const model = fixed.rewritten?.ok ? { model: fixed.rewritten.value.model } : {};
  const about = { id: run, time: now().toISOString(), source: "fix", ...model };
  const proposal = proposalOf(withRewritten(report, fixed), about);
  const written = await writeProposal(context.workspace!, proposal);
  if (!written.ok) return decline(terminal, "fix", written.refusal);
  const { findings } = proposal;
  if (terminal.json) terminal.printJson({ success: true, run, findings });
  else terminal.print(`✓ ${plural(findings.length, "finding")} kept as ${run}`);
  terminal.remark(`Decide with: suture review ${run}`);
  return exit.done;
}

function answer({ terminal, options }: Call, report: CheckReport, fixed: FixedReport<ModelFixes>): number {
  const { done, left, patches, byRule, rewritten, open } = fixed;
  const model = rewritten?.ok ? rewritten.value : null;
  const gates = gating({ ...report, findings: left });
  const run = (model?.record ?? byRule.record)?.id;
  const dryRun = isSet(options, "dry-run");
  if (terminal.json)
    terminal.printJson({
      success: gates.length === 0,
      base: report.base,
      head: report.head,
      fixed: done,
      left,
      unknown: report.unknown,
      diff: patches.join(""),
      ...(model === null ? {} : { model: model.model, usage: model.usage }),
      ...(run === undefined ? {} : { run, entry: byRule.applied?.entry?.id }),
      ...(dryRun ? { dryRun: true } : {}),
    });
  else show({ terminal }, fixed, gates);
  terminal.remark(fixSummary(done.length, gates.length, dryRun));
  if (model !== null) terminal.remark(`${model.model}: ${usageLine(model.usage)}`);
  const isWritten = byRule.applied?.entry !== undefined || (model?.record && model.patches.size > 0);
  if (isWritten) terminal.remark(`Take it back with: suture undo ${run}`);
  if (rewritten === null && gates.some(({ tier, edits }) => tier === "likely" && edits.length > 0))
    terminal.remark(fixWords.likely);
  if (rewritten === null && open.some(({ edits }) => edits.length === 0) && !isSet(options, "no-model"))
    terminal.remark(fixWords.model);
  if (gates.length > 0 || fixed.hasFailed) return exit.refused;
  return report.unknown.length > 0 || rewritten?.ok === false ? exit.failed : exit.done;
}

function show(
  { terminal }: Pick<Call, "terminal">,
  { done, left, patches }: FixedReport<ModelFixes>,
  gates: readonly ReportedFinding[],
): void {
  const why = new Map(left.map((finding) => [finding.id, finding.why]));
  for (const patch of patches) terminal.printPainted(paintDiff(patch, terminal));
  for (const { path, startLine, message, by } of done)
    terminal.print(`✓ ${path}:${startLine} ${message}${by === "rule" ? "" : ` (${by})`}`);
  for (const finding of gates) {
    terminal.printPainted(paintFinding(finding, terminal));
    const said = why.get(finding.id);
    if (said !== undefined) terminal.print(`    ${said}`);
  }
}
