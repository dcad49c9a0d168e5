import type { Region } from "../../../text/model/region.ts";
import { addressAt } from "../address.ts";
import { isDigit, isLetter } from "../characters.ts";
import type { Span } from "../document.ts";

const LINK_ROLES = /^(?:ref|doc|download|numref|any|external)$/;

/** The spans of a reStructuredText paragraph: literals, roles, interpreted text, links, bare addresses. */
export function scanRstInline(text: string, region: Region, block: number): Span[] {
  return new RstInlineScanner(text, region, block).scan();
}

class RstInlineScanner {
  readonly #text: string;
  readonly #start: number;
  readonly #end: number;
  readonly #block: number;
  readonly #spans: Span[] = [];
  /** Whether a literal, or a closing quote, was looked for and not found. */
  #literalsEnd = false;
  #quotesEnd = false;

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
    if (code === 96)
      return this.#text.charCodeAt(at + 1) === 96 ? this.#readLiteral(at) : this.#readInterpreted(at, at, "");
    if (code === 58 && !this.#quotesEnd) return this.#readRole(at);
    if (code === 92) return at + 2;
    return code === 104 ? this.#readAddress(at) : at + 1;
  }

  #readLiteral(at: number): number {
    const close = this.#literalsEnd ? -1 : this.#text.slice(at + 2, this.#end).indexOf("``");
    if (close < 0) {
      this.#literalsEnd = true;
      return at + 2;
    }
    let stop = at + 2 + close;
    // A literal may end in a backtick of its own.
    while (stop + 2 < this.#end && this.#text.charCodeAt(stop + 2) === 96) stop++;
    this.#add("code", at, stop + 2, { start: at + 2, end: stop });
    return stop + 2;
  }

  #readRole(at: number): number {
    let stop = at + 1;
    while (
      stop < this.#end &&
      (isName(this.#text.charCodeAt(stop)) || this.#text.charCodeAt(stop) === 58) &&
      stop - at < 60
    )
      stop++;
    const name = this.#text.slice(at + 1, stop - 1);
    if (this.#text.charCodeAt(stop) !== 96 || stop - at < 3 || this.#text.charCodeAt(stop - 1) !== 58)
      return at + 1;
    return this.#readInterpreted(stop, at, name.slice(name.lastIndexOf(":") + 1));
  }

  /** `words`, `words`_, `words <target>`_ and :role:`words <target>`. */
  #readInterpreted(tick: number, from: number, role: string): number {
    const length = this.#quotesEnd ? -1 : this.#text.slice(tick + 1, this.#end).indexOf("`");
    if (length < 0) {
      this.#quotesEnd = true;
      return tick + 1;
    }
    const inner = { start: tick + 1, end: tick + 1 + length };
    let stop = inner.end + 1;
    const linked = this.#text.charCodeAt(stop) === 95 && stop < this.#end;
    while (linked && stop < this.#end && this.#text.charCodeAt(stop) === 95 && stop < inner.end + 3) stop++;
    const target = this.#targetOf(inner);
    if (linked || LINK_ROLES.test(role)) {
      const destination = target ?? (role ? inner : undefined);
      const words = target
        ? { start: inner.start, end: Math.max(inner.start, this.#trimmed(inner.start, target.start - 1)) }
        : inner;
      this.#spans.push({
        kind: "link",
        region: { start: from, end: stop },
        content: words,
        ...(destination
          ? {
              destination: {
                value: this.#text.slice(destination.start, destination.end),
                region: destination,
              },
            }
          : { label: this.#text.slice(inner.start, inner.end).toLowerCase() }),
        block: this.#block,
      });
    } else this.#add("code", from, stop, target ?? this.#withoutTilde(inner));
    return stop;
  }

  #targetOf(inner: Region): Region | undefined {
    if (this.#text.charCodeAt(inner.end - 1) !== 62) return undefined;
    const open = this.#text.lastIndexOf("<", inner.end - 1);
    return open >= inner.start ? { start: open + 1, end: inner.end - 1 } : undefined;
  }

  // The marks of `~pkg.Name` and `!Name` are not part of the name: they choose how it is shown.
  #withoutTilde(inner: Region): Region {
    const mark = this.#text.charCodeAt(inner.start);
    return (mark === 126 || mark === 33) && inner.end > inner.start + 1
      ? { start: inner.start + 1, end: inner.end }
      : inner;
  }

  #trimmed(from: number, to: number): number {
    let stop = to;
    while (stop > from && /\s/.test(this.#text[stop - 1]!)) stop--;
    return stop;
  }

  #readAddress(at: number): number {
    const stop = addressAt(this.#text, at, { start: this.#start, end: this.#end });
    if (stop < 0) return at + 1;
    const content = { start: at, end: stop };
    this.#spans.push({
      kind: "autolink",
      region: content,
      content,
      destination: { value: this.#text.slice(at, stop), region: content },
      block: this.#block,
    });
    return stop;
  }

  #add(kind: Span["kind"], from: number, to: number, content: Region): void {
    this.#spans.push({ kind, region: { start: from, end: to }, content, block: this.#block });
  }
}

function isName(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 45 || code === 95 || code === 46 || code === 43;
}
