import { blank } from "../../text/characters/blank.ts";

/**
 * A component file with everything but its scripts blanked out, so that what is left can be parsed and every offset
 * still holds.
 */
export function onlyScripts(text: string): string {
  let kept = "";
  let at = 0;
  for (const opening of text.matchAll(/<script\b[^<>]*>/gi)) {
    const start = opening.index + opening[0].length;
    if (start < at) continue;
    const close = text.indexOf("</script", start);
    const end = close < 0 ? text.length : close;
    kept += blank(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
  return kept + blank(text.slice(at));
}
