import type { Hunk } from "../model/hunk.ts";
import type { LineTable } from "./line-table.ts";
import { type LocatedHunks, locateAll, wantedOf } from "./locate-hunks.ts";

/** Where the new sides of hunks stand, if all of them do and that shows that they were applied. */
export function locateReversed(table: LineTable, hunks: readonly Hunk[]): LocatedHunks {
  if (!hunks.every(leavesTrace)) return { ok: false, hunk: 0, why: "nowhere" };
  return locateAll(table, hunks.map(reverse).map(wantedOf));
}

/** Whether the new side shows that a hunk was applied: by what it added, or by lines that have closed ranks. */
function leavesTrace({ lines }: Hunk): boolean {
  const first = lines.findIndex(({ kind }) => kind !== "context");
  const last = lines.findLastIndex(({ kind }) => kind !== "context");
  const added = lines.some(({ kind }) => kind === "added");
  return added || (first > 0 && last < lines.length - 1);
}

const otherSide = { context: "context", removed: "added", added: "removed" } as const;

function reverse({ line, newLine, ...hunk }: Hunk): Hunk {
  const lines = hunk.lines.map((each) => ({ ...each, kind: otherSide[each.kind] }));
  return { ...hunk, lines, ...(line === undefined ? {} : { line: newLine ?? line }) };
}
