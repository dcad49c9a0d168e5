import { oneLine } from "../../text/characters/one-line.ts";
import { defined } from "../../text/model/defined.ts";
import type { HistoryItem } from "../../workspace/workspace.ts";
import { spell } from "../spelling.ts";
import type { Context, Result } from "../tool.ts";

export type HistoryInput = {
  readonly path?: string | undefined;
  readonly run?: string | undefined;
  readonly task?: string | undefined;
  readonly limit?: number | undefined;
};

/** The changes, with author and reason, newest first. */
export async function history(context: Context, input: HistoryInput): Promise<Result> {
  const { limit = 20, run, task } = input;
  const entries = await context.reader.history({
    limit: limit + 1,
    ...defined({ path: input.path === undefined ? undefined : spell(input.path), run, task }),
  });
  const shown = entries.slice(0, limit);
  const rest = entries.length > limit ? ["(older entries not shown; raise limit)"] : [];
  return {
    success: true,
    output: shown.length === 0 ? "No edits yet." : [...shown.map(entryLine), ...rest].join("\n"),
    tool: "history",
    entries: shown,
  };
}

/** One entry in one line: id, time, author, task, files, reasons. */
export function entryLine(entry: HistoryItem): string {
  const names = entry.files.filter(({ sibling }) => !sibling).map(({ path }) => path);
  const files =
    names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
  const who = entry.task === undefined ? entry.author : `${entry.author}/${entry.task}`;
  const reasons = someReasons([entry.reason, ...entry.edits.map(({ reason }) => reason)]);
  const kind =
    entry.kind === "edit" ? "" : ` ${entry.kind}${entry.undoes ? ` of ${entry.undoes.join(", ")}` : ""}`;
  const state = entry.state === "aborted" ? " (aborted)" : entry.undone ? " (undone)" : "";
  return oneLine(
    `${entry.id} ${entry.time} ${who}${kind}: ${files}${reasons === "" ? "" : `: ${reasons}`}${state}`,
  );
}

const mostReasons = 3;
const longestReason = 160;

/** The first reasons, each once; a run can have hundreds, and `show` has them all. */
function someReasons(said: readonly string[]): string {
  const reasons = [...new Set(said)].filter((reason) => reason !== "");
  const shown = reasons
    .slice(0, mostReasons)
    .map((reason) => (reason.length <= longestReason ? reason : `${reason.slice(0, longestReason)}…`));
  const more = reasons.length - shown.length;
  return more > 0 ? `${shown.join("; ")} and ${more} more` : shown.join("; ");
}
