import type { Region } from "../model/region.ts";

/** A character that shows nothing, reorders the characters around it, or looks like another one. */
export type InvisibleCharacter = Region & {
  /** `control` has a picture of its own; `bidi` reorders; `hidden` shows nothing; `stranger` is a letter of another script. */
  readonly kind: "control" | "bidi" | "hidden" | "stranger";
  readonly code: number;
};

/**
 * Characters that a reader would not see, in the order they stand. `strangers` adds letters that are not of the script
 * of the word they stand in, such as a Cyrillic а among Latin letters. Line feeds and tabs are not reported.
 */
export function findInvisibleCharacters(
  text: string,
  options: { readonly strangers?: boolean } = {},
): InvisibleCharacter[] {
  const found: InvisibleCharacter[] = [];
  for (const { 0: character, index } of text.matchAll(unseen)) found.push(at(character, index));
  if (!options.strangers || !others.test(text)) return found;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu))
    if (isMixed(word))
      for (const letter of word.matchAll(/\p{L}/gu))
        if (!latin.test(letter[0])) found.push({ ...at(letter[0], index + letter.index), kind: "stranger" });
  return found.sort((a, b) => a.start - b.start);
}

/** How a character is named where it cannot be shown. */
export function codeName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Characters that act on a terminal or a page, or that readers do not see. */
export const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
export const hidden =
  /[\u0080-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e007f}]/gu;

const unseen = new RegExp(`${controls.source}|${hidden.source}`, "gu");
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const latin = /\p{Script=Latin}/u;
const others =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}]/u;

function at(character: string, start: number): InvisibleCharacter {
  const code = character.codePointAt(0)!;
  const kind = bidi.test(character) ? "bidi" : code < 0x20 || code === 0x7f ? "control" : "hidden";
  return { start, end: start + character.length, kind, code };
}

function isMixed(word: string): boolean {
  return latin.test(word) && others.test(word);
}
