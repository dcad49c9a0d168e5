import { applyBaseline, baselineOf, parseBaseline, printBaseline } from "../../../docs/check/baseline.ts";
import { check } from "../../../docs/check/check.ts";
import { readPageTexts } from "../../../docs/check/page-texts.ts";
import type { CheckReport } from "../../../docs/check/report.ts";
import { countEdits } from "../../../docs/fix/choose.ts";
import type { Project } from "../../../docs/project.ts";
import { rememberCheck } from "../../../docs/record/remember-check.ts";
import { rememberReported } from "../../../docs/record/reported-ids.ts";
import { defined } from "../../../text/model/defined.ts";
import { accept, type Outcome } from "../../../text/model/outcome.ts";
import { docsWords } from "../../../wording/drift.ts";
import { exitCodeOfCheck } from "../../../wording/exit-code.ts";
import {
  byModelRemark,
  checkRemarks,
  checkWords,
  failing,
  fixAdvice,
  gating,
} from "../../../wording/findings.ts";
import { formats } from "../../../wording/formats/formats.ts";
import { short } from "../../../wording/sentences.ts";
import { writeReportFile } from "../../../workspace/files/report-file.ts";
import { type Call, type Command, exit, isSet, type Options, textOf } from "../../command.ts";
import { sameWith } from "../../command-line.ts";
import { readInput } from "../../terminal/input.ts";
import { paintFindings } from "../../terminal/paint-findings.ts";
import { whileSlow } from "../../terminal/while-slow.ts";
import { usageError } from "../../usage-error.ts";
import { version } from "../../version.ts";
import { gateOptions, withJudge } from "../../with-models.ts";
import { decline, docsOption, rangeOf, rangeOptions, withProject } from "../../with-project.ts";

export const command: Command = {
  name: "check",
  group: "documentation",
  summary: "find the passages that a change made false",
  usage: ["[PATH...] [--base REV]", "[PATH...] --all"],
  operands: [0, 10_000],
  options: [
    ...rangeOptions,
    docsOption,
    {
      name: "all",
      text: "check all documents without a change: find what is false in them today",
    },
    { name: "baseline", value: "FILE", text: "accept the findings of this file, and fail on others only" },
    { name: "write-baseline", value: "FILE", text: "write today's findings as a baseline, and end with 0" },
    ...formats.map(({ name, text }) => ({ name, text })),
    { name: "no-strict", text: "exit with 0 although passages are no longer true" },
    ...gateOptions,
  ],
  examples: [
    ["what is false in the documents today", "suture check --all"],
    ["what this branch made false", "suture check"],
    ["what the last commit made false", "suture check --base HEAD~1"],
    ["before you commit", "suture check --staged"],
    ["one folder and one page", "suture check docs/ README.md --all"],
    ["pages in another clone", "suture check --docs ../handbook"],
    ["for a program", "suture check --base origin/main --json"],
    ["accept today's findings, and fail on new ones", "suture check --all --baseline suture-baseline.json"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const clash = findClash(call.options);
  if (clash) return usageError(call.terminal, `--${clash[0]} and --${clash[1]} exclude each other`);
  const work = (project: Project): Promise<number> => {
    const asksModel = textOf(call.options, "model") !== undefined;
    if (asksModel && project.docs) return Promise.resolve(usageError(call.terminal, docsWords.rulesOnly));
    return !asksModel
      ? checkAt(call, project, async (report) => accept(report))
      : withJudge(call, (judge) => checkAt(call, project, judge), { root: project.root, command: "check" });
  };
  return withProject(call, "check", work, { paths: call.operands });
}

/** Two options that exclude each other. */
function findClash(options: Options): readonly [string, string] | undefined {
  const printed = ["json", ...formats.map(({ name }) => name)].filter((name) => isSet(options, name));
  const ranged = rangeOptions.find(({ name }) => isSet(options, name));
  if (printed.length > 1) return [printed[0]!, printed[1]!];
  if (isSet(options, "all") && ranged) return ["all", ranged.name];
  return isSet(options, "baseline") && isSet(options, "write-baseline")
    ? ["baseline", "write-baseline"]
    : undefined;
}

async function checkAt(
  call: Call,
  project: Project,
  judged: (report: CheckReport) => Promise<Outcome<CheckReport>>,
): Promise<number> {
  const { options, terminal } = call;
  const started = performance.now();
  const found = await whileSlow(terminal, checkWords.looking(isSet(options, "all")), () =>
    check(project, rangeOf(options)),
  );
  const checked = found.ok ? await judged(found.value) : found;
  if (!checked.ok) return decline(terminal, "check", checked.refusal);
  if (!project.docs && !project.only) await rememberCheck(project, checked.value);
  rememberReported(project.root, checked.value);
  const file = textOf(options, "write-baseline");
  if (file !== undefined) return writeBaseline(call, project.root, file, checked.value);
  const fresh = await leaveAccepted(call, checked.value);
  if (!fresh.ok) return decline(terminal, "check", fresh.refusal);
  const seconds = (performance.now() - started) / 1000;
  await print(call, project, fresh.value);
  return conclude(call, project, { report: fresh.value, seconds });
}

function writeBaseline({ terminal }: Call, root: string, file: string, report: CheckReport): number {
  const baseline = baselineOf(report);
  const written = writeReportFile(file, printBaseline(baseline), { own: /"version":\s*1\b/, root });
  if (!written.ok) return decline(terminal, "check", written.refusal);
  if (terminal.json) terminal.printJson({ success: true, path: file, findings: baseline.findings.length });
  else terminal.print(`✓ ${file}: ${baseline.findings.length} accepted`);
  return exit.done;
}

/** The report without the findings of the baseline, where one is named. */
async function leaveAccepted(
  { options, terminal }: Call,
  report: CheckReport,
): Promise<Outcome<CheckReport>> {
  const file = textOf(options, "baseline");
  if (file === undefined) return accept(report);
  const text = await readInput(file);
  const baseline = parseBaseline(text.ok ? text.value : "", file);
  if (!baseline.ok) return baseline;
  const { report: fresh, accepted } = applyBaseline(report, baseline.value);
  if (accepted > 0) terminal.remark(`${accepted} accepted by ${file}`);
  return accept(fresh);
}

async function print({ options, terminal }: Call, project: Project, report: CheckReport): Promise<void> {
  const format = formats.find(({ name }) => isSet(options, name));
  if (terminal.json) terminal.printJson(report);
  else if (format) terminal.printExactly(format.print(report, version));
  else {
    const shown = { ...report, findings: terminal.verbose ? report.findings : gating(report) };
    const pages = await readPageTexts(project.docs ?? project, shown);
    const { colour, verbose, columns } = terminal;
    for (const text of paintFindings(shown.findings, { colour, verbose, columns, pages }))
      terminal.printPainted(`${text}\n`);
  }
}

/** The command that fixes the findings of a check; null where there are no files to write to. */
async function fixCommand(call: Call, { git }: Project, { base }: CheckReport): Promise<string | null> {
  if (git?.isBare) return null;
  const head = textOf(call.options, "head");
  const isHere = head === undefined || (await git?.resolve(head)) === (await git?.resolve("HEAD"));
  if (isHere) return sameWith("fix", { ...call, options: { ...call.options, head: undefined } });
  // A relative name, such as HEAD~1, means another commit there.
  const options = { ...call.options, head: undefined, base: short(base) };
  return checkWords.afterSwitch(head, sameWith("fix", { ...call, options }));
}

type Concluded = { readonly report: CheckReport; readonly seconds: number };

async function conclude(call: Call, project: Project, { report, seconds }: Concluded): Promise<number> {
  const { options, terminal } = call;
  const open = gating(report);
  const mostUnread = terminal.verbose ? Number.POSITIVE_INFINITY : undefined;
  const how = { seconds, base: textOf(options, "base"), ...defined({ mostUnread }) };
  for (const remark of checkRemarks(report, how)) terminal.remark(remark);
  const possible = report.findings.length - open.length;
  if (possible > 0 && !terminal.verbose)
    terminal.remark(checkWords.possible(possible, sameWith("check", call, "--verbose")));
  const command = await fixCommand(call, project, report);
  const model = textOf(options, "model");
  const advice = command === null ? null : fixAdvice(countEdits(report), command, { model });
  if (advice !== null) terminal.remark(advice);
  if (report.findings.length === 0 && report.scope?.against?.is === "commit before")
    terminal.remark(checkWords.wholeToo(sameWith("check", call, "--all")));
  const strict = !isSet(options, "no-strict");
  const fails = failing(open, { strictModel: isSet(options, "strict-model") });
  const byModel = byModelRemark(open.length - fails.length);
  if (byModel !== null) terminal.remark(byModel);
  return exitCodeOfCheck({ open: fails.length, unknown: report.unknown.length, strict });
}
