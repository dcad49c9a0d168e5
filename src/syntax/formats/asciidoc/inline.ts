import type { Region } from "../../../text/model/region.ts";
import { addressAt } from "../address.ts";
import { isDigit, isLetter } from "../characters.ts";
import type { Span } from "../document.ts";

const LONGEST_TARGET = 2000;

/** The spans of an AsciiDoc paragraph: monospace, links and cross references, images, bare addresses. */
export function scanAsciiDocInline(text: string, region: Region, block: number): Span[] {
  return new AsciiDocInlineScanner(text, region, block).scan();
}

class AsciiDocInlineScanner {
  readonly #text: string;
  readonly #start: number;
  readonly #end: number;
  readonly #block: number;
  readonly #spans: Span[] = [];
  /** Marks that were looked for and not found, so that they are looked for only once. */
  readonly #missing = new Set<string>();

  constructor(text: string, { start, end }: Region, block: number) {
    this.#text = text;
    this.#start = start;
    this.#end = end;
    this.#block = block;
  }

  scan(): Span[] {
    for (let at = this.#start; at < this.#end; ) at = this.#readAt(at);
    return this.#spans;
  }

  #readAt(at: number): number {
    const code = this.#text.charCodeAt(at);
    if (code === 96) return this.#readCode(at);
    if (code === 92) return at + 2;
    if (code === 60 && this.#text.charCodeAt(at + 1) === 60) return this.#readCrossReference(at);
    if (code === 104 || code === 119) return this.#readAddress(at);
    return code === 105 || code === 108 || code === 120 ? this.#readMacro(at) : at + 1;
  }

  #readCode(at: number): number {
    const mark = this.#text.charCodeAt(at + 1) === 96 ? "``" : "`";
    const close = this.#find(mark, at + mark.length);
    if (close < 0 || close === at + mark.length) return at + mark.length;
    const literal =
      this.#text[at + mark.length] === "+" && this.#text[close - 1] === "+" && close - at - mark.length > 2
        ? 1
        : 0;
    this.#add("code", at, close + mark.length, { start: at + mark.length + literal, end: close - literal });
    return close + mark.length;
  }

  #readCrossReference(at: number): number {
    const close = this.#find(">>", at + 2);
    if (close < 0) return at + 2;
    const comma = this.#text.slice(at + 2, close).indexOf(",");
    const target = { start: at + 2, end: comma < 0 ? close : at + 2 + comma };
    const words = comma < 0 ? target : { start: target.end + 1, end: close };
    this.#addLink("link", { start: at, end: close + 2 }, words, target);
    return close + 2;
  }

  /** An address with words in brackets behind it is a link, without them a bare one. */
  #readAddress(at: number): number {
    if (!this.#text.startsWith("http", at) && !this.#text.startsWith("www.", at)) return at + 1;
    const stop = addressAt(this.#text, at, { start: this.#start, end: this.#bracketOr(at) });
    if (stop < 0) return at + 1;
    const words = this.#bracketAt(stop);
    if (words) this.#addLink("link", { start: at, end: words.end + 1 }, words, { start: at, end: stop });
    else
      this.#addLink("autolink", { start: at, end: stop }, { start: at, end: stop }, { start: at, end: stop });
    return words ? words.end + 1 : stop;
  }

  #bracketOr(at: number): number {
    let stop = at;
    while (
      stop < this.#end &&
      stop - at < LONGEST_TARGET &&
      this.#text.charCodeAt(stop) > 32 &&
      this.#text.charCodeAt(stop) !== 91
    )
      stop++;
    return stop;
  }

  /** `link:`, `xref:`, `image:` and `include::` with a target and brackets. */
  #readMacro(at: number): number {
    const name = /^(link:|xref:|image::?|include::)/.exec(this.#text.slice(at, at + 10))?.[0];
    const before = at > this.#start ? this.#text.charCodeAt(at - 1) : 0;
    if (!name || isLetter(before) || isDigit(before)) return at + 1;
    const from = at + name.length;
    const target = { start: from, end: this.#bracketOr(from) };
    const words = this.#bracketAt(target.end);
    if (!words || target.end === from) return Math.max(from, target.end);
    this.#addLink(
      name.startsWith("image") ? "image" : "link",
      { start: at, end: words.end + 1 },
      words,
      target,
    );
    return words.end + 1;
  }

  #bracketAt(at: number): Region | undefined {
    if (this.#text.charCodeAt(at) !== 91 || at >= this.#end) return undefined;
    const close = this.#find("]", at + 1);
    return close < 0 ? undefined : { start: at + 1, end: close };
  }

  #find(mark: string, from: number): number {
    if (this.#missing.has(mark)) return -1;
    const found = this.#text.slice(from, this.#end).indexOf(mark);
    if (found < 0) this.#missing.add(mark);
    return found < 0 ? -1 : from + found;
  }

  #add(kind: Span["kind"], from: number, to: number, content: Region): void {
    this.#spans.push({ kind, region: { start: from, end: to }, content, block: this.#block });
  }

  #addLink(kind: Span["kind"], region: Region, content: Region, target: Region): void {
    const destination = { value: this.#text.slice(target.start, target.end), region: target };
    this.#spans.push({ kind, region, content, destination, block: this.#block });
  }
}
