import type { Occasion } from "../../ci/ci-event.ts";
import { modes as allModes, type Delivery, type Mode } from "../../ci/deliver.ts";
import type { CheckReport } from "../../docs/check/report.ts";
import type { FixedPages } from "../../docs/fix/fix-commit.ts";
import { accept, type Outcome, type Refusal, refuse } from "../../text/model/outcome.ts";
import { gating, rangeText, summaryOf, unknownText } from "../../wording/findings.ts";
import { printAnnotations } from "../../wording/formats/github.ts";
import { printSarif } from "../../wording/formats/sarif.ts";
import { refused, textOf as textOfResult } from "../../wording/report.ts";
import { writeReportFile } from "../../workspace/files/report-file.ts";
import type { Git } from "../../workspace/git/git.ts";
import { openHost, readEvent } from "../ci/host.ts";
import { withoutCommands } from "../ci/log.ts";
import { printable, publishAt } from "../ci/publish.ts";
import { type Call, type Command, exit, isSet, textOf } from "../command.ts";
import { appendOutput } from "../output.ts";
import { misuse } from "../usage-error.ts";
import { version } from "../version.ts";
import { decline } from "../with-project.ts";

export const command: Command = {
  name: "ci",
  group: "documentation",
  summary: "check a change where it is built, and say so where it is reviewed",
  usage: ["[--mode MODE]", "--artefact DIR", "publish DIR"],
  operands: [0, 2],
  options: [
    {
      name: "mode",
      value: "MODE",
      choices: allModes,
      text: "what to do with the edits besides saying so (check)",
    },
    { name: "likely", text: "let commit and pull-request make the likely edits too" },
    { name: "base", short: "b", value: "REV", text: "compare with this revision instead of the event's" },
    {
      name: "artefact",
      value: "DIR",
      text: "write what a trusted job may publish, and ask the host nothing",
    },
    { name: "sarif", value: "FILE", text: "write SARIF for code scanning" },
    { name: "no-comment", text: "leave no comment on the change request" },
    { name: "no-strict", text: "report, and end with 0 all the same" },
  ],
  examples: [
    ["in a workflow, as the action does", "suture ci --mode suggest"],
    ["for pull requests of strangers: without any secret", "suture ci --artefact out/"],
    ["… and in the job that has the token", "suture ci publish out/ --mode suggest"],
  ],
  run,
};

async function run({ terminal, ...rest }: Call): Promise<number> {
  const call = { ...rest, terminal: withoutCommands(terminal) };
  const [verb, folder] = call.operands;
  if (verb !== undefined && verb !== "publish")
    return misuse(call.terminal, `ci does not know ${verb}`, "See `suture help ci`.");
  if (verb === "publish" && folder === undefined)
    return misuse(call.terminal, "publish wants the folder of the artefact");
  const { openGit } = await import("../../workspace/git/git.ts");
  const git = await openGit(textOf(call.options, "root") ?? ".");
  if (git === null)
    return decline(call.terminal, "ci", {
      code: "unavailable",
      detail: "this folder is in no git repository",
    });
  const event = await readEvent(process.env);
  if (!event.ok) return decline(call.terminal, "ci", event.refusal);
  return verb === "publish" ? publishAt(call, git, event.value, folder!) : checkAt(call, git, event.value);
}

/** The check of this event: findings everywhere people look, then what the mode asks for. */
async function checkAt(call: Call, git: Git, event: unknown): Promise<number> {
  const { options, terminal } = call;
  const { readOccasion } = await import("../../ci/ci-event.ts");
  const { check } = await import("../../docs/check/check.ts");
  const { openProject } = await import("../../docs/project.ts");
  const { fixCommit } = await import("../../docs/fix/fix-commit.ts");
  const occasion = readOccasion(process.env, event);
  if (!occasion.ok) return decline(terminal, "ci", occasion.refusal);
  const asked = textOf(options, "base");
  const { head, base, event: kind } = occasion.value;
  const named = asked === undefined ? { base, baseMayBeGone: kind === "push" } : { base: asked };
  const project = await openProject({ git });
  const checked = project.ok ? await check(project.value, { head, sinceFork: true, ...named }) : project;
  if (!checked.ok) return decline(terminal, "ci", checked.refusal);
  const report = checked.value;
  const mode = await settleMode(call, git, occasion.value);
  const both = mode === "suggest" || isSet(options, "artefact") || isSet(options, "likely");
  const mended = await fixCommit(git, report, both ? ["certain", "likely"] : ["certain"]);
  if (!mended.ok) return decline(terminal, "ci", mended.refusal);
  const left = await leaveArtefact(call, git.top, occasion.value, report, mended.value);
  if (!left.ok) return decline(terminal, "ci", left.refusal);
  const delivered = left.value
    ? accept(null)
    : await deliverTo(call, mode, occasion.value, report, mended.value);
  return conclude(call, git.top, mode, report, mended.value, delivered);
}

/** A commit of ours is checked like any other, and never answered with another one. */
async function settleMode({ options, terminal }: Call, git: Git, occasion: Occasion): Promise<Mode> {
  const { isMadeByUs } = await import("../../wording/ci.ts");
  const mode = (textOf(options, "mode") ?? "check") as Mode;
  const isOurs = isMadeByUs(await git.message(occasion.head), occasion.branch);
  if (mode !== "check" && isOurs) terminal.remark("This is a commit of Suture's own; it is only looked at.");
  return isOurs ? "check" : mode;
}

async function leaveArtefact(
  { options }: Call,
  root: string,
  occasion: Occasion,
  report: CheckReport,
  mended: FixedPages,
): Promise<Outcome<boolean>> {
  const folder = textOf(options, "artefact");
  if (folder === undefined) return accept(false);
  if (occasion.request === null)
    return refuse({ code: "malformed", what: "--artefact is for pull requests, and this event is none" });
  const { artefactName, printArtefact } = await import("../../ci/artifact.ts");
  const { repository, request } = occasion;
  const written = writeReportFile(
    `${folder.replace(/\/+$/, "")}/${artefactName}`,
    printArtefact({ repository, request: request.number }, report, mended),
    { own: /"version":\s*1\b/, root, folder: "make" },
  );
  return written.ok ? accept(true) : written;
}

async function deliverTo(
  call: Call,
  mode: Mode,
  occasion: Occasion,
  report: CheckReport,
  mended: FixedPages,
): Promise<Outcome<Delivery | null>> {
  const { options, terminal } = call;
  const { request } = occasion;
  if (request !== null && !request.isOwnBranch) {
    terminal.remark(
      "This request comes from a fork: it is only reported on. docs/ci.md shows how to do more.",
    );
    return accept(null);
  }
  if (request === null && mode !== "pull-request") return accept(null);
  if (mode === "check" && isSet(options, "no-comment")) return accept(null);
  const forge = await openHost(occasion.kind, occasion.repository, occasion.apiUrl);
  if (!forge.ok) return forge;
  const { deliver } = await import("../../ci/deliver.ts");
  return deliver(forge.value, mode, occasion, report, mended);
}

/** Says everything that was found and done, and answers with the exit code. A check that could not speak is no red one. */
async function conclude(
  { options, terminal }: Call,
  root: string,
  mode: Mode,
  report: CheckReport,
  mended: FixedPages,
  delivered: Outcome<Delivery | null>,
): Promise<number> {
  const { writeSummary } = await import("../../wording/ci.ts");
  const delivery = delivered.ok ? delivered.value : null;
  const deed = delivery?.deed ?? {};
  const done = deed.commit === undefined && deed.request === undefined ? [] : mended.fixed;
  const open = gating(report).filter((finding) => !done.includes(finding));
  const trouble = delivered.ok ? null : troubleOf(delivered.refusal);
  if (terminal.json)
    terminal.printJson({ ...report, mode, ...printable(delivery), ...(trouble ? { trouble } : {}) });
  else if (process.env.GITHUB_ACTIONS) terminal.printExactly(printAnnotations({ ...report, findings: open }));
  else for (const { path, startLine, message } of open) terminal.print(`${path}:${startLine} ${message}`);
  terminal.remark(`${summaryOf(report)} (${rangeText(report)})`);
  for (const one of report.unknown) terminal.remark(unknownText(one));
  for (const one of report.warnings ?? []) terminal.remark(one);
  if (trouble) terminal.complain(`suture: ${trouble}`);
  const written = leaveReports(options, root, report, writeSummary(report, deed), {
    findings: report.findings.length,
    open: open.length,
    fixed: done.length,
    unknown: report.unknown.length,
    commit: deed.commit ?? "",
    comment: delivery?.comment?.url ?? "",
    request: delivery?.requestUrl ?? "",
  });
  if (!written.ok) return decline(terminal, "ci", written.refusal);
  if (trouble && mode !== "check") return exit.failed;
  if (open.length > 0) return isSet(options, "no-strict") ? exit.done : exit.refused;
  return report.unknown.length > 0 ? exit.failed : exit.done;
}

function leaveReports(
  options: Call["options"],
  root: string,
  report: CheckReport,
  summary: string,
  outputs: Readonly<Record<string, string | number>>,
): Outcome<true> {
  const sarif = textOf(options, "sarif");
  const { GITHUB_STEP_SUMMARY, GITHUB_OUTPUT } = process.env;
  if (sarif !== undefined) {
    const written = writeReportFile(sarif, printSarif(report, version), {
      own: /sarif-[0-9.]+\.json/,
      root,
      folder: "make",
    });
    if (!written.ok) return written;
  }
  if (GITHUB_STEP_SUMMARY) {
    const added = appendOutput(GITHUB_STEP_SUMMARY, summary);
    if (!added.ok) return added;
  }
  const lines = Object.entries(outputs).map(
    ([name, value]) => `${name}=${String(value).replace(/[^\x21-\x7e]/g, "")}\n`,
  );
  return GITHUB_OUTPUT ? appendOutput(GITHUB_OUTPUT, lines.join("")) : accept(true);
}

function troubleOf(refusal: Refusal): string {
  return textOfResult(refused(refusal, { tool: "ci", wording: "files" }));
}
