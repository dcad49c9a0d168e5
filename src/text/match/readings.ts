import { foldEndings, indexLines, lineAt } from "../model/lines.ts";
import type { Region } from "../model/region.ts";

/** A quotation and its new text without the marks that the caller's tools added. */
export type QuoteReading = {
  readonly as: "blank-edges" | "fence" | "line-numbers";
  readonly quote: string;
  readonly text: string;
  /** Whether a place confirms the reading. */
  readonly agrees: (text: string, region: Region) => boolean;
};

const always = (): boolean => true;

/** Other ways to read a quotation that occurs nowhere. Each uses only text that the caller wrote. */
export function readingsOf(quote: string, text: string): QuoteReading[] {
  const [old, now] = [splitLines(quote), splitLines(text)];
  return [withoutBlankEdges(old, now), withoutFence(old, now), withoutLineNumbers(old, now)].filter(
    (reading) => reading !== null && reading.quote !== "" && reading.quote !== quote,
  ) as QuoteReading[];
}

type QuotedLines = { readonly lines: readonly string[]; readonly end: string };

function splitLines(text: string): QuotedLines {
  const folded = foldEndings(text);
  const end = folded.endsWith("\n") ? "\n" : "";
  return { lines: folded.slice(0, folded.length - end.length).split("\n"), end };
}

function joined({ lines, end }: QuotedLines): string {
  return lines.join("\n") + end;
}

/** Blank lines that both texts have at the same edge, as many on both sides. */
function withoutBlankEdges(old: QuotedLines, now: QuotedLines): QuoteReading | null {
  const edges = (lines: readonly string[]) => ({
    top: lines.findIndex((line) => line.trim() !== ""),
    bottom: lines.toReversed().findIndex((line) => line.trim() !== ""),
  });
  const [a, b] = [edges(old.lines), edges(now.lines)];
  if (a.top < 0 || b.top < 0 || a.top !== b.top || a.bottom !== b.bottom || a.top + a.bottom === 0)
    return null;
  const inner = ({ lines, end }: QuotedLines): string =>
    joined({ lines: lines.slice(a.top, lines.length - a.bottom), end: a.bottom > 0 ? "\n" : end });
  return { as: "blank-edges", quote: inner(old), text: inner(now), agrees: always };
}

/** A code fence around both texts. */
function withoutFence(old: QuotedLines, now: QuotedLines): QuoteReading | null {
  const isFenced = ({ lines }: QuotedLines): boolean =>
    lines.length > 2 && /^(?:`{3,}|~{3,})[\w+-]*$/.test(lines[0]!) && lines.at(-1) === fenceOf(lines[0]!);
  if (!isFenced(old) || !isFenced(now)) return null;
  const inner = ({ lines }: QuotedLines): string => joined({ lines: lines.slice(1, -1), end: "\n" });
  return { as: "fence", quote: inner(old), text: inner(now), agrees: always };
}

function fenceOf(line: string): string {
  return /^[`~]+/.exec(line)?.[0] ?? "";
}

/** The line numbers of a listing, if they are those of the place. The new text has such numbers too, or none. */
function withoutLineNumbers(old: QuotedLines, now: QuotedLines): QuoteReading | null {
  const quoted = numberedLines(old.lines);
  const asked = numberedLines(now.lines);
  const isPlain = now.lines.every((line) => !linePrefix.test(line));
  if (!quoted || (!asked && !isPlain)) return null;
  return {
    as: "line-numbers",
    quote: joined({ ...old, lines: quoted.lines }),
    text: asked ? joined({ ...now, lines: asked.lines }) : joined(now),
    agrees: (text, region) => lineAt(indexLines(text), region.start) + 1 === quoted.first,
  };
}

/** The number that a listing puts before a line. */
export const linePrefix = /^\s*(\d{1,9})(?:\t|\s*[|:→] ?)/;

function numberedLines(
  lines: readonly string[],
): { readonly first: number; readonly lines: string[] } | null {
  const first = Number(linePrefix.exec(lines[0] ?? "")?.[1] ?? Number.NaN);
  const bare: string[] = [];
  for (const [i, line] of lines.entries()) {
    const [prefix, number] = linePrefix.exec(line) ?? [];
    if (prefix === undefined || Number(number) !== first + i) return null;
    bare.push(line.slice(prefix.length));
  }
  return { first, lines: bare };
}
