import { fold, isDistinct, partsOf } from "../../../drift/change/names.ts";
import { isHeading } from "./pieces.ts";
import { rawWordsOf } from "./words.ts";

/** The lines of a section that a notice points at, counted from 0, and the names that it is about. */
export type SectionPlace = {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly terms: readonly string[];
  /** Something is to be added here: the lines only say where. */
  readonly adds?: boolean;
};

/**
 * Whether a text is about one of the notices: it holds a name of one or another form of it. With `part`, a word that holds
 * the name, or one word of a name of several words, is enough; a heading too is then read so.
 */
export function relation(
  notices: readonly SectionPlace[],
  closeness: "form" | "part" = "form",
): (text: string) => boolean {
  const terms = [...new Set(notices.flatMap((notice) => notice.terms))];
  // A capital tells a name from a word of every sentence: `Response` is not "response".
  const capital = terms.filter((term) => !isDistinct(term) && /^\p{Lu}/u.test(term));
  const names = terms.filter((term) => !capital.includes(term)).map(fold);
  const isPart = closeness === "part";
  const parts = new Set(isPart ? terms.filter(isDistinct).flatMap(longParts) : []);
  return remembered((text) => {
    // A heading names what its section is about; only the name itself ties an old one to a notice.
    const isStrict = !isPart && isHeading({ text });
    const isClose = isPart ? isNear : isForm;
    // A file that a link leads to is named as a whole or not at all.
    const linked = new Set(isStrict ? [] : linkWords(text));
    return rawWordsOf(text).some((word) => {
      const isFree = !isStrict && !linked.has(word);
      if (capital.some((term) => word === term || (isFree && isClose(term, word)))) return true;
      const folded = fold(word);
      return parts.has(folded) || names.some((term) => folded === term || (isFree && isClose(term, folded)));
    });
  });
}

/** The same question with its answers kept: every sentence is asked about many times. */
function remembered(ask: (text: string) => boolean): (text: string) => boolean {
  const answers = new Map<string, boolean>();
  return (text) => {
    const known = answers.get(text) ?? ask(text);
    answers.set(text, known);
    return known;
  };
}

function linkWords(text: string): string[] {
  const targets = Array.from(text.matchAll(/\]\(([^()\s]*)/g), ([, target]) => target!).join(" ");
  const words = new Set(rawWordsOf(text.replace(/\]\([^()\s]*/g, "](")));
  return rawWordsOf(targets).filter((word) => !words.has(word));
}

/** The parts of a name that say something by themselves. */
function longParts(name: string): string[] {
  return partsOf(name).filter((part) => part.length > 4);
}

/** A word that holds the name, as `maxRetries` holds `retries`; a large part of it; or another form, as `caching`. */
function isNear(term: string, word: string): boolean {
  if (Math.min(term.length, word.length) < 5) return false;
  if (word.includes(term)) return true;
  if (term.includes(word)) return word.length * 4 >= term.length * 3;
  return isForm(term, word);
}

/** Another form of a name, as `caching` of `cache` or `database` of `databases`. */
function isForm(term: string, word: string): boolean {
  if (Math.min(term.length, word.length) < 5) return false;
  if (word === `${term}s` || term === `${word}s`) return true;
  return /[eys]$/.test(term) && word.startsWith(term.slice(0, -1)) && word.length - term.length <= 3;
}
