import { oneLine } from "../../text/characters/one-line.ts";
import { refused } from "../../wording/report.ts";
import type { OwnedLines } from "../../workspace/workspace.ts";
import { spell } from "../spelling.ts";
import type { Context, Result } from "../tool.ts";

type Owner = OwnedLines["owners"][number];

/** Neighbouring lines of one entry; `null`: nobody recorded them. Counted from 1. */
export type OwnedRange = { readonly startLine: number; readonly endLine: number; readonly owner: Owner };

/** Who wrote each line of a file, in which entry and why. */
export async function blame({ reader }: Context, { path }: { readonly path: string }): Promise<Result> {
  const owned = await reader.lineOwners(spell(path));
  if (!owned.ok) return refused(owned.refusal, { tool: "blame", wording: "files" });
  const ranges = rangesOf(owned.value.owners);
  const lines = owned.value.text.split("\n");
  const width = String(lines.length).length;
  const output = ranges.map(({ startLine, endLine, owner }) => {
    const own = lines.slice(startLine - 1, endLine);
    const numbered = own.map((line, i) => `  ${String(startLine + i).padStart(width)}  ${line}`);
    return [ownerLine(owner), ...numbered].join("\n");
  });
  return {
    success: true,
    output: ranges.length === 0 ? "The file is empty." : output.join("\n"),
    tool: "blame",
    path: owned.value.path,
    lines: ranges.map(({ owner, ...range }) => ({ ...range, ...(owner ? summaryOf(owner) : {}) })),
  };
}

export function rangesOf(owners: readonly Owner[]): OwnedRange[] {
  const ranges: OwnedRange[] = [];
  for (const [i, owner] of owners.entries()) {
    const last = ranges.at(-1);
    const startLine = last?.owner?.id === owner?.id ? ranges.pop()?.startLine : i + 1;
    ranges.push({ startLine: startLine ?? i + 1, endLine: i + 1, owner });
  }
  return ranges;
}

function summaryOf({ id, time, author, task, origin, reason }: NonNullable<Owner>) {
  return { entry: id, time, author, task, ...origin, reason };
}

function ownerLine(owner: Owner): string {
  if (!owner) return "unknown: no entry has these lines";
  const { id, time, author, origin, reason } = owner;
  const model = origin?.model && !author.includes(origin.model) ? ` (${origin.model})` : "";
  return oneLine(`${id} ${time} ${author}${model}${reason === "" ? "" : `: ${reason}`}`);
}
