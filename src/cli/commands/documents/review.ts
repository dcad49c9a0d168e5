import { check } from "../../../docs/check/check.ts";
import type { Range } from "../../../docs/check/range.ts";
import type { CheckReport } from "../../../docs/check/report.ts";
import { rootToWrite } from "../../../docs/named-project.ts";
import type { Project } from "../../../docs/project.ts";
import { isRunId } from "../../../docs/record/audit.ts";
import { CheckThread } from "../../../docs/session/check-thread.ts";
import { builtPages, readAssets } from "../../../http/assets.ts";
import { defined } from "../../../text/model/defined.ts";
import type { Outcome } from "../../../text/model/outcome.ts";
import { collectExport, printExport } from "../../../web/review/export.ts";
import { openReview, type Review } from "../../../web/review/open-review.ts";
import type { ReviewSession } from "../../../web/review/review-session.ts";
import type { RunView } from "../../../web/review/view.ts";
import { serveReview } from "../../../web/server.ts";
import { docsWords } from "../../../wording/drift.ts";
import { checkWords, unknownText } from "../../../wording/findings.ts";
import { progressMessages, reviewWords } from "../../../wording/review.ts";
import { plural } from "../../../wording/sentences.ts";
import { createPrivateFile, privatePath } from "../../../workspace/files/private-file.ts";
import { writeReportFile } from "../../../workspace/files/report-file.ts";
import { type Call, type Command, exit, isSet, numberOf, textOf } from "../../command.ts";
import { launchPage, openBrowser } from "../../terminal/browser.ts";
import { untilStopped } from "../../terminal/interrupt.ts";
import { whileSlow } from "../../terminal/while-slow.ts";
import { usageError } from "../../usage-error.ts";
import { judgeOptions, type ReportJudge, withJudge } from "../../with-models.ts";
import { decline, docsOption, rangeOf, rangeOptions, withProject } from "../../with-project.ts";

export const command: Command = {
  name: "review",
  group: "documentation",
  summary: "see every edit with its reason and evidence in a browser, and decide",
  usage: ["[RUN | PATH...]", "[PATH...] --all", "[RUN | PATH...] --export FILE"],
  operands: [0, 10_000],
  options: [
    ...rangeOptions,
    docsOption,
    { name: "all", text: "review what is false in all documents, without a change" },
    { name: "export", value: "FILE", text: "write the run as one HTML file to look at, and end" },
    { name: "port", value: "PORT", integer: true, text: "the port to listen on (any that is free)" },
    { name: "no-open", text: "do not open a browser" },
    { name: "author", value: "NAME", text: "who makes the edits" },
    ...judgeOptions,
  ],
  examples: [
    ["what waits, or what this branch made false", "suture review"],
    ["what is false in the documents today", "suture review --all"],
    ["a run of last week, with undo", "suture review run-20260102T030405-0a1b2c3d"],
    ["a report for a build", "suture review --base origin/main --export report.html"],
    ["a model judges each finding first", "suture review --model anthropic:claude-sonnet-4-5"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const port = numberOf(call.options, "port") ?? 0;
  if (port < 0 || port > 65_535) return usageError(call.terminal, "--port takes a port from 0 to 65535");
  const ranged = rangeOptions.find(({ name }) => isSet(call.options, name));
  if (isSet(call.options, "all") && ranged)
    return usageError(call.terminal, `--all and --${ranged.name} exclude each other`);
  const { run, paths } = runOrPaths(call.operands);
  if (textOf(call.options, "model") !== undefined && run !== undefined)
    return usageError(call.terminal, "--model judges a new check: leave out the run");
  const work = async (project: Project): Promise<number> => {
    const find = () =>
      whileSlow(call.terminal, checkWords.looking(isSet(call.options, "all")), () =>
        checkAside(project, rangeOf(call.options)),
      );
    if (textOf(call.options, "model") === undefined) return reviewAt(call, project, { port, find, run });
    if (project.docs) return usageError(call.terminal, docsWords.rulesOnly);
    const judged = await judgeFirst(call, project.root, find);
    return typeof judged === "number"
      ? judged
      : reviewAt(call, project, { port, find: async () => judged, run });
  };
  return withProject(call, "review", work, { paths });
}

/** Checks in another thread: the page is served meanwhile. */
async function checkAside(project: Project, range: Range | "all"): Promise<Outcome<CheckReport>> {
  const thread = CheckThread.for(project);
  if (thread === null) return check(project, range);
  try {
    return await thread.check({ range, texts: [] });
  } finally {
    await thread.close();
  }
}

type Reviewed = { readonly run: string | undefined; readonly paths: readonly string[] };

/** The operands name a run, or the pages to review. The ids of runs begin with `run-`. */
function runOrPaths(operands: readonly string[]): Reviewed {
  const [first] = operands;
  const isRun = operands.length === 1 && isRunId(first!);
  return isRun ? { run: first, paths: [] } : { run: undefined, paths: operands };
}

type Check = () => Promise<Outcome<CheckReport>>;

/** The report of a check after a model has judged it, before the page is opened; an exit code where that failed. */
async function judgeFirst(call: Call, root: string, find: Check): Promise<Outcome<CheckReport> | number> {
  let report: Outcome<CheckReport> | undefined;
  const work = async (judge: ReportJudge): Promise<number> => {
    const found = await find();
    report = found.ok ? await judge(found.value) : found;
    return exit.done;
  };
  const code = await withJudge(call, work, { root, command: "review" });
  return report ?? code;
}

async function reviewAt(
  call: Call,
  project: Project,
  { port, find, run }: { readonly port: number; readonly find: Check; readonly run: string | undefined },
): Promise<number> {
  const { options, operands, terminal } = call;
  if (project.git?.isBare) return usageError(terminal, reviewWords.needsWorkTree);
  const root = rootToWrite(project);
  if (!root.ok) return decline(terminal, "review", root.refusal);
  const author = textOf(options, "author");
  const opened = await openReview({
    root: root.value,
    ...defined({ codeRoot: project.docs ? project.root : undefined, run, author }),
    fresh:
      operands.length > 0 || ["base", "head", "staged", "all", "model"].some((name) => isSet(options, name)),
    check: find,
  });
  if (!opened.ok) return decline(terminal, "review", opened.refusal);
  try {
    const file = textOf(options, "export");
    return file === undefined
      ? await serve(call, opened.value, port)
      : await exportTo(call, opened.value, file, project.root);
  } finally {
    await opened.value.close();
  }
}

async function exportTo(
  { terminal }: Call,
  { session, context }: Review,
  file: string,
  root: string,
): Promise<number> {
  const settled = await session;
  if (!settled.ok) return decline(terminal, "review", settled.refusal);
  const [assets, exported] = [
    readAssets(builtPages(import.meta.url)),
    await collectExport(settled.value, context.reader, new Date().toISOString()),
  ];
  if (!assets.ok) return decline(terminal, "review", assets.refusal);
  if (!exported.ok) return decline(terminal, "review", exported.refusal);
  const written = writeReportFile(file, printExport(assets.value, exported.value), {
    own: /<title>Suture review<\/title>/,
    root,
  });
  if (!written.ok) return decline(terminal, "review", written.refusal);
  const edits = exported.value.run.items.length;
  if (terminal.json) terminal.printJson({ success: true, path: file, run: exported.value.run.id, edits });
  else terminal.print(`✓ ${file}: ${plural(edits, "edit")}`);
  return exit.done;
}

/** How long a check may take before the page is opened to watch it. */
const soon = 1500;

async function serve(call: Call, { session, context }: Review, port: number): Promise<number> {
  const { terminal } = call;
  // A program that reads JSON waits for the number of edits; a person watches the check on the page.
  const first = terminal.json ? await session : await Promise.race([session, delay(soon)]);
  if (first && !first.ok) return decline(terminal, "review", first.refusal);
  const run = await first?.value.run();
  if (run && run.items.length === 0 && run.progress === null) return nothing(call, run);
  const assets = readAssets(builtPages(import.meta.url));
  if (!assets.ok) return decline(terminal, "review", assets.refusal);
  const progress = () => ({ doing: progressMessages.comparing });
  const served = await serveReview({
    assets: assets.value,
    reader: context.reader,
    session,
    progress,
    port,
  });
  if (!served.ok) return decline(terminal, "review", served.refusal);
  const { url, close } = served.value;
  // The address holds the secret: it goes to a person's screen or into a file only they can read, never into a log.
  const launch = createPrivateFile(privatePath(`review-${served.value.port}.html`), launchPage(url));
  announce(call, { url, port: served.value.port, launch: launch.path, run });
  try {
    await untilStopped();
  } finally {
    launch.remove();
    await close();
  }
  return outcomeOf(await session, terminal, context);
}

function nothing({ terminal }: Call, run: RunView): number {
  const { remarks = [] } = run;
  const unknown = run.unknown.length;
  if (terminal.json) terminal.printJson({ success: unknown === 0, edits: 0, unknown: run.unknown, remarks });
  else terminal.print(reviewWords.nothing({ unknown, remarks: remarks.length }));
  for (const { path, what, detail } of remarks) terminal.remark(reviewWords.remark(path, what, detail));
  for (const { path, why, draft } of run.unknown) {
    terminal.remark(unknownText({ path, why }));
    if (draft !== undefined && !terminal.json) terminal.print(draft);
  }
  return unknown === 0 ? exit.done : exit.failed;
}

function delay(milliseconds: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, null));
}

type ServedPage = {
  readonly url: string;
  readonly port: number;
  readonly launch: string;
  readonly run: RunView | undefined;
};

function announce({ terminal, options }: Call, { url, port, launch, run }: ServedPage): void {
  if (terminal.json) terminal.printJson({ success: true, launch, port, edits: run?.items.length ?? null });
  else if (process.stderr.isTTY) terminal.remark(reviewWords.at(url));
  else terminal.remark(reviewWords.open(launch, port));
  if (process.env.SSH_CONNECTION && !terminal.json) terminal.remark(reviewWords.forward(port));
  terminal.remark(reviewWords.stop);
  if (process.stderr.isTTY && !terminal.json && !isSet(options, "no-open")) openBrowser(launch);
}

async function outcomeOf(
  session: Outcome<ReviewSession>,
  terminal: Call["terminal"],
  { reader }: Review["context"],
): Promise<number> {
  if (!session.ok) return decline(terminal, "review", session.refusal);
  const { id, items } = await session.value.run();
  terminal.remark(reviewWords.decided(items));
  if ((await reader.history({ run: id, limit: 1 })).length > 0) terminal.remark(reviewWords.takeBack(id));
  return exit.done;
}
