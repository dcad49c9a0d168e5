import { defined } from "../../../text/model/defined.ts";
import type { Region } from "../../../text/model/region.ts";
import type { Span } from "../document.ts";

/** The words of roff as a reader sees them: fonts and escapes resolved. */
export function plainRoff(words: string): string {
  return words
    .replace(/\\f(?:\[[^\]]*\]|\([\s\S]{2}|[\s\S])/g, "")
    .replace(/\\(?:-|\(hy|\(mi)/g, "-")
    .replace(/\\(?:e|\(rs)/g, "\\")
    .replace(/\\(?:\(aq|\(cq|\(oq)/g, "'")
    .replace(/\\[&:%|^/,]/g, "")
    .replace(/\\[ ~0]/g, " ")
    .replaceAll('""', '"');
}

/** Words set in bold by escapes: the names that a reader types. */
export function boldSpans(text: string, { start, end }: Region, block: number): Span[] {
  const spans: Span[] = [];
  const words = text.slice(start, end);
  for (const match of words.matchAll(/\\fB([^\r\n]*?)(?:\\f(?:[RPI1]|\[\])|$)/gm)) {
    const from = start + match.index;
    const content = { start: from + 3, end: from + 3 + match[1]!.length };
    if (match[1] !== "")
      spans.push(codeSpan(text, content, { region: { start: from, end: from + match[0].length }, block }));
  }
  return spans;
}

type SpanPlace = { readonly region?: Region; readonly block: number };

/** A span of code; `region` where the marks around it belong to it. */
export function codeSpan(text: string, content: Region, { region = content, block }: SpanPlace): Span {
  const written = text.slice(content.start, content.end);
  const value = plainRoff(written);
  return {
    kind: "code",
    region,
    content,
    block,
    ...defined({ value: value !== written ? value : undefined }),
  };
}
