import type { Region } from "../../text/model/region.ts";

export function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}

/** White space or a line ending. */
export function isGap(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

/** The region without white space and line endings at its ends. */
export function trimRegion(text: string, start: number, end: number): Region {
  let first = start;
  let last = end;
  while (first < last && isGap(text.charCodeAt(first))) first++;
  while (last > first && isGap(text.charCodeAt(last - 1))) last--;
  return { start: first, end: last };
}

/** The first offset from `at` on that is not white space or a line ending; `limit` where there is none. */
export function skipGap(text: string, at: number, limit: number): number {
  let i = at;
  while (i < limit && isGap(text.charCodeAt(i))) i++;
  return i;
}
