import { defined } from "../../../text/model/defined.ts";
import { boundTo } from "../../binding/bound-by.ts";
import { isInstalled } from "../../binding/foreign.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { RUNNERS, type Runner } from "../../change/runners.ts";
import type { PageLine } from "../../pages/page.ts";
import { isForContributors } from "../../pages/policies.ts";
import type { State } from "../../state/state.ts";
import type { Claim, Drift, PastStates, Truth } from "../claim.ts";

/** "Run `npm run build`": a file of the runner has this task. */
export type TaskClaim = Claim & {
  readonly role: "task";
  readonly runner: Runner;
  readonly task: string;
  /** A page for contributors says it in a form that no other program has: it is a task of this repository or of none. */
  readonly isOurs?: true;
};

/** The tasks that a page tells people to run: at the beginning of a command, in a sample or in inline code. */
export function readTasks(page: DocumentPage): TaskClaim[] {
  const claims: TaskClaim[] = [];
  let declared: ReadonlySet<string> | undefined;
  for (const runner of RUNNERS) {
    const call = new RegExp(`(?<![\\w-])(?:${runner.call})\\s+([A-Za-z][\\w:.-]*)`, "g");
    if (page.text.search(call) < 0) continue;
    const said = new RegExp(`^(?:${runner.said})\\s`);
    const mayBeOurs = !runner.isOpen && isForContributors(page.path);
    for (const line of page.read().lines)
      for (const match of line.text.matchAll(call)) {
        const end = match.index + match[0].length;
        if (!isCommand(line, match.index, end)) continue;
        const task = match[1]!.replace(/[.:]+$/, "");
        declared ??= tasksShown(page);
        if (declared.has(task)) continue;
        const start = line.start + end - match[1]!.length;
        const isOurs = mayBeOurs && said.test(match[0]) && !ELSEWHERE.test(line.text);
        const region = { start, end: start + task.length };
        claims.push({
          page,
          role: "task",
          runner,
          task,
          region,
          ...defined({ isOurs: isOurs || undefined }),
        });
      }
  }
  return claims;
}

/** The line sends its reader to code that this repository does not hold. */
const ELSEWHERE = /\bsubmodule\b|\b(?:another|other|own) repo/i;

/** The tasks that samples of the page declare, `name: …`: the page shows the reader's own file of tasks. */
function tasksShown(page: DocumentPage): ReadonlySet<string> {
  return new Set(
    page
      .read()
      .lines.flatMap(({ place, text }) =>
        place === "code" ? (/^\s*["'@]?([A-Za-z][\w-]*)["']?(?:\s[^:=]*)?:(?!=)/.exec(text)?.[1] ?? []) : [],
      ),
  );
}

/** A command begins its line or its inline code; words in the middle are prose or output. */
function isCommand({ text, place, spans }: PageLine, at: number, end: number): boolean {
  if (place === "code") return /(?:^|&&|;|\|\|)\s*(?:[$>%]\s+)?(?:[A-Z_]+=\S+\s+)*$/.test(text.slice(0, at));
  const span = spans.find((one) => one.start <= at && end <= one.end);
  return span !== undefined && /^`*\s*(?:[$>]\s+)?$/.test(text.slice(span.start, at));
}

type Tasks = {
  readonly found: ReadonlyMap<string, { readonly path: string; readonly command: string }>;
  /** The folders whose files may have more tasks than they list. */
  readonly open: ReadonlySet<string>;
};

/** The tasks of a runner in a state; null where they are made from other files. */
async function tasksIn({ file, tasks, takesAny, madeFrom }: Runner, state: State): Promise<Tasks | null> {
  const files = [...state.files()];
  const own = files.filter((path) => file.test(path));
  if (own.length > MOST_FILES || (madeFrom && files.some((path) => madeFrom.test(path)))) return null;
  const found = new Map<string, { readonly path: string; readonly command: string }>();
  const open = new Set<string>();
  for (const path of own) {
    const text = (await state.text(path)) ?? "";
    if (takesAny?.(text) || INCLUDES.test(text)) open.add(folderOf(path));
    for (const [name, command] of tasks(text)) found.set(name, { path, command });
  }
  return { found, open };
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

const MOST_FILES = 500;
const INCLUDES = /^[^\S\n]*-?include\s|^%|\$\(eval|^import\s+["']|^[^\s#:=]*\$[({][^:=]*:(?!=)/m;

const listed = new WeakMap<State, Map<Runner, Promise<Tasks | null>>>();

function listTasks(runner: Runner, state: State): Promise<Tasks | null> {
  const known = listed.get(state) ?? new Map<Runner, Promise<Tasks | null>>();
  listed.set(state, known);
  const tasks = known.get(runner) ?? tasksIn(runner, state);
  known.set(runner, tasks);
  return tasks;
}

/** A task that some file of the runner had and none has now; without a past, one of ours that no file has. */
export async function judgeTask(
  claim: TaskClaim,
  { base, head }: PastStates,
): Promise<Drift<TaskClaim> | null> {
  const { runner, task } = claim;
  if (!base) return judgeUnknownTask(claim, head);
  const [before, now] = [await listTasks(runner, base), await listTasks(runner, head)];
  const was = before?.found.get(task);
  if (!before || !now || !was || now.found.has(task) || now.open.has(folderOf(was.path))) return null;
  // `yarn tool` also runs a program that a package brings.
  if (await isInstalled(task, head)) return null;
  const isHeir =
    (others: Tasks) =>
    ([name, { command }]: readonly [string, { readonly command: string }]) =>
      !others.found.has(name) && command === was.command;
  const [heirs, rivals] = [[...now.found].filter(isHeir(before)), [...before.found].filter(isHeir(now))];
  const fresh = was.command !== "" && heirs.length === 1 && rivals.length === 1 ? heirs[0]![0] : undefined;
  const [old, line] = await lineOf(was.path, task, base);
  const [after] = fresh === undefined ? [undefined] : await lineOf(heirs[0]![1].path, fresh, head);
  return {
    claim,
    tier: fresh === undefined ? "likely" : "certain",
    message:
      fresh === undefined ? { what: "removed", old: task } : { what: "renamed", old: task, new: fresh },
    evidence: [
      {
        path: was.path,
        revision: base.revision,
        startLine: line,
        endLine: line,
        before: old,
        ...defined({ after }),
      },
    ],
    cause: fresh === undefined ? `removed:${task}` : `renamed:${task}→${fresh}`,
    rule: "script",
    ...defined({ repair: fresh }),
  };
}

async function judgeUnknownTask(claim: TaskClaim, head: State): Promise<Drift<TaskClaim> | null> {
  const { runner, task } = claim;
  const now = await listTasks(runner, head);
  const [known] = now?.found.values() ?? [];
  if (!now || !known || now.found.has(task) || now.open.size > 0 || (await isInstalled(task, head)))
    return null;
  const { path } = known;
  return {
    claim,
    tier: "likely",
    message: { what: "no task", old: task, owner: path },
    evidence: [{ path, revision: head.revision, startLine: 1, endLine: 1, after: path }],
    cause: `task:${task}`,
    rule: "script",
  };
}

async function lineOf(
  path: string,
  name: string,
  state: State,
): Promise<readonly [text: string, line: number]> {
  const lines = ((await state.text(path)) ?? "").split(/\r?\n/);
  const at = Math.max(
    0,
    lines.findIndex((line) => line.includes(name)),
  );
  return [lines[at] ?? "", at + 1];
}

export async function taskTruth({ runner, task }: TaskClaim, state: State): Promise<Truth> {
  const tasks = await listTasks(runner, state);
  if (!tasks) return { is: "undecidable", why: "the tasks cannot be listed" };
  const found = tasks.found.get(task);
  if (!found)
    return tasks.open.size > 0
      ? { is: "undecidable", why: "the tasks cannot be listed" }
      : { is: "false", evidence: [] };
  const [, line] = await lineOf(found.path, task, state);
  return { is: "true", ...boundTo([{ name: task, path: found.path, line }], "command") };
}
