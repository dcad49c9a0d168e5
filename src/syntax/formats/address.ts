import type { Region } from "../../text/model/region.ts";
import { isDigit, isLetter } from "./characters.ts";

/**
 * Where the bare web address that begins at `at` ends, without the punctuation that ends its sentence; -1 when none
 * begins there. `words` is the region of the words around it; `inBrackets` makes a closing bracket end it.
 */
export function addressAt(
  text: string,
  at: number,
  { start, end }: Region,
  { inBrackets = false } = {},
): number {
  const scheme = /^(?:https?:\/\/|www\.)/.exec(text.slice(at, at + 8))?.[0].length ?? 0;
  const before = at > start ? text.charCodeAt(at - 1) : 0;
  if (scheme === 0 || isLetter(before) || isDigit(before)) return -1;
  let stop = at + scheme;
  let open = 0;
  for (; stop < end; stop++) {
    const code = text.charCodeAt(stop);
    if (code <= 32 || code === 60 || code === 62 || code === 96 || code === 34 || code === 124) break;
    if (code === 93 && inBrackets) break;
    if (code === 40) open++;
    else if (code === 41 && --open < 0) break;
  }
  while (stop > at + scheme && /[?!.,:*_~;']/.test(text[stop - 1]!)) stop--;
  return stop > at + scheme ? stop : -1;
}
