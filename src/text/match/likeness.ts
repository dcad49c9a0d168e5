import { foldConfusables } from "../characters/confusables.ts";
import { longestCompared, tokens } from "./line-words.ts";

/** How much lines of a text are like quoted lines, one against the other: 1 for each equal pair. */
export function likeness(found: readonly string[], wanted: readonly string[]): number {
  let sum = 0;
  for (const [i, line] of wanted.slice(0, mostLines).entries()) sum += lineLikeness(found[i] ?? "", line);
  return sum;
}

/** By how many lines one passage must be more like a quotation than every other to be the one that is meant. */
export const clearLead = 0.4;

const mostLines = 200;

function lineLikeness(found: string, wanted: string): number {
  if (found === wanted) return 1;
  if (foldedLine(found) === foldedLine(wanted)) return 0.9;
  const [own, asked] = [tokens(found), tokens(wanted)];
  if (own.length === 0 || asked.length === 0) return 0;
  const known = new Set(own);
  return 0.6 * ((2 * asked.filter((token) => known.has(token)).length) / (own.length + asked.length));
}

/** A line without case, blanks and the difference of confusable characters. */
export function foldedLine(line: string): string {
  return foldConfusables(line.slice(0, longestCompared)).replace(/\s+/g, "").toLowerCase();
}
