import { indexLines } from "../../text/model/lines.ts";
import type { Region } from "../../text/model/region.ts";
import { applySplices, createOffsetMap, type Splice } from "../../text/model/splice.ts";
import { coveredLines, lineHunks } from "../tasks/tasks.ts";
import type { FileChange } from "./targets.ts";

/** Regions of the text before that edits speak of. `recorded`: the journal keeps them as marks of the task. */
export type Marked = { readonly regions: readonly Region[]; readonly recorded: boolean };

/** What the journal keeps about a change of one file. */
export type Described = Pick<FileChange, "about" | "texts">;

/** An edit of a text, in offsets and in lines. */
export function describeEdit(
  text: string,
  splices: readonly Splice[],
  { regions, recorded }: Marked,
): Described {
  const after = applySplices(text, splices);
  const [linesBefore, linesAfter] = [indexLines(text), indexLines(after)];
  const map = createOffsetMap(splices);
  const lines = (recorded ? regions : []).map((region) => ({
    before: coveredLines(linesBefore, region),
    after: coveredLines(linesAfter, { start: map(region.start, "before"), end: map(region.end, "after") }),
  }));
  return {
    about: {
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

/** A file that comes from nothing with this text; for one that goes, the empty text. What it held is in its image. */
export function describeWhole(text: string): Described {
  if (text === "")
    return { about: { splices: [], hunks: [], lines: [] }, texts: { inserted: [], removed: [] } };
  const { about, texts } = describeEdit("", [{ region: { start: 0, end: 0 }, text }], {
    regions: [],
    recorded: false,
  });
  return { about, texts };
}
