import type { Region } from "../../../text/model/region.ts";
import { isGap, skipGap } from "../characters.ts";

/**
 * `[label]: destination "title"` from `start` to the line's `end`. The destination or the title may be on the line
 * below, which ends at `below`; then so does the definition.
 */
export function parseDefinition(
  text: string,
  start: number,
  end: number,
  below: number,
): { readonly label: Region; readonly destination: Region; readonly end: number } | undefined {
  if (text.charCodeAt(start) !== 91 || text.charCodeAt(start + 1) === 94) return undefined;
  const labelEnd = bracketEnd(text, start + 1, Math.min(end, start + 1001));
  if (labelEnd <= start + 1 || text.charCodeAt(labelEnd + 1) !== 58) return undefined;
  const label = { start: start + 1, end: labelEnd };
  const here = skipGap(text, labelEnd + 2, end);
  const at = here < end ? here : skipGap(text, here, below);
  const limit = here < end ? end : below;
  const destination = parseDestination(text, at, limit);
  if (!destination || destination.end === at) return undefined;
  const withTitle = here < end ? titleEnd(text, destination.end, below) : -1;
  if (withTitle === below && below > end && /["')]/.test(text[trimmedEnd(text, end, below) - 1] ?? ""))
    return { label, destination: destination.region, end: trimmedEnd(text, end, below) };
  if (titleEnd(text, destination.end, limit) !== limit) return undefined;
  return { label, destination: destination.region, end: trimmedEnd(text, at, limit) };
}

function trimmedEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && isGap(text.charCodeAt(last - 1))) last--;
  return last;
}

/** A link's destination at `at`: bare with balanced parentheses, or between angle brackets. */
export function parseDestination(
  text: string,
  at: number,
  limit: number,
): { readonly region: Region; readonly end: number } | undefined {
  if (text.charCodeAt(at) === 60) {
    for (let i = at + 1; i < limit; i++) {
      const code = text.charCodeAt(i);
      if (code === 62) return { region: { start: at + 1, end: i }, end: i + 1 };
      if (code === 60 || code === 10 || code === 13) return undefined;
      if (code === 92) i++;
    }
    return undefined;
  }
  let depth = 0;
  let i = at;
  for (; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (code === 92) i++;
    else if (code <= 32) break;
    else if (code === 40) {
      if (++depth > 32) return undefined;
    } else if (code === 41 && --depth < 0) break;
  }
  const end = Math.min(i, limit);
  return depth > 0 ? undefined : { region: { start: at, end }, end };
}

/** Where an optional title behind a destination ends, white space around it included; -1 when it is malformed. */
export function titleEnd(text: string, at: number, limit: number): number {
  const i = skipGap(text, at, limit);
  const opening = text.charCodeAt(i);
  const closing = opening === 40 ? 41 : opening === 34 || opening === 39 ? opening : 0;
  if (i === at || closing === 0 || i >= limit) return i;
  let close = i + 1;
  while (close < limit && text.charCodeAt(close) !== closing) {
    if (opening === 40 && text.charCodeAt(close) === 40) return -1;
    close += text.charCodeAt(close) === 92 ? 2 : 1;
  }
  return close >= limit ? -1 : skipGap(text, close + 1, limit);
}

function bracketEnd(text: string, at: number, limit: number): number {
  for (let i = at; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (code === 93) return i;
    if (code === 91) return -1;
    if (code === 92) i++;
  }
  return -1;
}
