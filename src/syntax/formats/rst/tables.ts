import type { Region } from "../../../text/model/region.ts";
import type { BlockList } from "../block-list.ts";
import { trimRegion } from "../characters.ts";
import type { IndentedLines } from "../indented-lines.ts";

export function isGridBorder(words: string): boolean {
  return /^\+(?:[-=]+\+)+$/.test(words);
}

export function isSimpleBorder(words: string): boolean {
  return /^=+(?: +=+)+$/.test(words);
}

/** The lines that may be a table, and the block that holds them. */
type TableLines = { readonly from: number; readonly to: number; readonly parent: number | undefined };

/** `+---+---+` tables: each line between two borders adds to a row; a cell's region is its first line's. */
export function addGridTable(
  lines: IndentedLines,
  list: BlockList,
  { from, to, parent }: TableLines,
): number {
  let table: number | undefined;
  let header = true;
  let row: number | undefined;
  let line = from;
  for (; line < to; line++) {
    const words = lines.words(line);
    if (words[0] !== "+" && words[0] !== "|") break;
    if (words[0] === "+") {
      if (words.includes("=")) header = false;
      row = undefined;
      continue;
    }
    const start = lines.content(line);
    if (row === undefined) {
      row = list.add("table-row", { start, end: start + words.length }, parent);
      table ??= row;
      list.blocks[row]!.table = table;
      addCells(lines, list, row, pipeCells(lines.text, start, start + words.length));
    } else extendRow(lines, list, row, pipeCells(lines.text, start, start + words.length));
  }
  if (table !== undefined && !header) markHeader(list, table);
  return line;
}

function pipeCells(text: string, start: number, end: number): Region[] {
  const cells: Region[] = [];
  let from = start + 1;
  for (let at = from; at < end; at++) {
    if (text[at] !== "|") continue;
    cells.push({ start: from, end: at });
    from = at + 1;
  }
  return cells;
}

/** `===  ===` tables: columns are where the border says. */
export function addSimpleTable(
  lines: IndentedLines,
  list: BlockList,
  { from, to, parent }: TableLines,
): number | undefined {
  const border = lines.words(from);
  const columns = columnsOf(border);
  let last = from;
  let borders = 1;
  for (let line = from + 1; line < to && borders < 3; line++) {
    if (lines.indent(line) >= 0 && lines.indent(line) < lines.indent(from)) break;
    if (!isSimpleBorder(lines.words(line))) continue;
    borders++;
    last = line;
    if (lines.indent(line + 1) < 0) break;
  }
  if (last === from) return undefined;
  const offset = lines.content(from) - lines.start(from);
  let table: number | undefined;
  let row: number | undefined;
  for (let line = from + 1; line < last; line++) {
    const words = lines.words(line);
    if (words === "" || /^[=-]+(?: +[=-]+)*$/.test(words)) continue;
    const cells = columns.map(({ start, end }, index) => {
      const base = lines.start(line) + offset;
      const stop = index === columns.length - 1 ? lines.end(line) : Math.min(base + end, lines.end(line));
      return { start: Math.min(base + start, lines.end(line)), end: stop };
    });
    const continues = row !== undefined && lines.text.slice(cells[0]!.start, cells[0]!.end).trim() === "";
    if (continues) extendRow(lines, list, row!, cells);
    else {
      const start = lines.content(line);
      row = list.add("table-row", { start, end: Math.max(start, start + words.length) }, parent);
      table ??= row;
      list.blocks[row]!.table = table;
      addCells(
        lines,
        list,
        row,
        cells.map((cell) => ({ start: Math.max(cell.start, start), end: Math.max(cell.end, start) })),
      );
    }
  }
  if (table !== undefined && borders > 2) markHeader(list, table);
  return last + 1;
}

function columnsOf(border: string): Region[] {
  return Array.from(border.matchAll(/=+/g), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** `* - cell` rows of a list-table; comma-separated lines of a csv-table. */
export function addListTable(
  lines: IndentedLines,
  list: BlockList,
  { from, to, parent, commas, header }: ListTable,
): void {
  let table: number | undefined;
  let row: number | undefined;
  let cell: number | undefined;
  let column = 0;
  for (let line = from; line < to; line++) {
    const words = lines.words(line);
    if (words === "") continue;
    const start = lines.content(line);
    const end = start + words.length;
    if (commas || words.startsWith("* ")) {
      row = list.add("table-row", { start, end }, parent);
      table ??= row;
      list.blocks[row]!.table = table;
      column = 0;
      cell = undefined;
      if (commas) {
        addCells(lines, list, row, commaCells(lines.text, start, end));
        continue;
      }
    }
    const marker = /^(?:\* *)?- +/.exec(words);
    if (row === undefined) continue;
    if (marker) {
      cell = list.add("table-cell", { start: start + marker[0].length, end }, row);
      list.blocks[cell]!.depth = column++;
      list.blocks[cell]!.table = table!;
    } else if (cell !== undefined) stretch(list, cell, end);
    stretch(list, row, end);
  }
  if (table !== undefined && header) markHeader(list, table);
}

/** The lines of a table's directive, and what its name and options say. */
type ListTable = {
  readonly from: number;
  readonly to: number;
  readonly parent: number;
  readonly commas: boolean;
  readonly header: boolean;
};

function commaCells(text: string, start: number, end: number): Region[] {
  const cells: Region[] = [];
  let from = start;
  let quoted = false;
  for (let at = start; at < end; at++) {
    if (text[at] === '"') quoted = !quoted;
    if (text[at] !== "," || quoted) continue;
    cells.push({ start: from, end: at });
    from = at + 1;
  }
  return [...cells, { start: from, end }];
}

function addCells(lines: IndentedLines, list: BlockList, row: number, cells: readonly Region[]): void {
  const table = list.blocks[row]!.table!;
  cells.forEach((cell, depth) => {
    const block = list.blocks[list.add("table-cell", cell, row)]!;
    block.content = trimRegion(lines.text, cell.start, cell.end);
    block.depth = depth;
    block.table = table;
  });
}

/** A cell that goes on over lines of other cells cannot be one region of its own; its row can. */
function extendRow(lines: IndentedLines, list: BlockList, row: number, cells: readonly Region[]): void {
  const last = cells.at(-1);
  if (!last) return;
  stretch(list, row, Math.max(last.end, list.blocks[row]!.region.end));
  const table = list.blocks[row]!.table!;
  cells.forEach((cell, depth) => {
    const content = trimRegion(lines.text, cell.start, cell.end);
    if (content.start === content.end) return;
    const block = list.blocks[list.add("table-cell", cell, row)]!;
    block.content = content;
    block.depth = depth;
    block.table = table;
  });
}

function stretch(list: BlockList, block: number, end: number): void {
  const { region, content } = list.blocks[block]!;
  list.blocks[block]!.region = { start: region.start, end };
  list.blocks[block]!.content = { start: content.start, end };
}

function markHeader(list: BlockList, table: number): void {
  list.blocks[table]!.header = true;
  for (let index = table + 1; list.blocks[index]?.parent === table; index++)
    list.blocks[index]!.header = true;
}
