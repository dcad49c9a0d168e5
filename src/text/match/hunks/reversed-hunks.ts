import { defined } from "../../model/defined.ts";
import type { Hunk } from "../../model/hunk.ts";
import { type LineTable, textAt } from "../line-table.ts";
import { type LineEdit, wasApplied } from "../was-applied.ts";
import { keysOf, locateAll, wantedOf } from "./locate-hunks.ts";
import type { LocatedHunks } from "./located-hunk.ts";

/** The places of the new sides of the hunks, if all are found and that shows that the hunks were applied. */
export function locateReversed(table: LineTable, hunks: readonly Hunk[]): LocatedHunks {
  const located = locateAll(table, hunks.map(reverse).map(wantedOf));
  if (!located.ok) return located;
  const lines = linesOf(table);
  const doubtful = hunks.findIndex(
    (hunk, i) => !wasApplied(lines, lineEditOf(hunk), located.placed[i]!.line),
  );
  return doubtful < 0 ? located : { ok: false, hunk: doubtful, why: "nowhere" };
}

/** A hunk by its outer context and the lines between, on either side. */
function lineEditOf({ lines }: Hunk): LineEdit {
  const first = lines.findIndex(({ kind }) => kind !== "context");
  const last = lines.findLastIndex(({ kind }) => kind !== "context");
  const inner = lines.slice(first, last + 1);
  return {
    before: keysOf(lines.slice(0, first)),
    removed: keysOf(inner.filter(({ kind }) => kind !== "added")),
    added: keysOf(inner.filter(({ kind }) => kind !== "removed")),
    after: keysOf(lines.slice(last + 1)),
  };
}

function linesOf(table: LineTable): string[] {
  return Array.from({ length: table.count }, (_, line) => textAt(table, line));
}

const otherSide = { context: "context", removed: "added", added: "removed" } as const;

function reverse({ line, newLine, ...hunk }: Hunk): Hunk {
  const lines = hunk.lines.map((each) => ({ ...each, kind: otherSide[each.kind] }));
  return { ...hunk, lines, ...defined({ line: line === undefined ? undefined : (newLine ?? line) }) };
}
