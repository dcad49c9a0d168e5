import type { Region } from "../../../text/model/region.ts";
import { addressAt } from "../address.ts";
import type { Span } from "../document.ts";
import { isDigit, isLetter } from "../line-cursor.ts";

const LONGEST_TARGET = 2000;

/** The spans of an AsciiDoc paragraph: monospace, links and cross references, images, bare addresses. */
export function scanAsciiDocInline(text: string, { start, end }: Region, block: number): Span[] {
  const spans: Span[] = [];
  const missing = new Set<string>();
  for (let at = start; at < end; ) {
    const code = text.charCodeAt(at);
    if (code === 96) at = readCode(at);
    else if (code === 92) at += 2;
    else if (code === 60 && text.charCodeAt(at + 1) === 60) at = readCrossReference(at);
    else if (code === 104 || code === 119) at = readAddress(at);
    else if (code === 105 || code === 108 || code === 120) at = readMacro(at);
    else at++;
  }
  return spans;

  function readCode(at: number): number {
    const mark = text.charCodeAt(at + 1) === 96 ? "``" : "`";
    const close = find(mark, at + mark.length);
    if (close < 0 || close === at + mark.length) return at + mark.length;
    const literal =
      text[at + mark.length] === "+" && text[close - 1] === "+" && close - at - mark.length > 2 ? 1 : 0;
    add("code", at, close + mark.length, { start: at + mark.length + literal, end: close - literal });
    return close + mark.length;
  }

  function readCrossReference(at: number): number {
    const close = find(">>", at + 2);
    if (close < 0) return at + 2;
    const comma = text.slice(at + 2, close).indexOf(",");
    const target = { start: at + 2, end: comma < 0 ? close : at + 2 + comma };
    const words = comma < 0 ? target : { start: target.end + 1, end: close };
    addLink("link", at, close + 2, words, target);
    return close + 2;
  }

  /** An address with words in brackets behind it is a link, without them a bare one. */
  function readAddress(at: number): number {
    if (!text.startsWith("http", at) && !text.startsWith("www.", at)) return at + 1;
    const stop = addressAt(text, at, start, bracketOr(at));
    if (stop < 0) return at + 1;
    const words = bracketAt(stop);
    if (words) addLink("link", at, words.end + 1, words, { start: at, end: stop });
    else addLink("autolink", at, stop, { start: at, end: stop }, { start: at, end: stop });
    return words ? words.end + 1 : stop;
  }

  function bracketOr(at: number): number {
    let stop = at;
    while (
      stop < end &&
      stop - at < LONGEST_TARGET &&
      text.charCodeAt(stop) > 32 &&
      text.charCodeAt(stop) !== 91
    )
      stop++;
    return stop;
  }

  /** `link:`, `xref:`, `image:` and `include::` with a target and brackets. */
  function readMacro(at: number): number {
    const name = /^(link:|xref:|image::?|include::)/.exec(text.slice(at, at + 10))?.[0];
    const before = at > start ? text.charCodeAt(at - 1) : 0;
    if (!name || isLetter(before) || isDigit(before)) return at + 1;
    const from = at + name.length;
    const target = { start: from, end: bracketOr(from) };
    const words = bracketAt(target.end);
    if (!words || target.end === from) return Math.max(from, target.end);
    addLink(name.startsWith("image") ? "image" : "link", at, words.end + 1, words, target);
    return words.end + 1;
  }

  function bracketAt(at: number): Region | undefined {
    if (text.charCodeAt(at) !== 91 || at >= end) return undefined;
    const close = find("]", at + 1);
    return close < 0 ? undefined : { start: at + 1, end: close };
  }

  function find(mark: string, from: number): number {
    if (missing.has(mark)) return -1;
    const found = text.slice(from, end).indexOf(mark);
    if (found < 0) missing.add(mark);
    return found < 0 ? -1 : from + found;
  }

  function add(kind: Span["kind"], from: number, to: number, content: Region): void {
    spans.push({ kind, region: { start: from, end: to }, content, block });
  }

  function addLink(kind: Span["kind"], from: number, to: number, content: Region, target: Region): void {
    const destination = { value: text.slice(target.start, target.end), region: target };
    spans.push({ kind, region: { start: from, end: to }, content, destination, block });
  }
}
