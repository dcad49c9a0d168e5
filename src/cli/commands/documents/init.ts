import { type FlawedWorkflow, findDangerousWorkflows } from "../../../ci/workflow-flaws.ts";
import { check } from "../../../docs/check/check.ts";
import { readProjectClaims } from "../../../docs/claims/claims.ts";
import { type CiHost, ciHosts } from "../../../docs/init/ci-files.ts";
import {
  type InitPart,
  type InitPlan,
  optionalParts,
  parts,
  planInit,
} from "../../../docs/init/plan-init.ts";
import type { Replay } from "../../../docs/init/replay.ts";
import { openProject } from "../../../docs/project.ts";
import { isPlainSource, parseSource } from "../../../hosts/package-source.ts";
import { hostKinds, hosts } from "../../../hosts/registry.ts";
import { defined } from "../../../text/model/defined.ts";
import { accept, type Outcome } from "../../../text/model/outcome.ts";
import { type Applied, applyEdits } from "../../../tools/apply-edits.ts";
import { configPath } from "../../../tools/config-path.ts";
import { openContext } from "../../../tools/context.ts";
import type { Context } from "../../../tools/tool.ts";
import { gating } from "../../../wording/findings.ts";
import { type FalseToday, initWords } from "../../../wording/init.ts";
import { type Git, openGit } from "../../../workspace/git/git.ts";
import type { Reader } from "../../../workspace/workspace.ts";
import { type Call, type Command, exit, isSet, numberOf, type Options, textOf } from "../../command.ts";
import { findInstalledSource } from "../../installed-source.ts";
import { paintDiff } from "../../terminal/paint.ts";
import { openProgressList } from "../../terminal/progress-list.ts";
import { whileSlow } from "../../terminal/while-slow.ts";
import { usageError } from "../../usage-error.ts";
import { decline } from "../../with-project.ts";

export const command: Command = {
  name: "init",
  group: "documentation",
  summary: "look at a repository and propose how Suture keeps its documents true",
  usage: [""],
  operands: [0, 0],
  options: [
    { name: "dry-run", short: "n", text: "show what would be written and write nothing" },
    { name: "yes", short: "y", text: "write it without asking" },
    {
      name: "ci",
      value: "HOST",
      choices: ciHosts,
      text: "the CI host to write a file for (the one whose files exist)",
    },
    {
      name: "replay",
      value: "N",
      integer: true,
      text: "commits to check before a CI file is proposed (200, at most a minute; 0: none)",
    },
    {
      name: "from",
      value: "SOURCE",
      text: "where runners get Suture from: a version, a git address, or a tarball by its address or path",
    },
    { name: "without", value: "PARTS", text: `parts to leave out, comma-separated: ${parts.join(", ")}` },
    {
      name: "with",
      value: "PARTS",
      text: `parts to add, comma-separated: ${optionalParts.join(", ")} (front matter in pages)`,
    },
  ],
  examples: [
    ["look, and be asked", "suture init"],
    ["before a release, from git", "suture init --from git+https://git.example/suture.git#v1"],
    ["a CI file only", "suture init --without mcp"],
    ["link pages to the sources they name", "suture init --with attention"],
    ["take it all back", "suture undo"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const { options, terminal } = call;
  const without = listOf(options, "without");
  const wanted = listOf(options, "with");
  const unknown = [...without, ...wanted].find((part) => !(parts as readonly string[]).includes(part));
  if (unknown !== undefined)
    return usageError(terminal, `init has no part ${unknown}`, `Its parts are ${parts.join(", ")}.`);
  const from = textOf(options, "from");
  const source = from === undefined ? await findInstalledSource() : parseSource(from);
  if (source !== null && !isPlainSource(source))
    return usageError(terminal, initWords.oddSource(from ?? source.spec));
  const folder = textOf(options, "root") ?? ".";
  const git = await openGit(folder);
  if (git?.isBare) return usageError(terminal, initWords.needsWorkTree);
  const root = git?.top ?? folder;
  const opened = await openContext({ root, author: "person", task: "init", policy: { consent: agreedTo } });
  if (!opened.ok) return decline(terminal, "init", opened.refusal);
  const context = opened.value;
  try {
    const ci = textOf(options, "ci") as CiHost | undefined;
    const planned = await planInit(context.reader, {
      source,
      without: without as InitPart[],
      with: wanted as InitPart[],
      hasGit: git !== null,
      ...defined({ ci }),
    });
    if (!planned.ok) return decline(terminal, "init", planned.refusal);
    const plan = planned.value;
    const hasPages = Object.keys(plan.found.pages).length > 0;
    const today = git === null || !hasPages ? null : await findFalseToday(call, git, context.reader);
    const replay = git === null ? null : await replayIfGated(call, git, plan);
    return await confirmAndWrite(call, context, { plan, replay, today });
  } finally {
    await context.reader.close();
  }
}

function listOf(options: Options, name: string): string[] {
  return textOf(options, name)?.split(",").filter(Boolean) ?? [];
}

/** The only sensitive files that the plan may write. A person sees them before they are written. */
function agreedTo(path: string): boolean {
  const isCiFile = hostKinds.some((kind) => hosts[kind].ciTemplate.paths.includes(path));
  return (
    path === configPath ||
    isCiFile ||
    /^(\.mcp\.json|\.(cursor|vscode)\/mcp\.json|\.gemini\/settings\.json)$/.test(path)
  );
}

const usualReplay = 200;
const longestReplay = 60_000;

/** The results that a check would have had for the newest commits, if the plan adds a CI check. */
async function replayIfGated({ options, terminal }: Call, git: Git, plan: InitPlan): Promise<Replay | null> {
  const most = numberOf(options, "replay") ?? usualReplay;
  if (most <= 0 || !plan.steps.some(({ part }) => part === "ci")) return null;
  const progress = openProgressList(terminal);
  const { replayHistory } = await import("../../../docs/init/replay.ts");
  const replayed = await replayHistory(git, {
    most,
    patience: longestReplay,
    onProgress: (done, total) => {
      if (done % 20 === 10)
        progress.report({ kind: "step", subject: "init", text: initWords.replaying(done, total) });
    },
  });
  progress.close();
  return replayed.ok ? replayed.value : null;
}

/** What is false in the documents now; null where that cannot be told. */
async function findFalseToday({ terminal }: Call, git: Git, reader: Reader): Promise<FalseToday | null> {
  const project = await openProject({ git, reader, settings: "head" });
  if (!project.ok) return null;
  const checked = await whileSlow(terminal, initWords.auditing, () => check(project.value, "all"));
  if (!checked.ok) return null;
  const open = gating(checked.value);
  const pages = new Set(open.map(({ path }) => path)).size;
  const fixable = open.filter(({ edits }) => edits.length > 0).length;
  const claims = await readProjectClaims(project.value);
  return {
    passages: open.length,
    pages,
    fixable,
    read: checked.value.scope?.pages ?? 0,
    ...defined({ coverage: claims.ok ? claims.value.report.totals : undefined }),
  };
}

type Proposed = {
  readonly plan: InitPlan;
  readonly replay: Replay | null;
  readonly today: FalseToday | null;
};

/** Shows the plan, and writes it as one entry when a person agrees. */
async function confirmAndWrite(call: Call, context: Context, proposed: Proposed): Promise<number> {
  const { plan, replay, today } = proposed;
  const { options, terminal } = call;
  const preview = await write(context, plan, true);
  if (!preview.ok) return decline(terminal, "init", preview.refusal);
  const flaws = await findDangerousWorkflows(context.reader);
  if (!terminal.json) show(call, { ...proposed, diff: preview.value.diff, flaws });
  const agreed = plan.steps.length > 0 && (await isAgreed(call));
  const written = agreed ? await write(context, plan, false) : accept(null);
  if (!written.ok) return decline(terminal, "init", written.refusal);
  const entry = written.value?.entry?.id;
  if (terminal.json)
    terminal.printJson({
      success: true,
      written: entry !== undefined,
      ...defined({ entry }),
      files: plan.steps.map(({ part, edit }) => ({ part, path: edit.path, reason: edit.reason })),
      found: plan.found,
      ...defined({ today: today ?? undefined, replay: replay ?? undefined }),
      notes: plan.notes,
      flaws,
      diff: preview.value.diff,
    });
  else if (entry !== undefined) terminal.remark(initWords.written(entry));
  else if (plan.steps.length > 0) terminal.remark(initWords.notWritten(isSet(options, "dry-run")));
  return exit.done;
}

function write(context: Context, { steps }: InitPlan, dryRun: boolean): Promise<Outcome<Applied>> {
  return applyEdits(
    context,
    steps.map(({ edit }) => edit),
    { reason: "set up Suture", dry_run: dryRun },
  );
}

async function isAgreed({ options, terminal }: Call): Promise<boolean> {
  if (isSet(options, "dry-run")) return false;
  if (isSet(options, "yes")) return true;
  if (terminal.json) return false;
  return (await terminal.ask(initWords.question))?.startsWith("y") ?? false;
}

type ShownPlan = Proposed & { readonly diff: string; readonly flaws: readonly FlawedWorkflow[] };

function show({ terminal }: Call, { plan, replay, today, diff, flaws }: ShownPlan): void {
  const { steps, notes, found } = plan;
  if (diff !== "") terminal.printPainted(paintDiff(diff, terminal));
  const files = new Set(steps.map(({ edit }) => edit.path)).size;
  const warnings = flaws.map(
    ({ path, where }) => `${path}: runs code of a pull request with the rights of the repository (${where})`,
  );
  const history = [
    ...(today ? [initWords.today(today)] : []),
    ...(today?.coverage ? initWords.coverage(today.coverage) : []),
    ...(replay ? initWords.replayed(replay) : []),
  ];
  for (const remark of [initWords.found(found), ...history, ...notes, ...warnings, initWords.files(files)])
    terminal.remark(remark);
}
