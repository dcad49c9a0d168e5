import { createWordFilter } from "../../syntax/words/word-index.ts";
import { createWordFinder, type WordMention as Place } from "../../syntax/words/words.ts";
import type { DocumentPage } from "../change/change-model.ts";
import { tokenise } from "../change/tokens.ts";

/** A name on a page: its line, counted from 0, and its token on the line. */
export type Mention = { readonly page: DocumentPage; readonly line: number; readonly index: number };

/** Every mention of the given names, by page and line. Pages without a mention are not parsed. */
export function findMentions(
  pages: readonly DocumentPage[],
  wanted: ReadonlySet<string>,
): Map<string, Mention[]> {
  const found = new Map<string, Mention[]>();
  if (!wanted.size) return found;
  const find = createPageFinder(wanted);
  for (const page of pages)
    for (const line of linesOf(page, find(page))) {
      const counts = new Map<string, number>();
      page.tokens(line).forEach((token, index) => {
        const count = counts.get(token.text) ?? 0;
        if (token.kind !== "name" || !wanted.has(token.text) || count >= MOST_ON_A_LINE) return;
        counts.set(token.text, count + 1);
        const mentions = found.get(token.text);
        if (mentions) mentions.push({ page, line, index });
        else found.set(token.text, [{ page, line, index }]);
      });
    }
  return found;
}

/** Rules look at the whole line for each mention; the kinds of claims read all of them. */
const MOST_ON_A_LINE = 100;

/**
 * The names that pages mention, in the order of their first mentions. Most lines mention a common word, so no page is
 * parsed for this, and no tokens are kept.
 */
export function findMentioned(pages: readonly DocumentPage[], wanted: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  if (!wanted.size) return [];
  const find = createPageFinder(wanted);
  for (const page of pages)
    for (const line of textsOf(page, find(page)))
      for (const { kind, text } of tokenise(line)) if (kind === "name" && wanted.has(text)) found.add(text);
  return [...found];
}

/** The lines at some places of a page, in order. */
function* textsOf({ text }: DocumentPage, places: readonly { readonly start: number }[]): Iterable<string> {
  let end = -1;
  for (const { start } of places) {
    if (start <= end) continue;
    let first = start;
    while (first > 0 && !isLineBreak(text, first - 1)) first--;
    end = start;
    while (end < text.length && !isLineBreak(text, end)) end++;
    yield text.slice(first, end);
  }
}

function isLineBreak(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 10 || code === 13;
}

/** Finds every place of many names on a page. A page whose word hashes exclude the names is not searched. */
export function createPageFinder(names: Iterable<string>): (page: DocumentPage) => Place[] {
  const wanted = [...names];
  const find = createWordFinder(wanted);
  const mayHold = createWordFilter(wanted.filter((name) => name !== ""));
  return (page) => (mayHold(page.words()) ? find(page.text) : []);
}

function linesOf(page: DocumentPage, places: readonly { readonly start: number }[]): number[] {
  if (!places.length) return [];
  const { lines } = page.read();
  const found: number[] = [];
  let line = 0;
  for (const { start } of places) {
    while (line + 1 < lines.length && lines[line + 1]!.start <= start) line++;
    if (found.at(-1) !== line) found.push(line);
  }
  return found;
}
