import type { ChangeModel } from "../change/change-model.ts";
import { isProductPath } from "../change/code-path.ts";
import { isCommon, isDistinct } from "../change/names.ts";
import { rolesOf } from "../change/roles.ts";
import { tokenise } from "../change/tokens.ts";
import type { Notice } from "../findings.ts";
import { findMentions } from "../pages/mentions.ts";

const DENIAL =
  /(?:\bnot|n['’]t) (?:yet |currently )?(?:supported|implemented|available|possible)\b|\bunsupported\b|(?:\bnot|n['’]t) (?:yet )?support\b|\bno support (?:yet )?for\b/i;
const YET = /\byet\b|\bcurrently\b|\bat the moment\b|\bfor now\b|\bplanned\b/i;

// The longest part of a sentence before or after the name.
const REACH = 300;

/** A new declaration. */
type Arrival = {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly text: string;
};

/**
 * A page says that something is not supported, and the change declares it.
 * Likely if the sentence begins with it or says that this holds for now; else possible. A person has to write the new
 * sentence, so there is no edit.
 */
export async function findUnsupported(change: ChangeModel): Promise<Notice[]> {
  const pages = change.pages.filter(({ text }) => DENIAL.test(text));
  if (!pages.length) return [];
  const arrivals = findArrivals(change);
  const spellings = new Map([...arrivals.keys()].flatMap((name) => spell(name).map((word) => [word, name])));
  const notices: Notice[] = [];
  for (const [word, mentions] of findMentions(pages, new Set(spellings.keys())))
    for (const { page, line, index } of mentions) {
      const here = page.read().lines[line]!;
      if (here.place !== "prose" && here.place !== "list" && here.place !== "table") continue;
      const token = page.tokens(line)[index]!;
      const { start, end } = sentenceAround(here.text, token.start);
      const sentence = here.text.slice(start, end);
      const denial = DENIAL.exec(sentence);
      if (!denial) continue;
      const marked = here.spans.some((span) => span.start <= token.start && token.end <= span.end);
      const begins = /^[\s*_`>|-]*(?:the |an? )?[`*_]*$/i.test(sentence.slice(0, token.start - start));
      const sure = (begins && denial.index - (token.end - start) < 24) || (marked && YET.test(sentence));
      notices.push(toNotice(change, { page, line }, arrivals.get(spellings.get(word)!)!, sure));
    }
  const known = await change.input.occurrences([...new Set(notices.map(({ message }) => message.new!))]);
  const changed = new Set(change.comparisons.map(({ path }) => path));
  return notices.filter(({ message }) => known.get(message.new!)?.every((path) => changed.has(path)) ?? true);
}

function findArrivals({ comparisons, usage }: ChangeModel): Map<string, Arrival> {
  const arrivals = new Map<string, Arrival>();
  for (const { path, rewrites } of comparisons) {
    if (!isProductPath(path)) continue;
    for (const { added } of rewrites)
      for (const { number, text } of added.slice(0, 2000)) {
        const tokens = tokenise(text);
        const roles = rolesOf(text, tokens);
        tokens.forEach((token, index) => {
          const { text: name, kind } = token;
          if (kind !== "name" || roles[index] !== "declared" || name.length < 5 || isCommon(name)) return;
          if (arrivals.has(name) || usage(name).before) return;
          arrivals.set(name, { name, path, line: number, text });
        });
      }
  }
  return arrivals;
}

/** The spellings of the name: an everyday name may also be capitalised or plural. */
function spell(name: string): string[] {
  if (isDistinct(name)) return [name];
  const stem = name.slice(1);
  const words = [name, name[0]!.toUpperCase() + stem, name[0]!.toLowerCase() + stem];
  return [...new Set(words.flatMap((word) => [word, word.endsWith("s") ? word : `${word}s`]))];
}

function sentenceAround(text: string, at: number): { start: number; end: number } {
  let start = Math.max(0, at - REACH);
  const seen = text.slice(start, at + REACH);
  const from = start;
  for (const stop of seen.matchAll(/[.!?;]\s|\|/g)) {
    if (from + stop.index >= at) return { start, end: from + stop.index };
    start = from + stop.index + stop[0].length;
  }
  return { start, end: from + seen.length };
}

function toNotice(
  change: ChangeModel,
  { page, line }: Pick<Notice, "page" | "line">,
  { name, path, line: number, text }: Arrival,
  sure: boolean,
): Notice {
  return {
    page,
    line,
    endLine: line,
    tier: sure ? "likely" : "possible",
    kind: "unsupported",
    message: { what: "supported", new: name },
    evidence: [{ path, revision: change.input.head, startLine: number, endLine: number, after: text }],
  };
}
