import type { SourceOutline } from "./declaration.ts";

/**
 * String literals of a text in no known language: the text between equal quotes on one line. A guess, for files
 * that have no grammar.
 */
export function scanStrings(text: string): SourceOutline["strings"] {
  const strings: { value: string; region: { start: number; end: number } }[] = [];
  const quoted = /"((?:[^"\\\r\n]|\\.)*)"|(?<![\p{L}\p{N}])'((?:[^'\\\r\n]|\\.)*)'|`([^`\r\n]*)`/gu;
  for (const match of text.matchAll(quoted)) {
    const value = match[1] ?? match[2] ?? match[3] ?? "";
    const start = match.index + 1;
    strings.push({ value, region: { start, end: start + value.length } });
  }
  return strings;
}
