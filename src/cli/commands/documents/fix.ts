import type { LookedAt } from "../../../agents/fix/find-silent.ts";
import type { ModelFixes } from "../../../agents/fix/fix-with-model.ts";
import type { AgentRun, ModelRun } from "../../../agents/run/agent-run.ts";
import { check, onlyOf } from "../../../docs/check/check.ts";
import { type PageTexts, readPageTexts } from "../../../docs/check/page-texts.ts";
import { type PageText, recheckPage } from "../../../docs/check/recheck.ts";
import type { CheckReport, ReportedFinding } from "../../../docs/check/report.ts";
import { type Choice, concernAbout } from "../../../docs/fix/choose.ts";
import { leaveOut, type Unwanted } from "../../../docs/fix/dismiss.ts";
import type { Fixed } from "../../../docs/fix/fix.ts";
import { fix } from "../../../docs/fix/fix-report.ts";
import { readFindings } from "../../../docs/fix/read-findings.ts";
import { rootToWrite } from "../../../docs/named-project.ts";
import type { Project } from "../../../docs/project.ts";
import { isDocumentPath } from "../../../drift/pages/policies.ts";
import { accept, type Outcome } from "../../../text/model/outcome.ts";
import { configPath } from "../../../tools/config-path.ts";
import type { Context } from "../../../tools/tool.ts";
import { docsWords } from "../../../wording/drift.ts";
import { checkWords } from "../../../wording/findings.ts";
import {
  exitCodeOfFix,
  type FixRun,
  fixRemarks,
  fixValue,
  fixWords,
  leftFor,
  whyLeft,
} from "../../../wording/fix.ts";
import type { Reader } from "../../../workspace/workspace.ts";
import { type Call, type Command, isSet, numberOf, textOf } from "../../command.ts";
import { sameWith } from "../../command-line.ts";
import { readInput } from "../../terminal/input.ts";
import { paintDiff } from "../../terminal/paint.ts";
import { paintFinding } from "../../terminal/paint-findings.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { whileSlow } from "../../terminal/while-slow.ts";
import { usageError } from "../../usage-error.ts";
import { modelOptions, withAgentRun, withSilent } from "../../with-models.ts";
import { decline, docsOption, rangeOf, rangeOptions, withProject } from "../../with-project.ts";
import { FixInterview } from "./fix-interview.ts";
import { beginProposal, propose } from "./fix-proposal.ts";

export const command: Command = {
  name: "fix",
  group: "documentation",
  summary: "make the edits that make the documents true again",
  usage: ["[PATH...] [--base REV]", "[PATH...] --all"],
  operands: [0, 10_000],
  options: [
    ...rangeOptions,
    docsOption,
    { name: "all", text: "fix all documents without a change, as `check --all` finds them" },
    { name: "dry-run", short: "n", text: "show the edits and write nothing" },
    { name: "propose", text: "keep the edits for `suture review` instead of making them" },
    { name: "yes", short: "y", text: "make the likely edits too, without asking" },
    { name: "limit", value: "N", integer: true, text: "most findings to fix" },
    {
      name: "findings",
      value: "FILE",
      text: "fix the findings of another program: suture's own JSON, or SARIF; - reads standard input",
    },
    { name: "no-model", text: "rules only, whatever model is configured" },
    { name: "no-review", text: "do not ask a second model to review a new wording" },
    { name: "author", value: "NAME", text: "who makes the edits by rule" },
    ...modelOptions,
  ],
  examples: [
    ["what would change", "suture fix --dry-run"],
    ["pages in another clone", "suture fix --docs ../handbook"],
    ["the fixes of another checker", "suture fix --findings lint.sarif --yes"],
    ["every edit that a rule can make", "suture fix --base HEAD~1 --yes --no-model"],
    ["rules first, a model for the rest", "suture fix --model anthropic:claude-sonnet-4-5 --max-cost 0.50"],
  ],
  run,
};

function run(call: Call): Promise<number> {
  const { options, terminal } = call;
  if (isSet(options, "no-model") && isSet(options, "model"))
    return Promise.resolve(usageError(terminal, "--model and --no-model exclude each other"));
  const work = async (project: Project): Promise<number> => {
    if (project.git?.isBare) return usageError(terminal, fixWords.needsWorkTree);
    if (!(await isCheckedOut(project, textOf(options, "head"))))
      return usageError(terminal, fixWords.onlyCheckedOut);
    if (project.docs && isSet(options, "model")) return usageError(terminal, docsWords.rulesOnly);
    const dryRun = isSet(options, "dry-run");
    const root = dryRun ? accept((project.docs ?? project).root) : rootToWrite(project);
    if (!root.ok) return decline(terminal, "fix", root.refusal);
    const agreed = new Set<string>();
    return withAgentRun(call, ({ run }) => fixAt({ call, project, agreed }, run), {
      root: root.value,
      readOnly: dryRun,
      review: !isSet(options, "no-review"),
      rulesOnly: isSet(options, "no-model") || project.docs !== undefined,
      policy: {
        // A person who never wants a rule again has said so at the terminal; that goes to the configuration.
        consent: (path, concern) => path === configPath || (concern !== "secrets" && agreed.has(path)),
      },
    });
  };
  return withProject(call, "fix", work, { paths: call.operands });
}

async function isCheckedOut({ git }: Project, head: string | undefined): Promise<boolean> {
  return head === undefined || (await git?.resolve(head)) === (await git?.resolve("HEAD"));
}

type FixCall = {
  readonly call: Call;
  readonly project: Project;
  /** The pages that a person has agreed to edit. */
  readonly agreed: Set<string>;
};

async function fixAt({ call, project, agreed }: FixCall, opened: AgentRun): Promise<number> {
  const { options, terminal } = call;
  const { models } = opened;
  // One task for rules and model: their edits of a page are no conflict.
  const run = { ...opened, context: { ...opened.context, task: "fix" } };
  const looking = () => findReport(call, project, run.context.reader);
  const checked = await whileSlow(terminal, checkWords.looking(isSet(options, "all")), looking);
  if (!checked.ok) return decline(terminal, "fix", checked.refusal);
  const pages = await readPageTexts({ git: null, reader: run.context.reader }, onDisk(checked.value));
  const isOurs = !isSet(options, "findings");
  let looked: FixRun["looked"];
  const lookedAt = (at: LookedAt): void => {
    looked = at;
  };
  const report = isOurs ? await withSilent(run, checked.value, { lookedAt }) : checked.value;
  const isAgreed = isSet(options, "yes") || isSet(options, "propose");
  if (isAgreed) for (const { path } of report.findings) agree(agreed, path);
  const interview = terminal.json ? null : new FixInterview(terminal);
  const fixed = await fix({ ...run.context, author: textOf(options, "author") ?? "suture" }, report, {
    tiers: ["certain"],
    agreed: isAgreed,
    judged: models !== null,
    ask: interview ? asker(interview, agreed) : undefined,
    limit: numberOf(options, "limit"),
    run: run.id,
    time: run.now().toISOString(),
    dryRun: isSet(options, "dry-run") || isSet(options, "propose"),
    rewrite: models
      ? (open, byRule) => rewrite(call, { ...run, models }, { project, report, open, byRule })
      : undefined,
  });
  if (!fixed.ok) return decline(terminal, "fix", fixed.refusal);
  if (isSet(options, "propose")) return propose(terminal, run, { report, fixed: fixed.value });
  const dryRun = isSet(options, "dry-run");
  const leaving = interview && !dryRun ? await leaveUnwanted(run.context, interview.unwanted) : accept([]);
  if (!leaving.ok) return decline(terminal, "fix", leaving.refusal);
  if (leaving.value.length > 0) terminal.print(fixWords.leftOut(leaving.value));
  const fixRun: FixRun = {
    report,
    fixed: fixed.value,
    dryRun,
    rulesOnly: isSet(options, "no-model"),
    asked: askedOf(run),
    looked,
    command: sameWith("fix", call),
  };
  return answer(terminal, fixRun, { limit: numberOf(options, "limit"), pages });
}

/** The same report about the pages as they are now. */
function onDisk({ docs: _, ...report }: CheckReport): CheckReport {
  return { ...report, head: "worktree" };
}

/** The model of a run and what it used; undefined where it was asked nothing. */
function askedOf({ models, budget }: AgentRun): FixRun["asked"] {
  const usage = budget.total();
  return models && usage.inputTokens + usage.outputTokens > 0
    ? { model: models.writer.name, usage }
    : undefined;
}

/** Writes to the configuration which rules and sources the person never wants, and names them. */
async function leaveUnwanted(context: Context, unwanted: Unwanted): Promise<Outcome<readonly string[]>> {
  const names = [...unwanted.rules, ...unwanted.sources];
  if (names.length === 0) return accept([]);
  const written = await leaveOut({ ...context, author: "person" }, unwanted);
  return written.ok ? accept(names) : written;
}

/** The report of a check, or the findings that the caller has. */
async function findReport(
  { options }: Call,
  project: Project,
  reader: Reader,
): Promise<Outcome<CheckReport>> {
  const file = textOf(options, "findings");
  if (file === undefined) return check(project, rangeOf(options));
  const text = await readInput(file);
  const read = text.ok ? await readFindings(reader, text.value) : text;
  if (!read.ok) return read;
  return accept(onlyOf({ ...read.value, findings: read.value.findings.map(withoutTrust) }, project));
}

/** A file cannot say how certain it is: a person agrees to its edits. */
function withoutTrust(finding: ReportedFinding): ReportedFinding {
  return finding.tier === "certain" ? { ...finding, tier: "likely" } : finding;
}

/** Asks a person about each edit. The pages whose edits are wanted may be written, also if they need consent. */
function asker(interview: FixInterview, agreed: Set<string>): Choice["ask"] {
  return async (finding, about) => {
    const answer = await interview.ask(finding, about);
    if (answer !== undefined && answer !== false) agree(agreed, finding.path);
    return answer;
  };
}

/** A person agrees to edits of a page. The findings of another program may name any file, and a page is what was meant. */
function agree(agreed: Set<string>, path: string): void {
  if (isDocumentPath(path)) agreed.add(path);
}

type OpenPassages = {
  readonly project: Project;
  readonly report: CheckReport;
  readonly open: readonly ReportedFinding[];
  readonly byRule: Fixed;
};

/** Has a model judge the likely edits and write what no rule can. */
async function rewrite(
  call: Call,
  run: ModelRun,
  { project, report, open, byRule }: OpenPassages,
): Promise<Outcome<ModelFixes>> {
  const { options, terminal } = call;
  if (isSet(options, "propose")) await beginProposal(terminal, run, { report, total: open.length });
  const { fixWithModel } = await import("../../../agents/fix/fix-with-model.ts");
  const { refusalText } = await import("../../../agents/run/agent-run.ts");
  const dryRun = isSet(options, "dry-run") || isSet(options, "propose");
  const recheck = (page: PageText) => recheckPage(project, report, page);
  const task = { findings: open, byRule, report, dryRun, recheck };
  const rest = await fixWithModel(run, task);
  if (!rest.ok) terminal.complain(`suture: ${refusalText(run, rest.refusal)}`);
  return rest;
}

type LeftLook = { readonly limit: number | undefined; readonly pages: PageTexts };

function answer(terminal: Terminal, fix: FixRun, shown: LeftLook): number {
  if (terminal.json) terminal.printJson(fixValue(fix));
  else show(terminal, fix, shown);
  for (const remark of fixRemarks(fix)) terminal.remark(remark);
  return exitCodeOfFix(fix);
}

function show(terminal: Terminal, fix: FixRun, { limit, pages }: LeftLook): void {
  const { done, patches } = fix.fixed;
  for (const patch of patches) terminal.printPainted(paintDiff(patch, terminal));
  for (const { path, startLine, message, by } of done)
    terminal.print(`✓ ${path}:${startLine} ${message}${by === "rule" ? "" : ` (${by})`}`);
  for (const finding of leftFor(fix)) {
    const { colour, verbose, columns } = terminal;
    terminal.printPainted(paintFinding(finding, { colour, verbose, columns, pages }));
    const said = whyLeft(finding, { limit, done: done.length, concern: concernAbout(finding.path) });
    if (said !== undefined) terminal.print(`    ${said}`);
  }
}
