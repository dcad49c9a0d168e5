import { locateQuote } from "../text/match/locate.ts";
import { findQuote } from "../text/match/quote.ts";
import type { Edit } from "../text/model/edit.ts";
import { lineNumber } from "../text/model/lines.ts";
import { accept, type Outcome, type Refusal, refuse } from "../text/model/outcome.ts";
import { type PlacedEdit, type Plan, type PlanOptions, planEdits } from "../text/model/plan.ts";
import type { Region } from "../text/model/region.ts";
import type { Snapshot } from "../text/model/snapshot.ts";
import type { Splice } from "../text/model/splice.ts";

type Notebooks = typeof import("../syntax/formats/notebook/notebook.ts");

/**
 * Plans edits. A quotation in a notebook means the text of its cells, which the file has as strings of JSON; a quotation
 * that no cell has means the file as it is written.
 */
export async function planWithCells(
  edits: readonly Edit[],
  snapshots: readonly Snapshot[],
  options: PlanOptions = {},
): Promise<Outcome<Plan>> {
  if (!edits.some(({ path }) => isNotebook(path))) return planEdits(edits, snapshots, options);
  const notebooks = await import("../syntax/formats/notebook/notebook.ts");
  return planEdits(edits, snapshots, {
    ...options,
    placeQuote: (edit, text) => (isNotebook(edit.path) ? placeInCells(notebooks, edit, text) : null),
  });
}

function isNotebook(path: string): boolean {
  return path.toLowerCase().endsWith(".ipynb");
}

/** A quotation cannot reach from one cell into the next. */
const between = "\n\0\n";

/** The edit of the strings that write a cell; null where no cell has the quotation. */
function placeInCells({ readNotebook }: Notebooks, edit: Edit, json: string): Outcome<PlacedEdit> | null {
  const { target } = edit;
  if (!("quote" in target) || !("text" in edit) || target.within) return null;
  const { cells, trouble } = readNotebook(json);
  if (trouble) return null;
  const text = cells.map(({ source }) => source.text).join(between);
  const toFile = ({ start, end }: Region): Region | undefined => {
    let from = 0;
    const cell = cells.find(({ source }) => {
      const isHere = start <= from + source.text.length;
      if (!isHere) from += source.text.length + between.length;
      return isHere;
    });
    return cell?.source.locate({ start: start - from, end: end - from });
  };
  const located = locateQuote(text, target, edit.text);
  if (!located.ok) return isMiss(located.refusal) ? null : refuse(inFile(located.refusal));
  const splices: Splice[] = [];
  for (const splice of located.value.splices) {
    const region = toFile(splice.region);
    if (!region) return null;
    splices.push({ region, text: writeString(splice.text, json, region) });
  }
  return accept({ ...located.value, splices });

  /** The refusal with the lines of the file. */
  function inFile(refusal: Refusal): Refusal {
    if (refusal.code !== "ambiguous" || !("quote" in target)) return refusal;
    const { regions } = findQuote(text, target.quote, { fit: target.fit, limit: refusal.places.length });
    const lineOf = (i: number): number => lineNumber(json, toFile(regions[i]!)?.start ?? 0);
    return { ...refusal, places: refusal.places.map((place, i) => ({ ...place, line: lineOf(i) })) };
  }
}

function isMiss(refusal: Refusal): boolean {
  return refusal.code === "not-found" && refusal.what === "quote";
}

/** A text inside a string of JSON: a new string for each line where the lines of the cell are a list. */
function writeString(text: string, json: string, { start }: Region): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  const line = json.slice(json.lastIndexOf("\n", start - 1) + 1, start);
  const indent = /^[ \t]*(?=")/.exec(line)?.[0];
  if (indent === undefined || line.slice(indent.length + 1).includes('": ')) return escaped;
  return escaped.replace(/(?<!\\)((?:\\\\)*\\n)(?!$)/g, `$1",\n${indent}"`);
}
