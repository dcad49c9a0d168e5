import type { Region } from "../../../text/model/region.ts";
import { isLetter } from "../characters.ts";

/** A tag of HTML: `<a href="…">`, `</a>`. */
export type Tag = {
  readonly name: string;
  readonly closing: boolean;
  readonly region: Region;
  /** The region of its attributes. */
  readonly attributes: Region;
};

/** Longer tags than people write are text, which keeps the work on one bounded. */
const LONGEST_TAG = 5000;

/** The tag that begins at `at`; undefined where none does, or it is never closed. */
export function tagAt(text: string, at: number): Tag | undefined {
  const closing = text[at + 1] === "/";
  const nameStart = at + (closing ? 2 : 1);
  if (!isLetter(text.charCodeAt(nameStart))) return undefined;
  const limit = Math.min(text.length, at + LONGEST_TAG);
  const name = /^[A-Za-z][\w-]*/.exec(text.slice(nameStart, nameStart + 40))![0];
  let quote = 0;
  for (let i = nameStart + name.length; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 34 || code === 39) quote = code;
    else if (code === 60) return undefined;
    else if (code === 62)
      return {
        name: name.toLowerCase(),
        closing,
        region: { start: at, end: i + 1 },
        attributes: { start: nameStart + name.length, end: i },
      };
  }
  return undefined;
}

/** The value of an attribute in quotes, and its region. */
export function attributeOf(
  text: string,
  { attributes: { start, end } }: Tag,
  name: string,
): Region | undefined {
  const words = text.slice(start, end);
  const match = new RegExp(String.raw`(?:^|\s)${name}\s*=\s*(["'])(.*?)\1`, "is").exec(words);
  if (!match) return undefined;
  const stop = start + match.index + match[0].length - 1;
  return { start: stop - match[2]!.length, end: stop };
}
