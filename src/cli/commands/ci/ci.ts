import { findCi } from "../../../ci/ci-event.ts";
import { modes as allModes, type Delivery, type DeliveryMode } from "../../../ci/deliver.ts";
import type { CheckReport } from "../../../docs/check/report.ts";
import type { FixedPages } from "../../../docs/fix/fix-commit.ts";
import type { CiEvent } from "../../../hosts/host.ts";
import { accept, type Outcome, type Refusal, refuse } from "../../../text/model/outcome.ts";
import { gating, rangeText, summaryOf, unknownText } from "../../../wording/findings.ts";
import { printAnnotations } from "../../../wording/formats/github.ts";
import { printSarif } from "../../../wording/formats/sarif.ts";
import { refused, textOf as textOfResult } from "../../../wording/report.ts";
import { writeReportFile } from "../../../workspace/files/report-file.ts";
import type { Git } from "../../../workspace/git/git.ts";
import { type Call, type Command, exit, isSet, textOf } from "../../command.ts";
import { appendOutput } from "../../terminal/output.ts";
import { misuse } from "../../usage-error.ts";
import { version } from "../../version.ts";
import { decline } from "../../with-project.ts";
import { openRepository, readPayload } from "./host.ts";
import { withoutCommands } from "./log.ts";
import { printable, publishAt } from "./publish.ts";

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
    return misuse(call.terminal, "publish needs the folder of the artifact");
  const { openGit } = await import("../../../workspace/git/git.ts");
  const git = await openGit(textOf(call.options, "root") ?? ".");
  if (git === null)
    return decline(call.terminal, "ci", {
      code: "unavailable",
      detail: "this folder is in no git repository",
    });
  const payload = await readPayload(process.env);
  if (!payload.ok) return decline(call.terminal, "ci", payload.refusal);
  return verb === "publish" && folder !== undefined
    ? publishAt(call, { git, payload: payload.value, folder })
    : checkAt(call, git, payload.value);
}

/** A checked event, and everything that is needed to report it. */
type CheckedEvent = {
  readonly call: Call;
  /** The top folder of the work tree. */
  readonly root: string;
  readonly event: CiEvent;
  readonly mode: DeliveryMode;
  readonly report: CheckReport;
  readonly fixed: FixedPages;
};

/** Checks the event of this job, delivers what the mode asks for, and reports the findings. */
async function checkAt(call: Call, git: Git, payload: unknown): Promise<number> {
  const { options, terminal } = call;
  const { readCiEvent } = await import("../../../ci/ci-event.ts");
  const { check } = await import("../../../docs/check/check.ts");
  const { openProject } = await import("../../../docs/project.ts");
  const { fixCommit } = await import("../../../docs/fix/fix-commit.ts");
  const event = readCiEvent(process.env, payload);
  if (!event.ok) return decline(terminal, "ci", event.refusal);
  const { head, base, event: kind } = event.value;
  const asked = textOf(options, "base");
  const named = asked === undefined ? { base, baseMayBeGone: kind === "push" } : { base: asked };
  const project = await openProject({ git });
  const checked = project.ok ? await check(project.value, { head, sinceFork: true, ...named }) : project;
  if (!checked.ok) return decline(terminal, "ci", checked.refusal);
  const report = checked.value;
  const mode = await modeFor(call, git, event.value);
  const both = mode === "suggest" || isSet(options, "artefact") || isSet(options, "likely");
  const fixed = await fixCommit(git, report, both ? ["certain", "likely"] : ["certain"]);
  if (!fixed.ok) return decline(terminal, "ci", fixed.refusal);
  const result = { call, root: git.top, event: event.value, mode, report, fixed: fixed.value };
  const artifact = await writeArtifact(result);
  if (!artifact.ok) return decline(terminal, "ci", artifact.refusal);
  const delivered = artifact.value ? accept(null) : await deliverEvent(result);
  return conclude(result, delivered);
}

/** Suture's own commits are checked, but never answered with another commit. */
async function modeFor({ options, terminal }: Call, git: Git, event: CiEvent): Promise<DeliveryMode> {
  const { isMadeByUs } = await import("../../../wording/ci.ts");
  const mode = (textOf(options, "mode") ?? "check") as DeliveryMode;
  const isOurs = isMadeByUs(await git.message(event.head), event.branch);
  if (mode !== "check" && isOurs) terminal.remark("This is a commit of Suture's own; it is only looked at.");
  return isOurs ? "check" : mode;
}

/** Whether an artifact was asked for and written. */
async function writeArtifact({ call, root, event, report, fixed }: CheckedEvent): Promise<Outcome<boolean>> {
  const folder = textOf(call.options, "artefact");
  if (folder === undefined) return accept(false);
  if (event.request === null)
    return refuse({ code: "malformed", what: "--artefact is for pull requests, and this event is none" });
  const { artifactName, printArtifact } = await import("../../../ci/artifact.ts");
  const { repository, request } = event;
  const written = writeReportFile(
    `${folder.replace(/\/+$/, "")}/${artifactName}`,
    printArtifact({ repository, request: request.number }, report, fixed),
    { own: /"version":\s*1\b/, root, folder: "make" },
  );
  return written.ok ? accept(true) : written;
}

async function deliverEvent({
  call: { options, terminal },
  event,
  mode,
  report,
  fixed,
}: CheckedEvent): Promise<Outcome<Delivery | null>> {
  const { request } = event;
  if (request !== null && !request.isOwnBranch) {
    terminal.remark(
      "This request comes from a fork: it is only reported on. docs/ci.md shows how to do more.",
    );
    return accept(null);
  }
  if (request === null && mode !== "pull-request") return accept(null);
  if (mode === "check" && isSet(options, "no-comment")) return accept(null);
  const hosted = openRepository(event);
  if (!hosted.ok) return hosted;
  const { deliver } = await import("../../../ci/deliver.ts");
  return deliver(hosted.value, { mode, target: event, report, fixed });
}

/** Reports what was found and done, and returns the exit code. A check whose comment failed does not fail. */
async function conclude(result: CheckedEvent, delivered: Outcome<Delivery | null>): Promise<number> {
  const { writeSummary } = await import("../../../wording/ci.ts");
  const { call, mode, report, fixed } = result;
  const { options, terminal } = call;
  const delivery = delivered.ok ? delivered.value : null;
  const deed = delivery?.deed ?? {};
  const done = deed.commit === undefined && deed.request === undefined ? [] : fixed.fixed;
  const open = gating(report).filter((finding) => !done.includes(finding));
  const trouble = delivered.ok ? null : errorOf(delivered.refusal);
  if (terminal.json)
    terminal.printJson({ ...report, mode, ...printable(delivery), ...(trouble ? { trouble } : {}) });
  else printOpen(terminal, report, open);
  terminal.remark(`${summaryOf(report)} (${rangeText(report)})`);
  for (const one of report.unknown) terminal.remark(unknownText(one));
  for (const one of report.warnings ?? []) terminal.remark(one);
  if (trouble) terminal.complain(`suture: ${trouble}`);
  const written = writeReports(result, {
    summary: writeSummary(report, deed),
    outputs: {
      findings: report.findings.length,
      open: open.length,
      fixed: done.length,
      unknown: report.unknown.length,
      commit: deed.commit ?? "",
      comment: delivery?.comment?.url ?? "",
      request: delivery?.requestUrl ?? "",
    },
  });
  if (!written.ok) return decline(terminal, "ci", written.refusal);
  if (trouble && mode !== "check") return exit.failed;
  if (open.length > 0) return isSet(options, "no-strict") ? exit.done : exit.refused;
  return report.unknown.length > 0 ? exit.failed : exit.done;
}

function printOpen(terminal: Call["terminal"], report: CheckReport, open: CheckReport["findings"]): void {
  if (findCi(process.env)?.annotates(process.env))
    terminal.printExactly(printAnnotations({ ...report, findings: open }));
  else for (const { path, startLine, message } of open) terminal.print(`${path}:${startLine} ${message}`);
}

type JobReports = {
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string | number>>;
};

/** Writes SARIF if it was asked for, and the files that the CI reads. */
function writeReports({ call, root, report }: CheckedEvent, { summary, outputs }: JobReports): Outcome<true> {
  const sarif = textOf(call.options, "sarif");
  if (sarif !== undefined) {
    const written = writeReportFile(sarif, printSarif(report, version), {
      own: /sarif-[0-9.]+\.json/,
      root,
      folder: "make",
    });
    if (!written.ok) return written;
  }
  const files = findCi(process.env)?.files;
  const summaryFile = process.env[files?.summary ?? ""];
  if (summaryFile) {
    const added = appendOutput(summaryFile, summary);
    if (!added.ok) return added;
  }
  const lines = Object.entries(outputs).map(
    ([name, value]) => `${name}=${String(value).replace(/[^\x21-\x7e]/g, "")}\n`,
  );
  const outputFile = process.env[files?.outputs ?? ""];
  return outputFile ? appendOutput(outputFile, lines.join("")) : accept(true);
}

function errorOf(refusal: Refusal): string {
  return textOfResult(refused(refusal, { tool: "ci", wording: "files" }));
}
