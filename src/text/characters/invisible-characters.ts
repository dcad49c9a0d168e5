import type { Region } from "../model/region.ts";

/** A character that shows nothing, reorders the characters around it, or looks like another one. */
export type InvisibleCharacter = Region & {
  /** `control` is a C0 control or DEL; `bidi` reorders; `hidden` shows nothing; `mixed-script` is a letter of another script than
   *  the word around it. */
  readonly kind: "control" | "bidi" | "hidden" | "mixed-script";
  readonly code: number;
};

/**
 * Characters that a reader would not see, in order. `mixedScripts` adds letters of another script than the word around
 * them, such as a Cyrillic а among Latin letters. Line feeds and tabs are not reported.
 */
export function findInvisibleCharacters(
  text: string,
  options: { readonly mixedScripts?: boolean } = {},
): InvisibleCharacter[] {
  const found: InvisibleCharacter[] = [];
  for (const { 0: character, index } of text.matchAll(unseen())) found.push(describe(character, index));
  if (!options.mixedScripts || !confusableScripts().test(text)) return found;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu))
    if (isMixed(word))
      for (const letter of word.matchAll(/\p{L}/gu))
        if (!latin().test(letter[0]))
          found.push({ ...describe(letter[0], index + letter.index), kind: "mixed-script" });
  return found.sort((a, b) => a.start - b.start);
}

/**
 * Characters that no reader would see or that act on a terminal, if `after` has more of them than `before`. Left out are
 * characters that emoji, flags and scripts need, and a byte order mark at the start of a new file.
 */
export function findAddedInvisible(before: string | null, after: string): InvisibleCharacter[] {
  const found = findUnneeded(after).filter(
    ({ code, start }) => before !== null || start > 0 || code !== 0xfeff,
  );
  if (found.length === 0) return found;
  const had = Map.groupBy(findUnneeded(before ?? ""), ({ code }) => code);
  const has = Map.groupBy(found, ({ code }) => code);
  return found.filter(({ code }) => has.get(code)!.length > (had.get(code)?.length ?? 0));
}

function findUnneeded(text: string): InvisibleCharacter[] {
  // Without a control character, plain ASCII has nothing to find.
  if (!/[^\t\n\f\r -~]/.test(text)) return [];
  return Array.from(text.matchAll(suspicious()))
    .filter(({ 0: character, index }) => !isNeeded(text, index, character))
    .map(({ 0: character, index }) => describe(character, index));
}

/** Whether an emoji, a flag or a script needs the character at this place. */
function isNeeded(text: string, index: number, character: string): boolean {
  const previous = lastCharacter(text.slice(Math.max(0, index - 2), index));
  const code = character.codePointAt(0)!;
  if (code === 0xfe0e || code === 0xfe0f) return takesPresentation().test(previous);
  // One selector behind an ideograph or a Mongolian letter chooses a variant of it.
  if (code >= 0xe0100) return ideograph().test(previous);
  if (code >= 0xfe00 && code <= 0xfe0d) return ideograph().test(previous) || mathematical().test(previous);
  if (code >= 0x180b && code <= 0x180f) return mongolian().test(previous);
  if (code === 0x200d)
    return (
      takesPresentation().test(previous) ||
      /\ufe0f|\p{Emoji_Modifier}/u.test(previous) ||
      joining().test(previous)
    );
  if (code === 0x200c) return joining().test(previous);
  if (code >= 0xe0020 && code <= 0xe007f) return isInFlag(text, index);
  return false;
}

/** The flags of England, Scotland and Wales: a black flag, tags for `gbeng`, `gbsct` or `gbwls`, and an end. */
const flags = ["gbeng", "gbsct", "gbwls"].map((region) => {
  const tags = Array.from(region, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));
  return `\u{1f3f4}${tags.join("")}\u{e007f}`;
});

/** Whether a tag is part of a flag. Other tags behind a black flag could carry any text. */
function isInFlag(text: string, index: number): boolean {
  const start = text.lastIndexOf("\u{1f3f4}", index);
  return start >= 0 && flags.some((flag) => index < start + flag.length && text.startsWith(flag, start));
}

function lastCharacter(text: string): string {
  return Array.from(text).at(-1) ?? "";
}

/** How a character is named where it cannot be shown. */
export function codeName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A value that is built when it is first needed: patterns of Unicode properties take milliseconds to build. */
function lazily<T>(build: () => T): () => T {
  let built: T | undefined;
  return () => (built ??= build());
}

/** Characters that take a selector for their presentation, as text or as an emoji. */
const presentable = String.raw`\p{Emoji}\u2190-\u2bff\u3030\u303d\u3297\u3299\u00a9\u00ae`;
const takesPresentation = lazily(() => new RegExp(`[${presentable}]`, "u"));

/** Characters without a picture, except control characters and the variation selectors U+FE00 to U+FE0F. */
const invisible = [
  String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e]`,
  String.raw`[\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffc]`,
  // Of private use, or no characters at all.
  String.raw`[\ue000-\uf8ff\ufdd0-\ufdef\u{f0000}-\u{10ffff}]`,
  String.raw`[\u{1bca0}-\u{1bca3}\u{1d159}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]`,
].join("|");

/** Characters that act on a terminal or a page. */
export const controls: RegExp = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Every hidden character, and selectors that may be needed at their place. */
const maybeHidden = lazily(() => new RegExp(String.raw`[\u0080-\u009f]|${invisible}|[\ufe00-\ufe0f]`, "u"));
/** Characters that readers do not see. */
export const hidden: () => RegExp = lazily(
  () =>
    new RegExp(
      String.raw`[\u0080-\u009f]|${invisible}|[\ufe00-\ufe0d]|(?<![${presentable}])[\ufe0e\ufe0f]`,
      "gu",
    ),
);

/** Text in which a name replaces every character that readers do not see. */
export function replaceHidden(text: string, name: (character: string) => string): string {
  if (!/[^\0-\x7f]/.test(text) || !maybeHidden().test(text)) return text;
  return text.replace(hidden(), name);
}

/** A form feed is white space. */
const suspicious = lazily(
  () =>
    new RegExp(
      String.raw`[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u200c\u200d\u2800\ufffe\uffff]|${invisible}|[\ufe00-\ufe0f]|[\u{13430}-\u{1343f}\u{16fe4}]`,
      "gu",
    ),
);
/** Letters of scripts whose forms depend on joiners. */
const joining = lazily(
  () =>
    /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{M}]/u,
);
const ideograph = lazily(() => /\p{Script=Han}/u);
const mathematical = lazily(() => /\p{Sm}|\p{Script=Myanmar}|\p{Script=Phags_Pa}|\p{Script=Manichaean}|0/u);
const mongolian = lazily(() => /\p{Script=Mongolian}/u);

const unseen = lazily(() => new RegExp(`${controls.source}|${hidden().source}`, "gu"));
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const latin = lazily(() => /\p{Script=Latin}/u);
const confusableScripts = lazily(
  () =>
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}]/u,
);

function describe(character: string, start: number): InvisibleCharacter {
  const code = character.codePointAt(0)!;
  const kind = bidi.test(character) ? "bidi" : code < 0x20 || code === 0x7f ? "control" : "hidden";
  return { start, end: start + character.length, kind, code };
}

function isMixed(word: string): boolean {
  return latin().test(word) && confusableScripts().test(word);
}
