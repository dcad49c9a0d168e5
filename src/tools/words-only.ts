import type { Change } from "../text/model/plan.ts";

/**
 * Whether a change puts words for words within lines of a page, which leaves its blocks as they are: a page that parsed
 * before parses after, and no parser need be loaded to find out. Metadata at the top has a syntax of its own.
 */
export function changesWordsOnly({ path, before, splices }: Change): boolean {
  const text = before.text ?? "";
  if (!PROSE_PATH.test(path) || METADATA.test(text)) return false;
  return splices.every(({ region, text: now }) => {
    const old = text.slice(region.start, region.end);
    const lead = text.slice(text.lastIndexOf("\n", region.start - 1) + 1, region.start);
    const isBegun = LETTER.test(lead) || (BEGUN.test(old) && BEGUN.test(now));
    return isBegun && !MARKUP.test(lead) && WORDS.test(old) && WORDS.test(now);
  });
}

/** Pages whose blocks begin with marks, never with a word. */
const PROSE_PATH = /\.(?:md|markdown|txt)$/i;
const METADATA = /^\uFEFF?[-+;{]/;
const WORDS = /^[\p{L}\p{N} ,']*$/u;
const MARKUP = /[<{]/;
const LETTER = /\p{L}/u;
const BEGUN = /^\p{L}/u;
