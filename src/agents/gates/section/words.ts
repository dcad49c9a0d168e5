import { fold } from "../../../drift/change/names.ts";

/** The words of a text as they stand, with their dashes. */
export function rawWordsOf(text: string): string[] {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*/gu) ?? [];
}

/** The words of a text without those that every sentence has; all words where nothing else is left. */
function tellingWords(text: string): string[] {
  const words = rawWordsOf(text).map(fold);
  const telling = words.filter((word) => word.length > 3);
  return telling.length > 0 ? telling : words;
}

/** How many words two texts share, and how many each has. */
export function compareWords(a: string, b: string): { both: number; less: number; more: number } {
  const [left, right] = [new Set(tellingWords(a)), new Set(tellingWords(b))];
  const both = [...left].filter((word) => right.has(word)).length;
  return { both, less: Math.min(left.size, right.size), more: Math.max(left.size, right.size) };
}

/** How many words of an old text a new one keeps, and how many the old one has. */
export function compareTo(old: string, fresh: string): { both: number; old: number } {
  const [left, right] = [new Set(tellingWords(old)), new Set(tellingWords(fresh))];
  return { both: [...left].filter((word) => right.has(word)).length, old: left.size };
}

/** Whether one sentence may be a new wording of the other. Two words in common prove nothing about a long sentence. */
export function isAlike(a: string, b: string): boolean {
  const { both, less, more } = compareWords(a, b);
  return both > 0 && both * 2 >= Math.max(less, more / 2);
}

export function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 90 ? `${line.slice(0, 90)}…` : line;
}
