import { indexLines } from "../../text/model/lines.ts";
import type { Region } from "../../text/model/region.ts";
import { applySplices, createOffsetMap, type Splice } from "../../text/model/splice.ts";
import { coveredLines, lineHunks } from "../tasks/tasks.ts";
import type { FileChange } from "./targets.ts";

/** Regions of the old text that edits target. `recorded`: the journal records them as lines of the task. */
export type EditedRegions = { readonly regions: readonly Region[]; readonly recorded: boolean };

/** The journal's record of a change of one file. */
export type ChangeDescription = Pick<FileChange, "details" | "texts">;

/** Describes an edit of a text, in offsets and in lines. */
export function describeEdit(
  text: string,
  splices: readonly Splice[],
  { regions, recorded }: EditedRegions,
): ChangeDescription {
  const after = applySplices(text, splices);
  const [linesBefore, linesAfter] = [indexLines(text), indexLines(after)];
  const map = createOffsetMap(splices);
  const lines = (recorded ? regions : []).map((region) => ({
    before: coveredLines(linesBefore, region),
    after: coveredLines(linesAfter, { start: map(region.start, "before"), end: map(region.end, "after") }),
  }));
  return {
    details: {
      splices: splices.map(({ region, text: inserted }) => ({ ...region, length: inserted.length })),
      hunks: lineHunks(text, splices, linesBefore),
      lines,
    },
    texts: {
      inserted: splices.map((splice) => splice.text),
      removed: splices.map(({ region }) => text.slice(region.start, region.end)),
    },
  };
}

/** Describes a new file with this text. A deleted file has the empty text; its saved copy has the old bytes. */
export function describeWhole(text: string): ChangeDescription {
  if (text === "")
    return { details: { splices: [], hunks: [], lines: [] }, texts: { inserted: [], removed: [] } };
  const splices = [{ region: { start: 0, end: 0 }, text }];
  return describeEdit("", splices, { regions: [], recorded: false });
}
