import { accept, type Outcome } from "../text/model/outcome.ts";
import type { ReviewDraft, Suggestion } from "./host.ts";

const mostAtOnce = 40;

/** Posts the suggestions that are not there yet, in reviews of a size that hosts accept. */
export async function suggestOnce(
  { suggestions }: ReviewDraft,
  there: readonly string[],
  post: (suggestions: readonly Suggestion[]) => Promise<Outcome<true>>,
): Promise<Outcome<{ posted: number; kept: number }>> {
  const known = new Set(there.map((body) => body.split("\n", 1)[0]!.trim()));
  const fresh = suggestions.filter(({ marker }) => !known.has(marker));
  for (let start = 0; start < fresh.length; start += mostAtOnce) {
    const posted = await post(fresh.slice(start, start + mostAtOnce));
    if (!posted.ok) return posted;
  }
  return accept({ posted: fresh.length, kept: suggestions.length - fresh.length });
}

/** The lines of the head that a diff shows. A review can comment on no others. */
export function findReviewableLines(
  files: readonly { readonly filename: string; readonly patch?: string | undefined }[],
): ReadonlyMap<string, ReadonlySet<number>> {
  return new Map(files.map(({ filename, patch = "" }) => [filename, linesOf(patch)]));
}

function linesOf(patch: string): Set<number> {
  const lines = new Set<number>();
  let next = 0;
  for (const line of patch.split("\n")) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk) next = Number(hunk[1]);
    else if (next > 0 && /^[ +]/.test(line)) lines.add(next++);
  }
  return lines;
}
