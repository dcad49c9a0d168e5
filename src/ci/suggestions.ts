import type { ReportedFinding } from "../docs/check/report.ts";
import type { FixedPage, FixedPages } from "../docs/fix/fix-commit.ts";
import type { Suggestion } from "../hosts/host.ts";
import { indexLines, lineAt, lineEnd } from "../text/model/lines.ts";
import { writeSuggestion } from "../wording/ci.ts";

/** Turns edits into suggestions for whole lines, and returns the ids of the findings that they cover. */
export function splitSuggestions(
  { pages, fixed }: FixedPages,
  reviewable: ReadonlyMap<string, ReadonlySet<number>>,
): { readonly suggestions: readonly Suggestion[]; readonly suggested: ReadonlySet<string> } {
  const suggestions: Suggestion[] = [];
  const suggested = new Set<string>();
  for (const page of pages) {
    const lines = reviewable.get(page.path) ?? new Set();
    const here = fixed.filter(({ path }) => path === page.path);
    for (const passage of findPassages(page)) {
      const why = here.filter(
        ({ startLine, endLine }) => startLine <= passage.endLine && endLine >= passage.startLine,
      );
      if (why.length === 0 || !isShown(passage, lines)) continue;
      suggestions.push(toSuggestion(page.path, passage, why));
      for (const { id } of why) suggested.add(id);
    }
  }
  return { suggestions, suggested };
}

/** Whole lines of a page, counted from 1, and their new text. */
type ChangedLines = { readonly startLine: number; readonly endLine: number; readonly text: string };

/** The changed passages of a page. Edits that share a line are one passage. */
function findPassages({ change }: FixedPage): ChangedLines[] {
  const before = change.before.text ?? "";
  const lines = indexLines(before);
  const passages: { first: number; last: number; splices: typeof change.splices }[] = [];
  for (const splice of change.splices) {
    const first = lineAt(lines, splice.region.start);
    const last = lineAt(lines, Math.max(splice.region.start, splice.region.end - 1));
    const previous = passages.at(-1);
    if (previous && first <= previous.last)
      passages[passages.length - 1] = {
        first: previous.first,
        last: Math.max(previous.last, last),
        splices: [...previous.splices, splice],
      };
    else passages.push({ first, last, splices: [splice] });
  }
  return passages.map(({ first, last, splices }) => {
    const start = lines.starts[first]!;
    const end = lineEnd(lines, last);
    let text = "";
    let at = start;
    for (const { region, text: inserted } of splices) {
      text += before.slice(at, region.start) + inserted;
      at = region.end;
    }
    return { startLine: first + 1, endLine: last + 1, text: text + before.slice(at, Math.max(at, end)) };
  });
}

function isShown({ startLine, endLine }: ChangedLines, lines: ReadonlySet<number>): boolean {
  for (let line = startLine; line <= endLine; line++) if (!lines.has(line)) return false;
  return true;
}

function toSuggestion(
  path: string,
  { startLine, endLine, text }: ChangedLines,
  why: readonly ReportedFinding[],
): Suggestion {
  const marker = `<!-- suture:suggestion ${why.map(({ id }) => id).join(" ")} -->`;
  return { path, startLine, endLine, marker, body: `${marker}\n${writeSuggestion(why, text)}` };
}
