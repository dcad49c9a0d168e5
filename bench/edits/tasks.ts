import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { printTable } from "../report.ts";
import type { Clone } from "./clone.ts";
import { hunksOf } from "./hunks.ts";
import { type Answer, type Call, McpServer } from "./mcp-server.ts";
import type { Setting } from "./setting.ts";

/**
 * Commits of real histories as tasks, made over MCP and with an edit tool that replaces one exact and unique text. Both
 * are given by a script that knows the commit: it reads the lines around each change and quotes what it was shown. In
 * every third task its first quotation lacks the indentation, as those of models do, and it goes on as the refusal says.
 */
export async function measureTasks(setting: Setting): Promise<boolean> {
  const rows: string[][] = [];
  let isNeverWorse = true;
  for (const clone of setting.clones()) {
    const task = rows.length < mostTasks ? findTask(clone) : null;
    if (!task) continue;
    const slips = rows.length % 3 === 2;
    const [own, other] = [await withSuture(task, slips), await withExactTool(task, slips)];
    isNeverWorse &&=
      own.isRight && own.calls <= other.calls && own.sent + own.shown <= other.sent + other.shown;
    rows.push([
      `${clone.name} ${task.commit.slice(0, 9)}`,
      slips ? "yes" : "",
      ...figures(own),
      ...figures(other),
    ]);
  }
  const columns = ["calls", "refused", "sent", "shown", "right"];
  console.log("Characters that the model writes (sent) and reads (shown).\n");
  console.log(printTable(["task", "slip", ...columns, ...columns.map((name) => `exact: ${name}`)], rows));
  return isNeverWorse;
}

const mostTasks = 15;
/** Longer lines are data. */
const longestLine = 300;

type Change = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly places: Place[];
};
/** Lines from 0, half-open: those of the old text, and what they become. */
type Place = { readonly first: number; readonly end: number; readonly now: readonly string[] };
type Task = { readonly commit: string; readonly changes: readonly Change[] };

/** The newest commit that changes up to four files in up to eight places. */
function findTask(clone: Clone): Task | null {
  const args = ["log", "--no-merges", "--no-renames", "--diff-filter=M", "--format=%H", "-n60", "HEAD"];
  for (const commit of clone.git(args).toString("utf8").trim().split("\n")) {
    const raw = clone.git([
      "diff-tree",
      "-r",
      "--raw",
      "--no-abbrev",
      "--no-renames",
      "--no-commit-id",
      commit,
    ]);
    const lines = raw.toString("utf8").trim().split("\n");
    const changes = lines.flatMap((line) => findChange(clone, line) ?? []);
    const places = changes.reduce((sum, change) => sum + change.places.length, 0);
    const isPlain = changes.every(({ after }) =>
      after.split("\n").every((text) => text.length < longestLine),
    );
    if (isPlain && changes.length === lines.length && lines.length <= 4 && places >= 2 && places <= 8)
      return { commit, changes };
  }
  return null;
}

function findChange(clone: Clone, line: string): Change | null {
  const [, before, after, path] = /^:100\d{3} 100\d{3} (\w{40}) (\w{40}) M\t(.*)$/.exec(line) ?? [];
  if (!before || !after || !path) return null;
  const [old, now] = [clone.text(before), clone.text(after)];
  if (old === null || now === null || old.includes("\r") || !old.endsWith("\n") || !now.endsWith("\n"))
    return null;
  const places = hunksOf(clone.diff(before, after, 0).toString("utf8")).map(
    ({ line: from = 0, lines: body }): Place => {
      const removed = body.filter(({ kind }) => kind === "removed").length;
      const first = removed === 0 ? from : from - 1;
      return {
        first,
        end: first + removed,
        now: body.filter(({ kind }) => kind === "added").map(({ text }) => text),
      };
    },
  );
  return { path, before: old, after: now, places };
}

type Cost = { calls: number; refused: number; sent: number; shown: number; isRight: boolean };

function figures({ calls, refused, sent, shown, isRight }: Cost): string[] {
  return [calls, refused, sent, shown, isRight ? "yes" : "NO"].map(String);
}

const shownAround = 8;

/** The lines that are read before an edit: those of every place and some around it, each once. */
function rangesOf({ before, places }: Change): { first: number; last: number }[] {
  const count = before.split("\n").length - 1;
  const ranges: { first: number; last: number }[] = [];
  for (const { first, end } of places) {
    const range = { first: Math.max(1, first + 1 - shownAround), last: Math.min(count, end + shownAround) };
    const above = ranges.at(-1);
    if (above && range.first <= above.last + 1) above.last = range.last;
    else ranges.push(range);
  }
  return ranges;
}

const isSlipped = (slips: boolean, at: number): boolean => slips && at === 0;

/** The lines without the indentation that all of them, and those beside them, have. */
function dedented(lines: readonly string[], beside: readonly string[] = []): string[] {
  const filled = [...lines, ...beside].filter((line) => line.trim() !== "");
  const depth = Math.min(...filled.map((line) => /^[ \t]*/.exec(line)![0].length));
  return lines.map((line) => (line.trim() === "" ? line : line.slice(depth)));
}

/** One patch for all files. The lines of a place stand in it with one line of context, which a slip dedents. */
async function withSuture({ changes }: Task, slips: boolean): Promise<Cost> {
  await using server = new McpServer();
  for (const { path, before } of changes) {
    mkdirSync(dirname(join(server.root, path)), { recursive: true });
    writeFileSync(join(server.root, path), before);
  }
  await server.start();
  const cost = { calls: 0, refused: 0, sent: 0, shown: 0, isRight: false };
  const call = async (asked: Call): Promise<Answer> => {
    const answer = await server.call(asked);
    count(cost, JSON.stringify(asked.input), answer);
    return answer;
  };
  const anchors = new Map<string, Map<number, string>>();
  for (const change of changes)
    for (const { first, last } of rangesOf(change)) {
      const { path } = change;
      const input = { path, start_line: first, end_line: last, anchors: true };
      const known = anchors.get(path) ?? new Map<number, string>();
      const { text } = await call({ tool: "read_file", input });
      for (const [, line, mark] of text.matchAll(/^(\d+):(\w{3})\|/gm))
        known.set(Number(line), `${line}:${mark}|`);
      anchors.set(path, known);
    }
  const patch = (isSlip: boolean): Call => {
    const rows = changes.flatMap((change, at) => [
      `*** Update File: ${change.path}`,
      ...change.places.flatMap((place, i) =>
        isSlipped(isSlip, at + i)
          ? slippedRows(change, place)
          : anchoredRows(place, anchors.get(change.path)!),
      ),
    ]);
    return {
      tool: "apply_patch",
      input: { patch: `*** Begin Patch\n${rows.join("\n")}\n*** End Patch` },
    };
  };
  const answer = await call(patch(slips));
  const [, handle] = /retry_edit \{"handle": "(r\d+)"\} *\.?\n?diff/.exec(answer.text) ?? [];
  if (answer.isRefused) await call(handle ? { tool: "retry_edit", input: { handle } } : patch(false));
  cost.isRight = changes.every(({ path, after }) => readFileSync(join(server.root, path), "utf8") === after);
  return cost;
}

function count(cost: Cost, sent: string, { isRefused, text }: Answer): void {
  cost.calls++;
  cost.sent += sent.length;
  cost.shown += text.length;
  if (isRefused) cost.refused++;
}

function anchoredRows({ first, end, now }: Place, anchors: ReadonlyMap<number, string>): string[] {
  const added = now.map((line) => `+${line}`);
  if (first === end)
    return first === 0 ? [...added, ` ${anchors.get(1)}`] : [` ${anchors.get(first)}`, ...added];
  const [from, to] = [anchors.get(first + 1)!, anchors.get(end)!];
  return [`-${from === to ? from : `${from.slice(0, -1)}..${to}`}`, ...added];
}

/** A hunk with the text of its lines, as a model writes it that forgets the indentation. */
function slippedRows({ before }: Change, { first, end, now }: Place): string[] {
  const lines = before.split("\n");
  const above = lines.slice(Math.max(0, first - 1), first);
  const below = lines.slice(end, end + 1);
  const old = lines.slice(first, end);
  const all = [...above, ...old, ...now, ...below];
  const marked = (mark: string, part: readonly string[]): string[] =>
    dedented(part, all).map((line) => mark + line);
  const rows = [...marked(" ", above), ...marked("-", old), ...marked("+", now), ...marked(" ", below)];
  return ["@@", ...rows];
}

/** One call for each place: a text that has to be there exactly and once, and its replacement. */
async function withExactTool({ changes }: Task, slips: boolean): Promise<Cost> {
  const cost = { calls: 0, refused: 0, sent: 0, shown: 0, isRight: true };
  for (const [at, change] of changes.entries()) {
    const lines = change.before.split("\n");
    const { path } = change;
    const view = ({ first, last }: { first: number; last: number }): void => {
      const text = numbered(lines, first, last);
      count(cost, JSON.stringify({ path, view_range: [first, last] }), { isRefused: false, text });
    };
    for (const range of rangesOf(change)) view(range);
    for (const [i, place] of change.places.toReversed().entries()) {
      const { first, last } = uniqueAround(lines, place);
      const old = lines.slice(first, last);
      const now = [...lines.slice(first, place.first), ...place.now, ...lines.slice(place.end, last)];
      const call = (from: readonly string[], to: readonly string[]): string =>
        JSON.stringify({ path, old_str: from.join("\n"), new_str: to.join("\n") });
      if (isSlipped(slips, at + i) && dedented(old, now).join("\n") !== old.join("\n")) {
        const text = `No replacement was performed, old_str did not appear verbatim in ${path}.`;
        count(cost, call(dedented(old, now), dedented(now, old)), { isRefused: true, text });
        view({ first: first + 1, last });
      }
      lines.splice(first, last - first, ...now);
      const snippet = numbered(
        lines,
        Math.max(1, first + 1 - 4),
        Math.min(lines.length - 1, first + now.length + 4),
      );
      count(cost, call(old, now), {
        isRefused: false,
        text: `The file ${path} has been edited.\n${snippet}`,
      });
    }
    cost.isRight &&= lines.join("\n") === change.after;
  }
  return cost;
}

function numbered(lines: readonly string[], first: number, last: number): string {
  return lines
    .slice(first - 1, last)
    .map((line, i) => `${String(first + i).padStart(6)}\t${line}`)
    .join("\n");
}

/** The lines of a place with as many around them as make them unique. */
function uniqueAround(lines: readonly string[], { first, end }: Place): { first: number; last: number } {
  const text = `\n${lines.join("\n")}\n`;
  let [from, to] = first === end ? [Math.max(0, first - 1), end + 1] : [first, end];
  for (;;) {
    const quoted = lines.slice(from, to).join("\n");
    if (quoted.trim() !== "" && text.split(quoted).length === 2) return { first: from, last: to };
    if (from === 0 && to >= lines.length) return { first: from, last: to };
    from = Math.max(0, from - 1);
    to = Math.min(lines.length, to + 1);
  }
}
