import type { Region } from "../../../text/model/region.ts";
import { isSpace } from "../characters.ts";

/** How many columns the delimiter row between `start` and `end` has; 0 when it is none. */
export function delimiterColumns(text: string, start: number, end: number): number {
  let columns = 0;
  let dashes = 0;
  let marks = 0;
  let i = start;
  if (text.charCodeAt(i) === 124) {
    i++;
    marks++;
  }
  // Each cell is white space, an optional colon, dashes, an optional colon, white space.
  let stage = 0;
  for (; i <= end; i++) {
    const code = i === end ? 124 : text.charCodeAt(i);
    if (code === 124) {
      if (i === end && dashes === 0 && stage === 0 && columns > 0) break;
      if (dashes === 0) return 0;
      columns++;
      dashes = 0;
      stage = 0;
      if (i < end) marks++;
    } else if (code === 45) {
      if (stage > 2) return 0;
      stage = 2;
      dashes++;
    } else if (code === 58) {
      if (stage === 0) stage = 1;
      else if (stage === 2) stage = 3;
      else return 0;
      marks++;
    } else if (isSpace(code)) {
      if (stage === 1) return 0;
      if (stage >= 2) stage = 4;
    } else return 0;
  }
  return marks === 0 ? 0 : columns;
}

/** The cells of a row without its outer pipes; a pipe behind a backslash does not separate cells. */
export function tableCells(text: string, start: number, end: number): Region[] {
  const cells: Region[] = [];
  let from = text.charCodeAt(start) === 124 ? start + 1 : start;
  for (let i = from; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 92) i++;
    else if (code === 124) {
      cells.push({ start: from, end: i });
      from = i + 1;
    }
  }
  if (from < end || cells.length === 0) cells.push({ start: Math.min(from, end), end });
  return cells;
}
