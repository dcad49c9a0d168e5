import type { Region } from "../../../text/model/region.ts";
import { addressAt } from "../address.ts";
import type { Span } from "../document.ts";
import { isDigit, isGap, isLetter, trimRegion } from "../line-cursor.ts";
import { parseDestination, titleEnd } from "./definition.ts";
import { jsxTagEnd, tagEnd } from "./html.ts";

export type InlineOptions = {
  readonly mdx: boolean;
  /** Raw HTML: only its tags and comments mean anything. */
  readonly html: boolean;
  /** Whether a reference with this normalized label is defined in the page. */
  readonly defines: (label: string) => boolean;
};

type Bracket = { readonly at: number; readonly image: boolean };

/**
 * The spans between `start` and `end` of a block's text, in the order they begin. Linear: nothing that failed to
 * close is looked for twice.
 */
export function scanInline(
  text: string,
  { start, end }: Region,
  block: number,
  { mdx, html, defines }: InlineOptions,
): Span[] {
  const spans: Span[] = [];
  const brackets: Bracket[] = [];
  // Links hold no links: brackets below this height of the stack can only close as images.
  let closedBelow = 0;
  let runs: Map<number, number[]> | undefined;
  const missing = new Set<string>();

  let at = start;
  while (at < end) at = readAt(at, text.charCodeAt(at));
  return spans.sort((a, b) => a.region.start - b.region.start || b.region.end - a.region.end);

  function readAt(i: number, code: number): number {
    if (code === 60) return readAngle(i);
    if (html) return i + 1;
    switch (code) {
      case 96: // `
        return readCode(i);
      case 92: // \
        return i + 2;
      case 91: // [
        brackets.push({ at: i, image: false });
        return i + 1;
      case 33: // !
        if (text.charCodeAt(i + 1) !== 91) return i + 1;
        brackets.push({ at: i, image: true });
        return i + 2;
      case 93: // ]
        return closeBracket(i);
      case 123: // {
        return mdx ? readBraces(i) : i + 1;
      case 104: // h
        return text.startsWith("http", i) ? readAddress(i) : i + 1;
      case 119: // w
        return text.startsWith("www.", i) ? readAddress(i) : i + 1;
      default:
        return i + 1;
    }
  }

  /** A code span: closed by the next run of as many backticks, wherever it is in the block. */
  function readCode(i: number): number {
    let opened = i;
    while (opened < end && text.charCodeAt(opened) === 96) opened++;
    const length = opened - i;
    runs ??= backtickRuns(text, i, end);
    const places = runs.get(length)!;
    while (places.length > 0 && places[places.length - 1]! < opened) places.pop();
    const close = places.pop();
    if (close === undefined) return opened;
    spans.push({
      kind: "code",
      region: { start: i, end: close + length },
      content: codeContent(opened, close),
      block,
    });
    return close + length;
  }

  // One space or line ending inside each end belongs to the marks when both are there and something is between.
  function codeContent(from: number, to: number): Region {
    const inner = trimRegion(text, from, to);
    if (inner.start === from || inner.end === to || inner.start === inner.end)
      return { start: from, end: to };
    return {
      start: from + (text.startsWith("\r\n", from) ? 2 : 1),
      end: to - (text.endsWith("\r\n", to) ? 2 : 1),
    };
  }

  function readAngle(i: number): number {
    if (text.startsWith("<!--", i)) return readComment(i);
    const address = html || mdx ? -1 : addressEnd(text, i + 1, end);
    if (address > 0) {
      const content = { start: i + 1, end: address };
      spans.push({ ...link("autolink", i, address + 1, content), destination: place(content) });
      return address + 1;
    }
    if (!isLetter(text.charCodeAt(i + 1)) && text.charCodeAt(i + 1) !== 47) return i + 1;
    const close = mdx ? (missing.has("jsx") ? -1 : jsxTagEnd(text, i, end)) : tagEnd(text, i, end);
    if (close === -2) missing.add("jsx");
    if (close < 0) return i + 1;
    return readTag(i, close);
  }

  function readComment(i: number): number {
    const close = find("-->", i + 4);
    if (close < 0) return i + 4;
    spans.push(link("comment", i, close + 3, { start: i + 4, end: close }));
    return close + 3;
  }

  /** `<code>` is code, and an attribute that points somewhere makes a link or an image. */
  function readTag(i: number, close: number): number {
    const tag = text.slice(i, close);
    if (/^<(?:code|tt)[\s>]/i.test(tag)) {
      const mark = tag[1]!.toLowerCase() === "c" ? "</code>" : "</tt>";
      const stop = find(mark, close);
      if (stop < 0) return close;
      spans.push(link("code", i, stop + mark.length, { start: close, end: stop }));
      return close;
    }
    const target = /\s(?:href|src|to)\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag.slice(0, 2000));
    if (target) {
      const value = target[1] ?? target[2]!;
      const from = i + target.index + target[0].length - 1 - value.length;
      const content = { start: from, end: from + value.length };
      const kind = /^<(?:img|image|video|source)\b/i.test(tag) ? "image" : "link";
      spans.push({ ...link(kind, i, close, content), destination: place(content) });
    }
    return close;
  }

  function readBraces(i: number): number {
    if (missing.has("}")) return i + 1;
    const close = jsxTagEnd(text, i, end);
    if (close < 0) missing.add("}");
    return close < 0 ? i + 1 : close;
  }

  function closeBracket(i: number): number {
    const bracket = brackets.pop();
    if (!bracket) return i + 1;
    const closed = brackets.length < closedBelow;
    if (closed) closedBelow = brackets.length;
    if (closed && !bracket.image) return i + 1;
    const opened = bracket.at + (bracket.image ? 2 : 1);
    const found = inlineTarget(i) ?? reference(opened, i);
    if (!found) return i + 1;
    const kind = bracket.image ? "image" : "link";
    spans.push({ ...link(kind, bracket.at, found.end, { start: opened, end: i }), ...found.to });
    if (!bracket.image) closedBelow = brackets.length;
    return found.end;
  }

  /** `(destination "title")` right behind the bracket at `i`. */
  function inlineTarget(
    i: number,
  ): { readonly end: number; readonly to: Pick<Span, "destination"> } | undefined {
    if (text.charCodeAt(i + 1) !== 40 || i + 1 >= end) return undefined;
    let from = i + 2;
    while (from < end && isGap(text.charCodeAt(from))) from++;
    const destination = parseDestination(text, from, end);
    if (!destination) return undefined;
    const close = titleEnd(text, destination.end, end);
    if (close < 0 || close >= end || text.charCodeAt(close) !== 41) return undefined;
    return { end: close + 1, to: { destination: place(destination.region) } };
  }

  /** `[label]` or `[]` right behind the bracket at `i`, or the words before it as their own label. */
  function reference(
    opened: number,
    i: number,
  ): { readonly end: number; readonly to: Pick<Span, "label"> } | undefined {
    if (text.charCodeAt(i + 1) === 91 && i + 1 < end) {
      const close = text.slice(i + 2, Math.min(end, i + 1002)).search(/[[\]]/);
      if (close >= 0 && text.charCodeAt(i + 2 + close) === 93) {
        const label = labelOf(close === 0 ? text.slice(opened, i) : text.slice(i + 2, i + 2 + close));
        if (label !== "" && defines(label)) return { end: i + 3 + close, to: { label } };
      }
    }
    if (i - opened > 1000) return undefined;
    const label = labelOf(text.slice(opened, i));
    return label !== "" && defines(label) ? { end: i + 1, to: { label } } : undefined;
  }

  function readAddress(i: number): number {
    const close = addressAt(text, i, start, end, brackets.length > 0);
    if (close < 0) return i + 1;
    const content = { start: i, end: close };
    spans.push({ ...link("autolink", i, close, content), destination: place(content) });
    return close;
  }

  function link(kind: Span["kind"], from: number, to: number, content: Region): Span {
    return { kind, region: { start: from, end: to }, content, block };
  }

  function place(region: Region): { readonly value: string; readonly region: Region } {
    return { value: text.slice(region.start, region.end), region };
  }

  function find(mark: string, from: number): number {
    if (missing.has(mark)) return -1;
    const found = text.slice(from, end).indexOf(mark);
    if (found < 0) missing.add(mark);
    return found < 0 ? -1 : from + found;
  }
}

/** A reference's label as CommonMark compares it: white space collapsed, case folded. */
export function labelOf(words: string): string {
  return words.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Where the address between angle brackets at `at` ends; -1 when it is none. */
function addressEnd(text: string, at: number, limit: number): number {
  if (!isLetter(text.charCodeAt(at))) return -1;
  let colon = false;
  let sign = false;
  for (let i = at; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (code === 62) return colon || sign ? i : -1;
    if (code <= 32 || code === 60) return -1;
    if (code === 58) {
      colon ||= i - at >= 2 && i - at <= 32;
      if (!colon) return -1;
    } else if (code === 64 && !colon) sign = true;
    else if (!colon && !sign && !isSchemeOrName(code)) return -1;
  }
  return -1;
}

function isSchemeOrName(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 43 || code === 45 || code === 46 || code === 95;
}

/** Starts of the runs of backticks by length, last first, so that the next one is at the end of its list. */
function backtickRuns(text: string, start: number, end: number): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (let i = text.indexOf("`", start); i >= 0 && i < end; ) {
    let stop = i;
    while (stop < end && text.charCodeAt(stop) === 96) stop++;
    const places = runs.get(stop - i);
    if (places) places.push(i);
    else runs.set(stop - i, [i]);
    i = stop < end ? text.indexOf("`", stop) : -1;
  }
  for (const places of runs.values()) places.reverse();
  return runs;
}
