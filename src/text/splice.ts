import type { Region } from "./region.ts";

/** A region and its new text: the only thing ever applied. */
export type Splice = { readonly region: Region; readonly text: string };

/** The one place text is rebuilt. Splices are sorted, disjoint, and refer to `text`. */
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
  let i = 0;
  // How far the text between splices has moved: original offset + shift = offset after `first`.
  let shift = 0;
  for (const splice of second) {
    while (i < first.length && first[i]!.region.start + shift + first[i]!.text.length < splice.region.start)
      shift += passOver(first[i++]!, result);
    let start = splice.region.start - shift;
    let text = splice.text;
    let end = splice.region.end;
    let originalEnd = end - shift;
    if (i < first.length && first[i]!.region.start + shift <= splice.region.end) {
      const opening = first[i]!;
      const openingStart = opening.region.start + shift;
      if (openingStart <= splice.region.start) {
        start = opening.region.start;
        text = opening.text.slice(0, splice.region.start - openingStart) + text;
      }
      while (i < first.length && first[i]!.region.start + shift <= splice.region.end) {
        const covered = first[i++]!;
        const coveredEnd = covered.region.start + shift + covered.text.length;
        if (coveredEnd > splice.region.end) text += covered.text.slice(covered.text.length - (coveredEnd - splice.region.end));
        end = Math.max(splice.region.end, coveredEnd);
        shift += covered.text.length - (covered.region.end - covered.region.start);
        originalEnd = end - shift;
      }
    }
    push(result, { region: { start, end: originalEnd }, text });
  }
  while (i < first.length) passOver(first[i++]!, result);
  return result;
}

/** Splices without those that change nothing, and without the equal ends of those that do. */
export function tidy(text: string, splices: readonly Splice[]): Splice[] {
  const result: Splice[] = [];
  for (const splice of splices) {
    const { start, end } = splice.region;
    const longest = Math.min(end - start, splice.text.length);
    let head = 0;
    while (head < longest && text.charCodeAt(start + head) === splice.text.charCodeAt(head)) head++;
    if (head === longest && end - start === splice.text.length) continue;
    let tail = 0;
    while (
      tail < longest - head &&
      text.charCodeAt(end - 1 - tail) === splice.text.charCodeAt(splice.text.length - 1 - tail)
    )
      tail++;
    result.push({
      region: { start: start + head, end: end - tail },
      text: splice.text.slice(head, splice.text.length - tail),
    });
  }
  return result;
}

/** Where an offset of the text lies after the splices; inside a replaced region, its nearest edge. */
export function mapOffset(offset: number, splices: readonly Splice[], side: "before" | "after" = "after"): number {
  let shift = 0;
  for (const { region, text } of splices) {
    if (region.start > offset || (region.start === offset && side === "before" && region.end >= offset)) break;
    if (region.end > offset || (region.end === offset && region.start < offset && side === "before"))
      return region.start + shift + (side === "after" ? text.length : 0);
    shift += text.length - (region.end - region.start);
  }
  return offset + shift;
}

function passOver(splice: Splice, result: Splice[]): number {
  push(result, splice);
  return splice.text.length - (splice.region.end - splice.region.start);
}

function push(result: Splice[], splice: Splice): void {
  const last = result.at(-1);
  if (last && last.region.end === splice.region.start) {
    const region = { start: last.region.start, end: splice.region.end };
    result[result.length - 1] = { region, text: last.text + splice.text };
  } else result.push(splice);
}
