import { nameParts } from "../read/names.ts";

/** How much two names share, 0 to 1: by their parts, or by their letters where they are one word. */
export function compareNames(a: string, b: string): number {
  if (a.toLowerCase() === b.toLowerCase()) return 1;
  return Math.max(dice(nameParts(a), nameParts(b)), compareLetters(a.toLowerCase(), b.toLowerCase()));
}

/** How much two texts share of their words, 0 to 1. */
export function compareWords(a: string, b: string): number {
  const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return a === b ? 1 : dice(words(a.slice(0, 2000)), words(b.slice(0, 2000)));
}

function dice(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const left = new Map<string, number>();
  for (const part of a) left.set(part, (left.get(part) ?? 0) + 1);
  let shared = 0;
  for (const part of b) {
    const count = left.get(part) ?? 0;
    if (count === 0) continue;
    left.set(part, count - 1);
    shared++;
  }
  return (2 * shared) / (a.length + b.length);
}

/** Only names that differ in a few letters count: a typing error, a plural, an ending. */
function compareLetters(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  if (longest < 4 || longest > 60) return 0;
  let prefix = 0;
  while (prefix < a.length && prefix < b.length && a[prefix] === b[prefix]) prefix++;
  let suffix = 0;
  const rest = Math.min(a.length, b.length) - prefix;
  while (suffix < rest && a[a.length - 1 - suffix] === b[b.length - 1 - suffix]) suffix++;
  const likeness = (prefix + suffix) / longest;
  return likeness >= 0.6 ? likeness : 0;
}
