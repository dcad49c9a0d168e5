import { locateQuote } from "../text/match/locate.ts";
import type { Edit, QuoteTarget } from "../text/model/edit.ts";
import { type Outcome, refuse } from "../text/model/outcome.ts";
import { type Plan, type PlanOptions, planEdits } from "../text/model/plan.ts";
import type { Region } from "../text/model/region.ts";
import type { Snapshot } from "../text/model/snapshot.ts";

/**
 * Plans edits. A quotation in a notebook means the text of its cells, which the file has as strings of JSON; a quotation
 * that no cell has means the file as it is written.
 */
export async function planWithCells(
  edits: readonly Edit[],
  snapshots: readonly Snapshot[],
  options: PlanOptions = {},
): Promise<Outcome<Plan>> {
  const written: Edit[] = [];
  const origin: number[] = [];
  for (const [i, edit] of edits.entries()) {
    const text = isNotebook(edit.path) ? snapshots.find(({ path }) => path === edit.path)?.text : null;
    const inCells = text == null ? [edit] : ((await toRegions(edit, text)) ?? [edit]);
    for (const each of inCells) origin.push(written.push(each) && i);
  }
  const planned = planEdits(written, snapshots, options);
  if (written.length === edits.length || planned.ok) return planned;
  const { edit } = planned.refusal;
  return refuse({ ...planned.refusal, ...(edit === undefined ? {} : { edit: origin[edit]! }) });
}

function isNotebook(path: string): boolean {
  return path.toLowerCase().endsWith(".ipynb");
}

/** A quotation cannot reach from one cell into the next. */
const between = "\n\0\n";

/** The same edit of the strings that write a cell; null where no cell, or more than one place, has the quotation. */
async function toRegions(edit: Edit, json: string): Promise<Edit[] | null> {
  if (!("quote" in edit.target) || !("text" in edit) || edit.target.within) return null;
  const { readNotebook } = await import("../syntax/formats/notebook/notebook.ts");
  const { cells, trouble } = readNotebook(json);
  if (trouble) return null;
  const text = cells.map(({ source }) => source.text).join(between);
  const located = locateQuote(text, edit.target as QuoteTarget, edit.text);
  if (!located.ok) return null;
  const edits: Edit[] = [];
  for (const splice of located.value.splices) {
    let start = 0;
    const cell = cells.find(({ source }) => {
      const isHere = splice.region.start <= start + source.text.length;
      if (!isHere) start += source.text.length + between.length;
      return isHere;
    });
    const { start: from, end } = splice.region;
    const region = cell?.source.locate({ start: from - start, end: end - start });
    if (!region) return null;
    const { reason, evidence, path } = edit;
    edits.push({ path, reason, evidence, target: { region }, text: writeString(splice.text, json, region) });
  }
  return edits;
}

/** A text inside a string of JSON: a new string for each line where the lines of the cell are a list. */
function writeString(text: string, json: string, { start }: Region): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  const line = json.slice(json.lastIndexOf("\n", start - 1) + 1, start);
  const indent = /^[ \t]*(?=")/.exec(line)?.[0];
  if (indent === undefined || line.slice(indent.length + 1).includes('": ')) return escaped;
  return escaped.replace(/(?<!\\)((?:\\\\)*\\n)(?!$)/g, `$1",\n${indent}"`);
}
