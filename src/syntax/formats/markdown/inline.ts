import type { Region } from "../../../text/model/region.ts";
import { addressAt } from "../address.ts";
import { isDigit, isLetter, skipGap, trimRegion } from "../characters.ts";
import type { Span } from "../document.ts";
import { parseDestination, titleEnd } from "./definition.ts";
import { jsxTagEnd, tagEnd } from "./html.ts";

export type InlineOptions = {
  /** The index of the block whose words are read. */
  readonly block: number;
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
export function scanInline(text: string, region: Region, options: InlineOptions): Span[] {
  return new InlineScanner(text, region, options).scan();
}

class InlineScanner {
  readonly #text: string;
  readonly #start: number;
  readonly #end: number;
  readonly #block: number;
  readonly #mdx: boolean;
  readonly #html: boolean;
  readonly #defines: (label: string) => boolean;
  readonly #spans: Span[] = [];
  readonly #brackets: Bracket[] = [];
  /** Links hold no links: brackets below this height of the stack can only close as images. */
  #closedBelow = 0;
  #runs: Map<number, number[]> | undefined;
  readonly #missing = new Set<string>();
  #at: number;

  constructor(text: string, { start, end }: Region, { block, mdx, html, defines }: InlineOptions) {
    this.#text = text;
    this.#start = this.#at = start;
    this.#end = end;
    this.#block = block;
    this.#mdx = mdx;
    this.#html = html;
    this.#defines = defines;
  }

  scan(): Span[] {
    while (this.#at < this.#end) this.#at = this.#readAt(this.#at, this.#text.charCodeAt(this.#at));
    return this.#spans.sort((a, b) => a.region.start - b.region.start || b.region.end - a.region.end);
  }

  #readAt(i: number, code: number): number {
    if (code === 60) return this.#readAngle(i);
    if (this.#html) return i + 1;
    switch (code) {
      case 96: // `
        return this.#readCode(i);
      case 92: // \
        return i + 2;
      case 91: // [
        this.#brackets.push({ at: i, image: false });
        return i + 1;
      case 33: // !
        if (this.#text.charCodeAt(i + 1) !== 91) return i + 1;
        this.#brackets.push({ at: i, image: true });
        return i + 2;
      case 93: // ]
        return this.#closeBracket(i);
      case 123: // {
        return this.#mdx ? this.#readBraces(i) : i + 1;
      case 104: // h
        return this.#text.startsWith("http", i) ? this.#readAddress(i) : i + 1;
      case 119: // w
        return this.#text.startsWith("www.", i) ? this.#readAddress(i) : i + 1;
      default:
        return i + 1;
    }
  }

  /** A code span: closed by the next run of as many backticks, wherever it is in the block. */
  #readCode(i: number): number {
    let opened = i;
    while (opened < this.#end && this.#text.charCodeAt(opened) === 96) opened++;
    const length = opened - i;
    this.#runs ??= backtickRuns(this.#text, i, this.#end);
    // A run behind a backslash is one shorter here than in the index.
    const places = this.#runs.get(length) ?? [];
    while (places.length > 0 && places[places.length - 1]! < opened) places.pop();
    const close = places.pop();
    if (close === undefined) return opened;
    this.#spans.push({
      kind: "code",
      region: { start: i, end: close + length },
      content: this.#codeContent(opened, close),
      block: this.#block,
    });
    return close + length;
  }

  // One space or line ending inside each end belongs to the marks when both are there and something is between.
  #codeContent(from: number, to: number): Region {
    const inner = trimRegion(this.#text, from, to);
    if (inner.start === from || inner.end === to || inner.start === inner.end)
      return { start: from, end: to };
    return {
      start: from + (this.#text.startsWith("\r\n", from) ? 2 : 1),
      end: to - (this.#text.endsWith("\r\n", to) ? 2 : 1),
    };
  }

  #readAngle(i: number): number {
    if (this.#text.startsWith("<!--", i)) return this.#readComment(i);
    const address = this.#html || this.#mdx ? -1 : addressEnd(this.#text, i + 1, this.#end);
    if (address > 0) {
      const content = { start: i + 1, end: address };
      this.#spans.push({
        ...this.#span("autolink", i, address + 1, content),
        destination: this.#place(content),
      });
      return address + 1;
    }
    if (!isLetter(this.#text.charCodeAt(i + 1)) && this.#text.charCodeAt(i + 1) !== 47) return i + 1;
    const close = this.#mdx
      ? this.#missing.has("jsx")
        ? -1
        : jsxTagEnd(this.#text, i, this.#end)
      : tagEnd(this.#text, i, this.#end);
    if (close === -2) this.#missing.add("jsx");
    if (close < 0) return i + 1;
    return this.#readTag(i, close);
  }

  #readComment(i: number): number {
    const close = this.#find("-->", i + 4);
    if (close < 0) return i + 4;
    this.#spans.push(this.#span("comment", i, close + 3, { start: i + 4, end: close }));
    return close + 3;
  }

  /** `<code>` is code, and an attribute that points somewhere makes a link or an image. */
  #readTag(i: number, close: number): number {
    const tag = this.#text.slice(i, close);
    if (/^<(?:code|tt)[\s>]/i.test(tag)) {
      const mark = tag[1]!.toLowerCase() === "c" ? "</code>" : "</tt>";
      const stop = this.#find(mark, close);
      if (stop < 0) return close;
      this.#spans.push(this.#span("code", i, stop + mark.length, { start: close, end: stop }));
      return close;
    }
    const target = /\s(?:href|src|to)\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag.slice(0, 2000));
    if (target) {
      const value = target[1] ?? target[2]!;
      const from = i + target.index + target[0].length - 1 - value.length;
      const content = { start: from, end: from + value.length };
      const kind = /^<(?:img|image|video|source)\b/i.test(tag) ? "image" : "link";
      this.#spans.push({ ...this.#span(kind, i, close, content), destination: this.#place(content) });
    }
    return close;
  }

  #readBraces(i: number): number {
    if (this.#missing.has("}")) return i + 1;
    const close = jsxTagEnd(this.#text, i, this.#end);
    if (close < 0) this.#missing.add("}");
    return close < 0 ? i + 1 : close;
  }

  #closeBracket(i: number): number {
    const bracket = this.#brackets.pop();
    if (!bracket) return i + 1;
    const closed = this.#brackets.length < this.#closedBelow;
    if (closed) this.#closedBelow = this.#brackets.length;
    if (closed && !bracket.image) return i + 1;
    const opened = bracket.at + (bracket.image ? 2 : 1);
    const found = this.#inlineTarget(i) ?? this.#reference(opened, i);
    if (!found) return i + 1;
    const kind = bracket.image ? "image" : "link";
    this.#spans.push({ ...this.#span(kind, bracket.at, found.end, { start: opened, end: i }), ...found.to });
    if (!bracket.image) this.#closedBelow = this.#brackets.length;
    return found.end;
  }

  /** `(destination "title")` right behind the bracket at `i`. */
  #inlineTarget(i: number): { readonly end: number; readonly to: Pick<Span, "destination"> } | undefined {
    if (this.#text.charCodeAt(i + 1) !== 40 || i + 1 >= this.#end) return undefined;
    const from = skipGap(this.#text, i + 2, this.#end);
    const destination = parseDestination(this.#text, from, this.#end);
    if (!destination) return undefined;
    const close = titleEnd(this.#text, destination.end, this.#end);
    if (close < 0 || close >= this.#end || this.#text.charCodeAt(close) !== 41) return undefined;
    return { end: close + 1, to: { destination: this.#place(destination.region) } };
  }

  /** `[label]` or `[]` right behind the bracket at `i`, or the words before it as their own label. */
  #reference(
    opened: number,
    i: number,
  ): { readonly end: number; readonly to: Pick<Span, "label"> } | undefined {
    if (this.#text.charCodeAt(i + 1) === 91 && i + 1 < this.#end) {
      const close = this.#text.slice(i + 2, Math.min(this.#end, i + 1002)).search(/[[\]]/);
      if (close >= 0 && this.#text.charCodeAt(i + 2 + close) === 93) {
        const label = labelOf(
          close === 0 ? this.#text.slice(opened, i) : this.#text.slice(i + 2, i + 2 + close),
        );
        if (label !== "" && this.#defines(label)) return { end: i + 3 + close, to: { label } };
      }
    }
    if (i - opened > 1000) return undefined;
    const label = labelOf(this.#text.slice(opened, i));
    return label !== "" && this.#defines(label) ? { end: i + 1, to: { label } } : undefined;
  }

  #readAddress(i: number): number {
    const close = addressAt(
      this.#text,
      i,
      { start: this.#start, end: this.#end },
      { inBrackets: this.#brackets.length > 0 },
    );
    if (close < 0) return i + 1;
    const content = { start: i, end: close };
    this.#spans.push({ ...this.#span("autolink", i, close, content), destination: this.#place(content) });
    return close;
  }

  #span(kind: Span["kind"], from: number, to: number, content: Region): Span {
    return { kind, region: { start: from, end: to }, content, block: this.#block };
  }

  #place(region: Region): { readonly value: string; readonly region: Region } {
    return { value: this.#text.slice(region.start, region.end), region };
  }

  #find(mark: string, from: number): number {
    if (this.#missing.has(mark)) return -1;
    const found = this.#text.slice(from, this.#end).indexOf(mark);
    if (found < 0) this.#missing.add(mark);
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
