/** Longer lines are compared by their beginning. */
export const longestCompared = 2000;

/** The words and punctuation marks of a line. */
export function tokens(line: string): string[] {
  return line.slice(0, longestCompared).match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
}

/** Whether a line has a letter or a digit: blank lines and closing brackets are alike everywhere and prove nothing. */
export function hasWord(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}
