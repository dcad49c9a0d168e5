import { check } from "../docs/check/check.ts";
import type { CheckReport, ReportedFinding } from "../docs/check/report.ts";
import { fix } from "../docs/fix/fix-report.ts";
import { openProject, type Project } from "../docs/project.ts";
import { openContext } from "../tools/context.ts";
import { fixedText, staleText, type ToldFinding, unknownText } from "../wording/agent-hooks.ts";
import { readUserFile } from "../workspace/files/user-file.ts";
import type { Git } from "../workspace/git/git.ts";
import { openPin, type WorkTreePin } from "../workspace/git/work-tree-pin.ts";
import type { Answer, HookCall, HookClient } from "./clients/client.ts";
import { firstHead, locateBase } from "./session/base.ts";
import type { AgentSession, SessionStart } from "./session/session.ts";
import type { HookPlace } from "./start.ts";
import { namedFiles } from "./witness/named-files.ts";
import { originOf } from "./witness/origin.ts";
import { recordShellEdits } from "./witness/shell-edits.ts";
import { taskOf, wantsWitness } from "./witness/witness.ts";

export type StopOptions = {
  /** Make the certain edits instead of asking the agent for them. */
  readonly fix: boolean;
  /** Put what shell commands changed into the journal. */
  readonly record: boolean;
  /** How the agent calls Suture: `suture`, `npx …`. */
  readonly command: string;
  /** A name for the run that `fix` records. */
  readonly run: string;
  readonly time: string;
};

/** How often the end of one turn is blocked. Clients have higher limits of their own. */
const mostBlocks = 3;

/** Work trees that the session made, beside its own. */
const mostWorkTrees = 3;

/**
 * The answer to the end of a turn. It blocks the end once for each set of new findings that the session caused, and
 * otherwise lets the turn end.
 */
export async function stopTurn(
  { call, client }: { readonly call: HookCall; readonly client: HookClient },
  place: HookPlace,
  options: StopOptions,
): Promise<Answer> {
  if (call.isAborted) return {};
  const { store } = place;
  const session = await readSession(call, place);
  if (options.record) {
    place.kept.forgetAbandoned(Date.parse(options.time));
    await recordTurn(call, place, session);
  }
  const checked = await checkTrees(place, session);
  const fixed = options.fix ? await fixTrees(checked, options) : [];
  const done = new Set(fixed.map(({ finding }) => finding.id));
  const agent = call.agent ?? "";
  const shown = new Set(session.shown[agent] ?? []);
  const news = checked
    .flatMap(toldFindings)
    .filter(({ key, finding }) => !shown.has(key) && !done.has(finding.id));
  const blocks = call.isContinued ? session.blocks : 0;
  if (news.length > 0 && blocks < mostBlocks) {
    const keys = [...shown, ...news.map(({ key }) => key)];
    store.write({ ...session, shown: { ...session.shown, [agent]: keys }, blocks: blocks + 1 });
    return client.block(staleText({ findings: news, fixed, command: options.command, ...checked[0]! }));
  }
  const unknown = checked.flatMap(({ report }) => report?.unknown ?? []);
  const isNew = unknown.length > 0 && !session.said.includes("unknown");
  store.write({ ...session, blocks, said: isNew ? [...session.said, "unknown"] : session.said });
  if (fixed.length > 0) return client.note(fixedText(fixed, options.command));
  return isNew ? client.note(unknownText(unknown)) : {};
}

/** Records the changes of the turn that no witnessed tool made. If the journal cannot be written, the answer is the same. */
async function recordTurn(call: HookCall, { git, project }: HookPlace, session: AgentSession): Promise<void> {
  const start = session.starts[git.top];
  const { reader } = project;
  if (!start || start.isLate || !reader || !(await wantsWitness(reader))) return;
  const opened = openPin(git, reader, await locateBase(git, start));
  const isNamed = namedFiles(call.transcript === null ? null : readUserFile(call.transcript), git.top);
  const shared = { git: opened.git, base: opened.base, reader, isNamed };
  const who = { author: call.client, task: taskOf(call), origin: originOf(call, "shell") };
  await recordShellEdits({ ...shared, ...who }).catch(() => undefined);
}

/** The stored session, or a new one where no start was recorded. */
async function readSession(call: HookCall, { git, store }: HookPlace): Promise<AgentSession> {
  const session = store.readOrCreate(call.client);
  if (session.starts[git.top]) return session;
  const start = await lateStart(git, Object.values(session.starts));
  return start ? { ...session, starts: { ...session.starts, [git.top]: start } } : session;
}

/**
 * The start of a session that was not recorded. In a work tree that the session made, it is the commit the work tree was made from;
 * elsewhere the last commit, so that only uncommitted changes count.
 */
async function lateStart(git: Git, others: readonly SessionStart[]): Promise<SessionStart | null> {
  const isNew = others.length > 0 && others.every(({ workTrees }) => !workTrees.includes(git.top));
  const first = isNew ? await firstHead(git) : null;
  const commit = first ?? (await git.resolve("HEAD"));
  if (commit === null) return null;
  const moves = first === null ? (await git.headMoves()).length : 1;
  const start = { pin: { commit, files: [], isWhole: true }, moves, workTrees: await git.workTrees() };
  return first === null ? { ...start, isLate: true } : start;
}

/** The findings of a check of one work tree. */
type CheckedTree = {
  readonly top: string;
  /** `null` for the work tree that the hook was called in. */
  readonly tree: string | null;
  readonly base: string;
  readonly report: CheckReport | null;
};

async function checkTrees(place: HookPlace, session: AgentSession): Promise<CheckedTree[]> {
  const { git, project } = place;
  const start = session.starts[git.top];
  if (!start) return [];
  const first = await checkTree(project, git, { start, tree: null });
  const known = new Set(Object.values(session.starts).flatMap(({ workTrees }) => workTrees));
  const made = (await git.workTrees()).filter((top) => !known.has(top) && top !== git.top);
  const rest: CheckedTree[] = [];
  for (const top of made.slice(0, mostWorkTrees)) rest.push(...(await checkMadeTree(top)));
  return [first, ...rest];
}

async function checkMadeTree(top: string): Promise<CheckedTree[]> {
  const opened = await openProject({ root: top });
  if (!opened.ok) return [];
  await using project = opened.value;
  const commit = project.git && (await firstHead(project.git));
  if (!project.git || !commit) return [];
  const pin: WorkTreePin = { commit, files: [], isWhole: true };
  return [await checkTree(project, project.git, { start: { pin, moves: 1, workTrees: [] }, tree: top })];
}

async function checkTree(
  project: Project,
  git: Git,
  { start, tree }: { readonly start: SessionStart; readonly tree: string | null },
): Promise<CheckedTree> {
  const pin = await locateBase(git, start);
  const opened = openPin(git, project.reader!, pin);
  const report = await check({ ...project, git: opened.git }, { base: opened.base });
  return { top: git.top, tree, base: pin.commit, report: report.ok ? report.value : null };
}

/** The findings of a work tree that are sure enough to block the end of a turn. */
function toldFindings({ tree, report }: CheckedTree): (ToldFinding & { readonly key: string })[] {
  return (report?.findings ?? [])
    .filter(({ tier }) => tier !== "possible")
    .map((finding) => ({ finding, tree, key: tree === null ? finding.id : `${finding.id} ${tree}` }));
}

/** Makes the certain edits, one run for each work tree. Pages that instruct agents are left to a person. */
async function fixTrees(checked: readonly CheckedTree[], { run, time }: StopOptions): Promise<ToldFinding[]> {
  const fixed: ToldFinding[] = [];
  for (const { top, tree, report } of checked) {
    if (!report) continue;
    const findings = report.findings.filter(({ tier }) => tier === "certain");
    const done = findings.length === 0 ? [] : await fixTree(top, { ...report, findings }, { run, time });
    fixed.push(...done.map((finding) => ({ finding, tree })));
  }
  return fixed;
}

async function fixTree(
  root: string,
  report: CheckReport,
  { run, time }: Pick<StopOptions, "run" | "time">,
): Promise<readonly ReportedFinding[]> {
  const opened = await openContext({ root, author: "suture", task: run, run });
  if (!opened.ok) return [];
  await using context = opened.value;
  const fixed = await fix(context, report, { tiers: ["certain"], run, time });
  return fixed.ok ? fixed.value.done : [];
}
