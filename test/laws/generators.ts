import fc from "fast-check";
import type { Splice } from "../../src/text/model/splice.ts";

/** Runs of every law: fast-check draws this many cases. */
export const RUNS = 10_000;

/** What has broken editors before: dollar patterns, every line ending, pairs of surrogates, markers of diffs. */
const PIECES = [
  ..."ab\n\n\r\t \\-+@",
  "\r\n",
  "é",
  "😀",
  "😁",
  "\u2028",
  "\uFEFF",
  "\0",
  "$&",
  "$$",
  "$1",
  "$`",
  "$'",
  "--- a",
  "\\n",
];

const LINES = [
  "",
  "",
  "a",
  "a",
  "b",
  "  }",
  "{",
  "\r",
  "-- x",
  "++ y",
  "@@ -1 +1 @@",
  "\\ No newline",
  "é😀",
];

/** Short texts made of troublesome pieces. */
export const texts: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 16 })
  .map((pieces) => pieces.join(""));

/** Texts of lines, most of them repeated, some numbered, with or without a final newline. */
export const documents: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.oneof(fc.constantFrom(...LINES), fc.nat(30).map(String)), { maxLength: 40, size: "max" }),
    fc.boolean(),
  )
  .map(([lines, ended]) => lines.join("\n") + (ended && lines.length > 0 ? "\n" : ""));

/** New text for documents: part of a line, or several lines. A NUL would make git think them binary. */
const passages: fc.Arbitrary<string> = fc.oneof(
  texts.map((text) => text.replaceAll("\0", "")),
  fc
    .array(fc.constantFrom(...LINES), { maxLength: 5 })
    .map((lines) => lines.map((line) => `${line}\n`).join("")),
);

type Draw = readonly [gap: number, length: number, text: string];

const draws: fc.Arbitrary<Draw[]> = fc.array(
  fc.tuple(fc.nat(12), fc.oneof(fc.constant(0), fc.nat(8)), texts),
  { maxLength: 6 },
);

/** Sorted, disjoint splices of `text`; regions may touch, and may be empty. */
export function splicesOf(text: string, drawn: readonly Draw[]): Splice[] {
  const splices: Splice[] = [];
  let at = 0;
  for (const [gap, length, inserted] of drawn) {
    const start = Math.min(at + gap, text.length);
    const end = Math.min(start + length, text.length);
    splices.push({ region: { start, end }, text: inserted });
    at = end;
  }
  return splices;
}

export type Case = { readonly text: string; readonly splices: readonly Splice[] };

/** A text and splices of it. */
export const changes: fc.Arbitrary<Case> = fc
  .tuple(texts, draws)
  .map(([text, drawn]) => ({ text, splices: splicesOf(text, drawn) }));

/** A text and two lists of splices, both of it. */
export const rivals: fc.Arbitrary<{ text: string; ours: Splice[]; theirs: Splice[] }> = fc
  .tuple(texts, draws, draws)
  .map(([text, ours, theirs]) => ({ text, ours: splicesOf(text, ours), theirs: splicesOf(text, theirs) }));

/** A document of lines and splices of it that take and give whole or broken lines; all of it can go to disk. */
export const revisions: fc.Arbitrary<Case> = fc
  .tuple(documents, fc.array(fc.tuple(fc.nat(60), fc.nat(12), passages), { maxLength: 5 }))
  .map(([text, drawn]) => ({
    text,
    splices: splicesOf(text, drawn).map((splice) => wholePairs(text, splice)),
  }));

/** The splice moved off the middle of surrogate pairs, so that both texts can be written to disk. */
function wholePairs(text: string, splice: Splice): Splice {
  const back = (at: number): number => (/[\uD800-\uDBFF]/.test(text[at - 1] ?? "") ? at - 1 : at);
  return { ...splice, region: { start: back(splice.region.start), end: back(splice.region.end) } };
}

/** A splice list dealt out to two owners. */
export function deal(splices: readonly Splice[], owners: readonly boolean[]): [Splice[], Splice[]] {
  return [splices.filter((_, i) => owners[i] ?? true), splices.filter((_, i) => !(owners[i] ?? true))];
}
