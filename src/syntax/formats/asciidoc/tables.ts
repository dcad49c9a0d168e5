import type { Region } from "../../../text/model/region.ts";
import type { BlockList } from "../block-list.ts";
import { trimRegion } from "../characters.ts";
import type { IndentedLines } from "../indented-lines.ts";

/** The lines of a `|===` table, the block that holds it, and its attribute line. */
type AsciiDocTableLines = {
  readonly from: number;
  readonly to: number;
  readonly parent: number | undefined;
  readonly attributes: string;
};

/** Cells begin at a pipe and run to the next; rows are as many cells as the table has columns. */
export function addAsciiDocTable(
  lines: IndentedLines,
  list: BlockList,
  { from, to, parent, attributes }: AsciiDocTableLines,
): void {
  const { cells, firstLine, headed } = findCells(lines, from, to);
  const columns = columnsOf(attributes) ?? firstLine;
  if (cells.length === 0 || columns === 0) return;
  let table: number | undefined;
  for (let first = 0; first < cells.length; first += columns) {
    const held = cells.slice(first, first + columns);
    const row = list.add("table-row", { start: held[0]!.mark, end: held.at(-1)!.content.end }, parent);
    table ??= row;
    list.blocks[row]!.table = table;
    const header = row === table && (headed || /%header|options="[^"]*header/.test(attributes));
    if (header) list.blocks[row]!.header = true;
    held.forEach(({ region, content }, depth) => {
      const block = list.blocks[list.add("table-cell", region, row)]!;
      block.content = content;
      block.depth = depth;
      block.table = table!;
      if (header) block.header = true;
    });
  }
}

type Cell = { readonly mark: number; readonly region: Region; readonly content: Region };

/** `headed`: a blank line behind the first line of cells makes it the header. */
function findCells(
  lines: IndentedLines,
  from: number,
  to: number,
): { cells: Cell[]; firstLine: number; headed: boolean } {
  const { text } = lines;
  const marks: { mark: number; start: number }[] = [];
  let firstLine = 0;
  let headed = false;
  for (let line = from; line < to; line++) {
    const before = marks.length;
    for (let at = lines.start(line); at < lines.end(line); at++) {
      if (text[at] !== "|" || text[at - 1] === "\\") continue;
      marks.push({ mark: specStart(text, lines.start(line), at), start: at + 1 });
    }
    if (before === 0 && marks.length > 0) {
      firstLine = marks.length;
      headed = lines.indent(line + 1) < 0 && line + 1 < to && lines.indent(from) >= 0 && line === from;
    }
  }
  const end = to > from ? lines.end(to - 1) : 0;
  const cells = marks.map(({ mark, start }, index) => {
    const stop = Math.max(start, marks[index + 1]?.mark ?? end);
    const content = trimRegion(text, start, stop);
    return { mark, region: { start, end: Math.max(content.end, start) }, content };
  });
  return { cells, firstLine, headed };
}

/** A cell's span, alignment and style are directly before its pipe: `2+^a|`. */
function specStart(text: string, lineStart: number, pipe: number): number {
  let at = pipe;
  while (at > lineStart && pipe - at < 12 && /[\d.+*<>^adehlmsv]/.test(text[at - 1]!)) at--;
  return at === lineStart || text[at - 1] === " " ? at : pipe;
}

function columnsOf(attributes: string): number | undefined {
  const written = /\bcols="?([^"\]]+)/.exec(attributes)?.[1];
  if (!written) return undefined;
  return written.split(/[,;]/).reduce((sum, part) => sum + Number(/^\s*(\d+)\*/.exec(part)?.[1] ?? 1), 0);
}
