import type { Region } from "../../../text/model/region.ts";
import type { OpenBlock } from "../block-list.ts";
import { isDigit, isSpace, trimRegion } from "../characters.ts";

/** `## Words ##` between `start` and the line's `end`: its level and its words. */
export function headingMarks(
  text: string,
  start: number,
  end: number,
): { readonly depth: number; readonly content: Region } | undefined {
  const marks = runEnd(text, start, end, 35);
  const depth = marks - start;
  if (depth > 6 || !(marks === end || isSpace(text.charCodeAt(marks)))) return undefined;
  const words = trimRegion(text, marks, end);
  let last = words.end;
  while (last > words.start && text.charCodeAt(last - 1) === 35) last--;
  // Closing marks count only behind white space, or when there are no words before them.
  const closed = last === words.start || isSpace(text.charCodeAt(last - 1));
  return { depth, content: closed ? trimRegion(text, words.start, last) : words };
}

/** How long the fence that opens at `start` is; 0 when none does. */
export function fenceLength(text: string, start: number, end: number): number {
  const mark = text.charCodeAt(start);
  const length = runEnd(text, start, end, mark) - start;
  if (length < 3) return 0;
  return mark === 96 && text.slice(start + length, end).includes("`") ? 0 : length;
}

/** Gives a fence its language and the rest of its info string. */
export function describeFence(block: OpenBlock, fence: string, info: string): void {
  block.fence = fence;
  const language = /^\{?\.?([^\s{}:,]*)/.exec(info)!;
  const meta = info.slice(language[0].length).replace(/^[\s},:]+/, "");
  if (language[1]) block.language = language[1];
  if (meta) block.meta = meta;
}

export function isThematicBreak(text: string, start: number, end: number): boolean {
  const mark = text.charCodeAt(start);
  let marks = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === mark) marks++;
    else if (!isSpace(code)) return false;
  }
  return marks >= 3;
}

/** Length of the bullet or number that marks a list item at `start`; 0 when none does. */
export function listMarkerLength(text: string, start: number, lineEnd: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end)) && end - start < 10) end++;
  const digits = end - start;
  const delimiter = text.charCodeAt(end);
  if (digits > 9 || (digits > 0 && delimiter !== 46 && delimiter !== 41)) return 0;
  end++;
  return end >= lineEnd || isSpace(text.charCodeAt(end)) ? end - start : 0;
}

/** The kind that an admonition names, and its title. */
export type Admonition = { readonly name: string; readonly title: string };

/** Behind the colons of `:::tip Title`. A dotted name is an API page's directive, which nothing closes. */
export function colonAdmonition(rest: string): Admonition | undefined {
  const name = /^\{?\.?([A-Za-z][\w-]*)\}?(?![\w.])/.exec(rest);
  return name ? { name: name[1]!, title: rest.slice(name[0].length) } : undefined;
}

/** `!!! note "Title"`, `??? note`, `=== "Tab"`. */
export function indentedAdmonition(words: string): Admonition | undefined {
  const marks = /^(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+(?=["\w])/.exec(words);
  if (!marks) return undefined;
  const rest = words.slice(marks[0].length);
  if (words.startsWith("=")) return rest.startsWith('"') ? { name: "tab", title: rest } : undefined;
  const name = /^[\w-]+/.exec(rest)?.[0];
  return name ? { name, title: rest.slice(name.length) } : { name: "note", title: rest };
}

/** `[!NOTE] Title`, the first line of a quote that is an admonition. */
export function alertMark(words: string): Admonition | undefined {
  const mark = /^\[!([A-Za-z]+)\][+-]?(?:[ \t]+(.*))?$/.exec(words);
  return mark ? { name: mark[1]!, title: mark[2] ?? "" } : undefined;
}

export function describeAdmonition(block: OpenBlock, { name, title }: Admonition): void {
  block.language = name.toLowerCase();
  const words = title.trim().replace(/^["[](.*)["\]]$/, "$1");
  if (words) block.meta = words;
}

/** The end of `[^label]:`, which begins a footnote at `start`; -1 when none begins there. */
export function footnoteMarkEnd(text: string, start: number, end: number): number {
  const mark = /^\[\^[^\]\s]+\]:/.exec(text.slice(start, Math.min(end, start + 200)));
  return mark ? start + mark[0].length : -1;
}

/** A comment without its marks. */
export function insideComment(text: string, { start, end }: Region): Region {
  const from = Math.min(start + (text[start] === "{" ? 3 : 4), end);
  const closed = text.endsWith("-->", end) || text.endsWith("*/}", end);
  return trimRegion(text, from, Math.max(from, closed ? end - 3 : end));
}

function runEnd(text: string, start: number, end: number, mark: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) === mark) at++;
  return at;
}
