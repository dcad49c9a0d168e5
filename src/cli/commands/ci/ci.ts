import {
  type CheckedEvent,
  checkEvent,
  deliverEvent,
  findingsAfter,
  isFromFork,
  linksOfEvent,
  outputsOf,
} from "../../../ci/check-event.ts";
import { findCi, readCiEvent } from "../../../ci/ci-event.ts";
import { modes as allModes, type Delivery, type DeliveryMode } from "../../../ci/deliver.ts";
import type { CheckReport } from "../../../docs/check/report.ts";
import { runFrom } from "../../../hosts/package-source.ts";
import { defined } from "../../../text/model/defined.ts";
import { decode } from "../../../text/model/encoding.ts";
import { accept, type Outcome, type Refusal, refuse } from "../../../text/model/outcome.ts";
import { ciWords, writeSummary } from "../../../wording/ci.ts";
import { exitCodeOfCheck } from "../../../wording/exit-code.ts";
import { byModelRemark, checkRemarks, failing } from "../../../wording/findings.ts";
import { printAnnotations } from "../../../wording/formats/github.ts";
import { refused, textOf as textOfResult } from "../../../wording/report.ts";
import { writeReportFile } from "../../../workspace/files/report-file.ts";
import { type Git, openGit } from "../../../workspace/git/git.ts";
import { type Call, type Command, exit, isSet, type Options, textOf } from "../../command.ts";
import { findInstalledSource } from "../../installed-source.ts";
import { usageError } from "../../usage-error.ts";
import { gateOptions, type PageAtHead, type ReportJudge, withJudge } from "../../with-models.ts";
import { decline } from "../../with-project.ts";
import { withoutCommands } from "./log.ts";
import { readPayload } from "./payload.ts";
import { printable, publishAt } from "./publish.ts";
import { writeBadge, writeJobReports, writeSarif } from "./write-reports.ts";

export const command: Command = {
  name: "ci",
  group: "documentation",
  summary: "check a change in CI, and report on the pull request",
  usage: ["[--mode MODE]", "--artefact DIR", "publish DIR"],
  operands: [0, 2],
  options: [
    {
      name: "mode",
      value: "MODE",
      choices: allModes,
      text: "how to deliver the edits (check: only report them)",
    },
    { name: "likely", text: "let commit and pull-request make the likely edits too" },
    { name: "base", short: "b", value: "REV", text: "compare with this revision instead of the event's" },
    {
      name: "docs",
      value: "DIR",
      text: "check the pages of this clone, and open the pull request in its repository",
    },
    {
      name: "docs-repository",
      value: "OWNER/NAME",
      text: "the repository of that clone (the one its remote names)",
    },
    {
      name: "artefact",
      value: "DIR",
      text: "write an artifact for a trusted job to publish, and send nothing to the host",
    },
    { name: "sarif", value: "FILE", text: "write SARIF for code scanning" },
    { name: "badge", value: "FILE", text: "draw how much of what the documents say is true, as SVG" },
    { name: "no-comment", text: "write no comment on the pull request" },
    { name: "no-strict", text: "exit with 0 although passages are no longer true" },
    ...gateOptions,
  ],
  examples: [
    ["in a workflow, as the action does", "suture ci --mode suggest"],
    ["documents in another clone", "suture ci --docs handbook --mode pull-request"],
    ["for pull requests from forks, without any secret", "suture ci --artefact out/"],
    ["… and in the job that has the token", "suture ci publish out/ --mode suggest"],
    ["a model judges each finding first", "suture ci --model anthropic:claude-sonnet-4-5 --max-cost 0.20"],
  ],
  run,
};

async function run({ terminal, ...rest }: Call): Promise<number> {
  const call = { ...rest, terminal: withoutCommands(terminal) };
  const [verb, folder] = call.operands;
  if (verb !== undefined && verb !== "publish")
    return usageError(call.terminal, `ci has no action ${verb}`, "See `suture help ci`.");
  if (verb === "publish" && folder === undefined)
    return usageError(call.terminal, ciWords.publishNeedsFolder);
  const clash = findDocsClash(call.options);
  if (clash !== undefined) return usageError(call.terminal, clash);
  const git = await openGit(textOf(call.options, "root") ?? ".");
  if (git === null)
    return decline(call.terminal, "ci", { code: "unavailable", detail: ciWords.noRepository });
  const payload = await readPayload(process.env);
  if (!payload.ok) return decline(call.terminal, "ci", payload.refusal);
  if (verb === "publish" && folder !== undefined)
    return publishAt(call, { git, payload: payload.value, folder });
  if (textOf(call.options, "model") === undefined) return checkAt(call, git, payload.value);
  const checking = (judge: ReportJudge) =>
    checkAt(call, git, payload.value, (report) => judge(report, { read: readerAt(git, report.head) }));
  return withJudge(call, checking, { root: git.top, command: "ci" });
}

/** The options that documents in another clone exclude: a pull request of the code cannot contain their pages. */
function findDocsClash(options: Options): string | undefined {
  if (!isSet(options, "docs")) return undefined;
  if (!["check", "pull-request"].includes(textOf(options, "mode") ?? "check")) return ciWords.docsModes;
  if (isSet(options, "artefact")) return ciWords.docsNoArtefact;
  return isSet(options, "model") ? ciWords.docsNoModel : undefined;
}

/** Reads the pages of a commit; the work tree of a job may hold another one. */
function readerAt(git: Git, head: string): PageAtHead {
  const tree = git.tree(head).then((files) => new Map(files.map(({ path, id }) => [path, id])));
  return async (path) => {
    const id = (await tree).get(path);
    const bytes = id === undefined ? undefined : (await git.blobs([id])).get(id);
    const decoded = bytes ? decode(bytes) : undefined;
    return decoded?.ok ? decoded.value.text : null;
  };
}

/** Checks the event of this job, delivers what the mode asks for, and reports the findings. */
async function checkAt(
  call: Call,
  git: Git,
  payload: unknown,
  judge?: (report: CheckReport) => Promise<Outcome<CheckReport>>,
): Promise<number> {
  const { options, terminal } = call;
  const event = readCiEvent(process.env, payload);
  if (!event.ok) return decline(terminal, "ci", event.refusal);
  const mode = (textOf(options, "mode") ?? "check") as DeliveryMode;
  const checked = await checkEvent(git, event.value, {
    mode,
    base: textOf(options, "base"),
    docs: textOf(options, "docs"),
    likely: isSet(options, "artefact") || isSet(options, "likely"),
    judge,
  });
  if (!checked.ok) return decline(terminal, "ci", checked.refusal);
  if (mode !== "check" && checked.value.isOurs) terminal.remark(ciWords.ownCommit);
  const artifact = await writeArtifact(call, git.top, checked.value);
  if (!artifact.ok) return decline(terminal, "ci", artifact.refusal);
  const badge = await writeBadge(textOf(options, "badge"), git.top);
  if (!badge.ok) return decline(terminal, "ci", badge.refusal);
  const delivered = artifact.value ? accept(null) : await deliverTo(call, checked.value);
  return conclude(call, { ...checked.value, root: git.top }, delivered);
}

/** Whether an artifact was asked for and written. */
async function writeArtifact(
  { options }: Call,
  root: string,
  { event, report, fixed }: CheckedEvent,
): Promise<Outcome<boolean>> {
  const folder = textOf(options, "artefact");
  if (folder === undefined) return accept(false);
  const { repository, request } = event;
  if (request === null) return refuse({ code: "malformed", what: ciWords.artefactWithoutRequest });
  const { artifactName, printArtifact } = await import("../../../ci/artifact.ts");
  const written = writeReportFile(
    `${folder.replace(/\/+$/, "")}/${artifactName}`,
    printArtifact({ repository, request: request.number }, report, fixed),
    { own: /"version":\s*1\b/, root, folder: "make" },
  );
  return written.ok ? accept(true) : written;
}

async function deliverTo(
  { options, terminal }: Call,
  checked: CheckedEvent,
): Promise<Outcome<Delivery | null>> {
  if (isFromFork(checked.event)) terminal.remark(ciWords.fork);
  return deliverEvent(checked, {
    environment: process.env,
    comments: !isSet(options, "no-comment"),
    suture: await commandForReaders(),
    docsRepository: textOf(options, "docs-repository"),
  });
}

/** The command with which a reader runs the Suture of this job; undefined where only this machine has it. */
async function commandForReaders(): Promise<string | undefined> {
  const source = await findInstalledSource();
  return source === null ? undefined : runFrom(source, ".");
}

/** Reports what was found and done, and returns the exit code. A check whose comment failed does not fail. */
function conclude(
  { options, terminal }: Call,
  checked: CheckedEvent & { readonly root: string },
  delivered: Outcome<Delivery | null>,
): number {
  const { mode, report, root } = checked;
  const delivery = delivered.ok ? delivered.value : null;
  const { open } = findingsAfter(checked, delivery);
  const trouble = delivered.ok ? null : errorOf(delivered.refusal);
  if (terminal.json)
    terminal.printJson({
      ...report,
      mode,
      ...printable(delivery),
      ...defined({ trouble: trouble || undefined }),
    });
  else printOpen(terminal, { ...report, findings: open });
  for (const remark of checkRemarks(report)) terminal.remark(remark);
  if (trouble) terminal.complain(`suture: ${trouble}`);
  const sarif = writeSarif(report, { file: textOf(options, "sarif"), root });
  const summary = writeSummary(report, delivery?.fixes ?? {}, linksOfEvent(checked));
  const written = sarif.ok ? writeJobReports({ summary, outputs: outputsOf(checked, delivery) }) : sarif;
  if (!written.ok) return decline(terminal, "ci", written.refusal);
  if (trouble && mode !== "check") return exit.failed;
  const fails = failing(open, { strictModel: isSet(options, "strict-model") });
  const byModel = byModelRemark(open.length - fails.length);
  if (byModel !== null) terminal.remark(byModel);
  return exitCodeOfCheck({
    open: fails.length,
    unknown: report.unknown.length,
    strict: !isSet(options, "no-strict"),
  });
}

function printOpen(terminal: Call["terminal"], report: CheckReport): void {
  if (findCi(process.env)?.annotates(process.env)) terminal.printExactly(printAnnotations(report));
  else
    for (const { path, startLine, message } of report.findings)
      terminal.print(`${path}:${startLine} ${message}`);
}

function errorOf(refusal: Refusal): string {
  return textOfResult(refused(refusal, { tool: "ci", wording: "files" }));
}
