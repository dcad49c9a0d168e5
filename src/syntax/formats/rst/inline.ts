import type { Region } from "../../../text/model/region.ts";
import { addressAt } from "../address.ts";
import type { Span } from "../document.ts";
import { isDigit, isLetter } from "../line-cursor.ts";

const POINTS = /^(?:ref|doc|download|numref|any|external|file)$/;

/** The spans of a reStructuredText paragraph: literals, roles, interpreted text, links, bare addresses. */
export function scanRstInline(text: string, { start, end }: Region, block: number): Span[] {
  const spans: Span[] = [];
  let literalsEnd = false;
  let quotesEnd = false;
  for (let at = start; at < end; ) {
    const code = text.charCodeAt(at);
    if (code === 96) at = text.charCodeAt(at + 1) === 96 ? readLiteral(at) : readInterpreted(at, at, "");
    else if (code === 58 && !quotesEnd) at = readRole(at);
    else if (code === 92) at += 2;
    else if (code === 104) at = readAddress(at);
    else at++;
  }
  return spans;

  function readLiteral(at: number): number {
    const close = literalsEnd ? -1 : text.slice(at + 2, end).indexOf("``");
    if (close < 0) {
      literalsEnd = true;
      return at + 2;
    }
    let stop = at + 2 + close;
    // A literal may end in a backtick of its own.
    while (stop + 2 < end && text.charCodeAt(stop + 2) === 96) stop++;
    add("code", at, stop + 2, { start: at + 2, end: stop });
    return stop + 2;
  }

  function readRole(at: number): number {
    let stop = at + 1;
    while (stop < end && (isName(text.charCodeAt(stop)) || text.charCodeAt(stop) === 58) && stop - at < 60)
      stop++;
    const name = text.slice(at + 1, stop - 1);
    if (text.charCodeAt(stop) !== 96 || stop - at < 3 || text.charCodeAt(stop - 1) !== 58) return at + 1;
    return readInterpreted(stop, at, name.slice(name.lastIndexOf(":") + 1));
  }

  /** `words`, `words`_, `words <target>`_ and :role:`words <target>`. */
  function readInterpreted(tick: number, from: number, role: string): number {
    const length = quotesEnd ? -1 : text.slice(tick + 1, end).indexOf("`");
    if (length < 0) {
      quotesEnd = true;
      return tick + 1;
    }
    const inner = { start: tick + 1, end: tick + 1 + length };
    let stop = inner.end + 1;
    const linked = text.charCodeAt(stop) === 95 && stop < end;
    while (linked && stop < end && text.charCodeAt(stop) === 95 && stop < inner.end + 3) stop++;
    const target = targetOf(inner);
    if (linked || POINTS.test(role)) {
      const destination = target ?? (role ? inner : undefined);
      const words = target
        ? { start: inner.start, end: Math.max(inner.start, trimmed(inner.start, target.start - 1)) }
        : inner;
      spans.push({
        kind: "link",
        region: { start: from, end: stop },
        content: words,
        ...(destination
          ? { destination: { value: text.slice(destination.start, destination.end), region: destination } }
          : { label: text.slice(inner.start, inner.end).toLowerCase() }),
        block,
      });
    } else add("code", from, stop, target ?? withoutTilde(inner));
    return stop;
  }

  function targetOf(inner: Region): Region | undefined {
    if (text.charCodeAt(inner.end - 1) !== 62) return undefined;
    const open = text.lastIndexOf("<", inner.end - 1);
    return open >= inner.start ? { start: open + 1, end: inner.end - 1 } : undefined;
  }

  // `~pkg.Name` and `!Name` say how to show the name, not what it is.
  function withoutTilde(inner: Region): Region {
    const mark = text.charCodeAt(inner.start);
    return (mark === 126 || mark === 33) && inner.end > inner.start + 1
      ? { start: inner.start + 1, end: inner.end }
      : inner;
  }

  function trimmed(from: number, to: number): number {
    let stop = to;
    while (stop > from && /\s/.test(text[stop - 1]!)) stop--;
    return stop;
  }

  function readAddress(at: number): number {
    const stop = addressAt(text, at, start, end);
    if (stop < 0) return at + 1;
    const content = { start: at, end: stop };
    spans.push({
      kind: "autolink",
      region: content,
      content,
      destination: { value: text.slice(at, stop), region: content },
      block,
    });
    return stop;
  }

  function add(kind: Span["kind"], from: number, to: number, content: Region): void {
    spans.push({ kind, region: { start: from, end: to }, content, block });
  }
}

function isName(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 45 || code === 95 || code === 46 || code === 43;
}
