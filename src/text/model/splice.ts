import type { Region } from "./region.ts";

/** A region and its new text: the only thing ever applied. */
export type Splice = { readonly region: Region; readonly text: string };

/** The only function that builds a changed text. Splices are sorted, disjoint, and refer to `text`. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const { region, text: inserted } of splices) {
    if (region.start < at || region.end < region.start || region.end > text.length)
      throw new RangeError(`splice ${region.start}..${region.end} out of order in a text of ${text.length}`);
    result += text.slice(at, region.start) + inserted;
    at = region.end;
  }
  return at === 0 ? result + text : result + text.slice(at);
}

/** The splices in their order, without those that overlap an earlier one. */
export function inOrder(splices: readonly Splice[]): Splice[] {
  const apart: Splice[] = [];
  for (const splice of splices.toSorted((a, b) => a.region.start - b.region.start))
    if (splice.region.start >= (apart.at(-1)?.region.end ?? 0)) apart.push(splice);
  return apart;
}

/** The splices of the result that bring back `text`. */
export function invert(text: string, splices: readonly Splice[]): Splice[] {
  let shift = 0;
  return splices.map(({ region, text: inserted }) => {
    const start = region.start + shift;
    shift += inserted.length - (region.end - region.start);
    return {
      region: { start, end: start + inserted.length },
      text: text.slice(region.start, region.end),
    };
  });
}

/**
 * One list equal to applying `first` to a text and then `second` to the result.
 * Splices that touch are merged, so that the regions of the result never share an edge.
 */
export function compose(first: readonly Splice[], second: readonly Splice[]): Splice[] {
  const result: Splice[] = [];
  const between = follow(first, result);
  for (const { region, text } of second) {
    between.keepTo(region.start);
    between.dropTo(region.end);
    between.insert(text);
  }
  between.keepTo(Infinity);
  return result.filter(({ region, text }) => region.start < region.end || text !== "");
}

/**
 * Splices without those that change nothing, and without the equal ends of those that do.
 * A surrogate pair is never cut, so that each text can be encoded by itself.
 */
export function tidy(text: string, splices: readonly Splice[]): Splice[] {
  const result: Splice[] = [];
  for (const splice of splices) {
    const { start, end } = splice.region;
    const longest = Math.min(end - start, splice.text.length);
    let head = 0;
    while (head < longest && text.charCodeAt(start + head) === splice.text.charCodeAt(head)) head++;
    if (head === longest && end - start === splice.text.length) continue;
    if (head > 0 && isHighSurrogate(splice.text.charCodeAt(head - 1))) head--;
    let tail = 0;
    while (
      tail < longest - head &&
      text.charCodeAt(end - 1 - tail) === splice.text.charCodeAt(splice.text.length - 1 - tail)
    )
      tail++;
    if (tail > 0 && isLowSurrogate(text.charCodeAt(end - tail))) tail--;
    result.push({
      region: { start: start + head, end: end - tail },
      text: splice.text.slice(head, splice.text.length - tail),
    });
  }
  return result;
}

/**
 * Where an offset of the text lies after the splices. The edges of a replaced region become the edges of its
 * new text; `side` decides for an offset inside a replaced region, and where text is inserted at the offset.
 */
export function mapOffset(
  offset: number,
  splices: readonly Splice[],
  side: "before" | "after" = "after",
): number {
  let shift = 0;
  for (const { region, text } of splices) {
    if (region.start > offset || (region.start === offset && staysAt(region, side))) break;
    if (region.end > offset) return region.start + shift + (side === "after" ? text.length : 0);
    shift += text.length - (region.end - region.start);
  }
  return offset + shift;
}

/** `mapOffset` for many offsets: one pass over the splices, then a search for each offset. */
export function createOffsetMap(
  splices: readonly Splice[],
): (offset: number, side?: "before" | "after") => number {
  const shifts = new Float64Array(splices.length + 1);
  for (const [i, { region, text }] of splices.entries())
    shifts[i + 1] = shifts[i]! + text.length - (region.end - region.start);

  return (offset, side = "after") => {
    let low = 0;
    let high = splices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { region } = splices[middle]!;
      if (region.start > offset || (region.start === offset && staysAt(region, side))) high = middle;
      else low = middle + 1;
    }
    const last = splices[low - 1];
    if (last && last.region.end > offset)
      return last.region.start + shifts[low - 1]! + (side === "after" ? last.text.length : 0);
    return offset + shifts[low]!;
  };
}

/** Whether an offset at the start of a region keeps its place. An insertion moves it only for the side `after`. */
function staysAt(region: Region, side: "before" | "after"): boolean {
  return region.start < region.end || side === "before";
}

/**
 * Walks through the text that results from `splices`, from start to end. Adds to `result`, as splices of the text
 * before them, what the caller keeps, drops and inserts on the way.
 */
function follow(splices: readonly Splice[], result: Splice[]) {
  let next = 0;
  // The current position in the resulting text, in the text before the splices, and in the new text of the current
  // splice.
  let place = 0;
  let origin = 0;
  let inserted = "";
  let used = 0;

  const readTo = (end: number, kept: boolean): void => {
    for (;;) {
      const fresh = Math.min(end - place, inserted.length - used);
      if (kept && fresh > 0) push(result, origin, origin, inserted.slice(used, used + fresh));
      used += fresh;
      place += fresh;
      const splice = splices[next];
      const old = Math.min(end - place, (splice ? splice.region.start : Infinity) - origin);
      if (!kept && old > 0) push(result, origin, origin + old, "");
      origin += old;
      place += old;
      if (!splice || place === end) return;
      push(result, splice.region.start, splice.region.end, "");
      origin = splice.region.end;
      inserted = splice.text;
      used = 0;
      next++;
    }
  };

  return {
    keepTo: (end: number) => readTo(end, true),
    dropTo: (end: number) => readTo(end, false),
    insert: (text: string) => push(result, origin, origin, text),
  };
}

function push(result: Splice[], start: number, end: number, text: string): void {
  const last = result.at(-1);
  if (last && last.region.end === start)
    result[result.length - 1] = { region: { start: last.region.start, end }, text: last.text + text };
  else result.push({ region: { start, end }, text });
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
