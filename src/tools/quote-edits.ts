import { findQuote } from "../text/match/quote.ts";
import { contentEnd, indexLines, type Lines, lineAt } from "../text/model/lines.ts";
import type { Region } from "../text/model/region.ts";
import { applySplices, type Splice } from "../text/model/splice.ts";

export type QuotedEdit = {
  readonly old_string: string;
  readonly new_string: string;
  readonly splices: readonly number[];
};

/**
 * Splices as edits that quote: whole lines, as few as make each quotation unique. Applied in order they give what
 * the splices give. `splices` of an edit are the positions of those it carries out.
 */
export function quoteEdits(text: string, splices: readonly Splice[]): QuotedEdit[] {
  const lines = indexLines(text);
  const groups: { region: Region; members: number[] }[] = [];
  for (const [i, { region }] of splices.entries()) {
    const wide = uniqueLines(text, lines, region);
    const last = groups.at(-1);
    if (last && wide.start <= last.region.end) {
      last.members.push(i);
      last.region = {
        start: Math.min(last.region.start, wide.start),
        end: Math.max(last.region.end, wide.end),
      };
    } else groups.push({ region: wide, members: [i] });
  }
  return groups.map(({ region, members }) => {
    const old = text.slice(region.start, region.end);
    const inner = members.map((i) => shift(splices[i]!, -region.start));
    return { old_string: old, new_string: applySplices(old, inner), splices: members };
  });
}

/** The fewest whole lines around a region that occur nowhere else in the text. */
function uniqueLines(text: string, lines: Lines, region: Region): Region {
  if (lines.starts.length === 0) return { start: 0, end: text.length };
  let first = lineAt(lines, region.start);
  let last = lineAt(lines, region.end);
  for (;;) {
    const wide = { start: lines.starts[first]!, end: Math.max(contentEnd(lines, last), region.end) };
    const quote = text.slice(wide.start, wide.end);
    const whole = first === 0 && last === lines.starts.length - 1;
    if (whole || (quote.trim() !== "" && findQuote(text, quote, { limit: 2 }).count === 1)) return wide;
    // Above first: a heading or a lead line tells more than what follows.
    if (first > 0 && (last - first) % 2 === 0) first--;
    else if (last < lines.starts.length - 1) last++;
    else first--;
  }
}

function shift({ region, text }: Splice, by: number): Splice {
  return { region: { start: region.start + by, end: region.end + by }, text };
}
