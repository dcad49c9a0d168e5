import type { Edit } from "../text/edit.ts";

/** An edit as a quotation, the form in which tools and reports show it. */
export type QuotedEdit = {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly reason: string;
};

/**
 * The edits of one finding as one quotation: the fewest whole lines around them that occur once in the page.
 * Nothing when even the whole page would not be unique, which only an empty page is.
 */
export function quoteEdits(text: string, edits: readonly Edit[]): QuotedEdit | null {
  const placed = edits.filter((edit) => "region" in edit.target && "text" in edit) as (Edit & {
    target: { region: { start: number; end: number } };
    text: string;
  })[];
  const first = placed[0];
  if (!first) return null;
  let start = lineStart(text, first.target.region.start);
  let end = lineEnd(text, placed.at(-1)!.target.region.end);
  while (!isUnique(text, start, end)) {
    if (start === 0 && end === text.length) return null;
    if (start > 0) start = lineStart(text, start - 1);
    if (!isUnique(text, start, end) && end < text.length) end = lineEnd(text, end + 1);
  }
  let changed = "";
  let at = start;
  for (const { target, text: inserted } of placed) {
    changed += text.slice(at, target.region.start) + inserted;
    at = target.region.end;
  }
  return {
    path: first.path,
    old_string: text.slice(start, end),
    new_string: changed + text.slice(at, end),
    reason: [...new Set(placed.map(({ reason }) => reason))].join("; "),
  };
}

function isUnique(text: string, start: number, end: number): boolean {
  const quote = text.slice(start, end);
  return quote !== "" && text.indexOf(quote) === start && text.indexOf(quote, start + 1) < 0;
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** The end of the line that holds an offset; a region that ends with its line's ending keeps it. */
function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === "\n") return at;
  const feed = text.indexOf("\n", at);
  return feed < 0 ? text.length : feed;
}
