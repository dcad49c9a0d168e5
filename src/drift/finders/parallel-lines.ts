import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import type { Comparison, Line } from "../change/comparison.ts";
import { isCommon } from "../change/names.ts";
import { isLayoutOnly, tokenise } from "../change/tokens.ts";
import type { Notice } from "../findings.ts";
import { createPageFinder } from "../pages/mentions.ts";

/** A line of code that the change removed, and its replacement. */
type RemovedLine = { readonly line: Line; readonly file: Comparison; readonly next?: Line };

const SHORTEST = 14;
const MOST_PLACES = 6;
const MARKS = /^\s*(?:[$>#%]|>>>|\.\.\.|\/\/|\/\*|\*|--)?\s*/;

/** A sample has a line that the change removed from the code and that no changed file has any more. */
export async function findParallelLines(change: ChangeModel): Promise<Notice[]> {
  const removed = collectRemoved(change);
  if (!removed.size) return [];
  const find = createPageFinder(removed.keys());
  const places = change.pages
    .filter((page) => find(page).length > 0)
    .flatMap((page) => findPlaces(page, removed));
  const byText = Map.groupBy(places, ({ text }) => text);
  const texts = [...byText].filter(([, own]) => own.length <= MOST_PLACES).map(([text]) => text);
  const occurrences = await change.input.occurrences(texts);
  return texts
    .filter((text) => !occurrences.get(text)?.length)
    .flatMap((text) => byText.get(text)!.map((place) => toNotice(change, place, removed.get(text)!)));
}

function collectRemoved({ comparisons }: ChangeModel): Map<string, RemovedLine> {
  const removed = new Map<string, RemovedLine>();
  const kept = new Set<string>();
  for (const file of comparisons)
    for (const { removed: lines, added, pairs } of file.rewrites) {
      for (const line of added) kept.add(plain(line.text));
      for (const line of lines) {
        const text = plain(line.text);
        if (!isTelling(text) || removed.has(text)) continue;
        const next = pairs.find(({ old }) => old.number === line.number)?.new;
        if (next && isLayoutOnly(line.text, next.text)) continue;
        removed.set(text, { line, file, ...(next && { next }) });
      }
    }
  for (const text of kept) removed.delete(text);
  return removed;
}

function plain(text: string): string {
  return text.replace(MARKS, "").replace(/[;,\s]+$/, "");
}

function isTelling(text: string): boolean {
  if (text.length < SHORTEST || text.length > 200) return false;
  const names = tokenise(text)
    .filter(({ kind, text: name }) => kind === "name" && name.length > 1 && !isCommon(name))
    .map(({ text: name }) => name);
  return new Set(names).size >= 2 && /[^\w\s]/.test(text);
}

type SampleLine = { readonly page: DocumentPage; readonly line: number; readonly text: string };

function findPlaces(page: DocumentPage, removed: ReadonlyMap<string, unknown>): SampleLine[] {
  return page.read().lines.flatMap(({ text: line, place }, index) => {
    const text = place === "code" ? plain(line) : "";
    return removed.has(text) ? [{ page, line: index, text }] : [];
  });
}

function toNotice(
  change: ChangeModel,
  { page, line, text }: SampleLine,
  { line: old, file, next }: RemovedLine,
): Notice {
  const here = page.read().lines[line]!;
  const start = here.start + here.text.indexOf(text);
  const fresh = next && plain(next.text);
  return {
    page,
    line,
    endLine: line,
    tier: "possible",
    kind: "signature",
    cause: `line:${file.path}:${old.number}`,
    message: { what: "rewritten", old: text, ...(fresh && { new: fresh }) },
    evidence: [
      {
        path: next ? file.path : file.from,
        revision: next ? change.input.head : change.input.base,
        startLine: (next ?? old).number,
        endLine: (next ?? old).number,
        before: old.text,
        ...(next && { after: next.text }),
      },
    ],
    features: { "line for line": 1 },
    ...(fresh && { splice: { region: { start, end: start + text.length }, text: fresh } }),
  };
}
