import { createWordFilter } from "../../syntax/words/word-index.ts";
import { createWordFinder, type WordMention as Place } from "../../syntax/words/words.ts";
import type { DocumentPage } from "../change/change-model.ts";

/** A name on a page: which line, counted from 0, and which token of it. */
export type Mention = { readonly page: DocumentPage; readonly line: number; readonly index: number };

/** Every mention of the wanted names, in the order of pages and lines. Pages without one are not read closely. */
export function findMentions(
  pages: readonly DocumentPage[],
  wanted: ReadonlySet<string>,
): Map<string, Mention[]> {
  const found = new Map<string, Mention[]>();
  if (!wanted.size) return found;
  const find = createPageFinder(wanted);
  for (const page of pages) {
    const lines = linesOf(page, find(page));
    for (const line of lines)
      page.tokens(line).forEach((token, index) => {
        if (token.kind !== "name" || !wanted.has(token.text)) return;
        const mentions = found.get(token.text);
        if (mentions) mentions.push({ page, line, index });
        else found.set(token.text, [{ page, line, index }]);
      });
  }
  return found;
}

/** Finds every place of many names on a page. A page whose words rule the names out is not looked through. */
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

/** Whether a word with a capital stands where a type does, and not where a sentence or a label begins. */
export function isTypeHere(before: string, after: string): boolean {
  return (
    /(?:\b(?:new|extends|implements|import|class|struct|type|interface|instanceof|as|impl|for)\s+|[:<(,{&[|=!?.@]\s*|->\s*|`)$/.test(
      before,
    ) || /^(?:[(.<{]|::|\s*\{)/.test(after)
  );
}
