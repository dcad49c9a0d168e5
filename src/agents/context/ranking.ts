import { partsOf } from "../../drift/change/names.ts";

export type SourcePassage = { readonly path: string; readonly line: number; readonly text: string };

/** Finds the passages nearest to a query, best first. Equal ones keep the order of path and line. */
export type Ranking = (query: string, most: number) => SourcePassage[];

const saturation = 1.2;
const lengthWeight = 0.75;

/** BM25 over the parts of names and words: `maxRetries` matches "max retries". It needs no model. */
export function rankPassages(passages: readonly SourcePassage[]): Ranking {
  const lengths: number[] = [];
  const postings = new Map<string, Map<number, number>>();
  passages.forEach(({ path, text }, index) => {
    const terms = termsOf(`${path} ${text}`);
    lengths.push(terms.length);
    for (const term of terms) {
      let counts = postings.get(term);
      if (!counts) postings.set(term, (counts = new Map()));
      counts.set(index, (counts.get(index) ?? 0) + 1);
    }
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);

  return (query, most) => {
    const scores = new Map<number, number>();
    for (const term of new Set(termsOf(query))) {
      const counts = postings.get(term);
      if (!counts) continue;
      const rarity = Math.log(1 + (passages.length - counts.size + 0.5) / (counts.size + 0.5));
      for (const [index, count] of counts) {
        const norm = saturation * (1 - lengthWeight + lengthWeight * (lengths[index]! / average));
        scores.set(index, (scores.get(index) ?? 0) + rarity * ((count * (saturation + 1)) / (count + norm)));
      }
    }
    return [...scores]
      .sort(([a, x], [b, y]) => y - x || a - b)
      .slice(0, most)
      .map(([index]) => passages[index]!);
  };
}

function termsOf(text: string): string[] {
  return partsOf(text).filter((part) => part.length > 1);
}

const passageLines = 40;

/** Splits a file into passages of about 40 lines, at blank lines where possible. */
export function cutPassages(path: string, text: string): SourcePassage[] {
  const passages: SourcePassage[] = [];
  const lines = text.split("\n");
  for (let start = 0; start < lines.length; ) {
    let end = Math.min(start + passageLines, lines.length);
    if (end < lines.length) {
      const blank = lines.slice(start + passageLines / 2, end).findLastIndex((line) => line.trim() === "");
      if (blank >= 0) end = start + passageLines / 2 + blank + 1;
    }
    const passage = lines.slice(start, end).join("\n");
    if (passage.trim() !== "") passages.push({ path, line: start + 1, text: passage });
    start = end;
  }
  return passages;
}
