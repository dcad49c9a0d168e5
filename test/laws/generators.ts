import fc from "fast-check";
import type { Splice } from "../../src/text/splice.ts";

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
    fc.array(fc.oneof(fc.constantFrom(...LINES), fc.nat(30).map(String)), { maxLength: 24 }),
    fc.boolean(),
  )
  .map(([lines, ended]) => lines.join("\n") + (ended && lines.length > 0 ? "\n" : ""));

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

/** A document of lines and splices of it that take and give whole or broken lines. */
export const revisions: fc.Arbitrary<Case> = fc
  .tuple(documents, fc.array(fc.tuple(fc.nat(20), fc.nat(12), documents), { maxLength: 4 }))
  .map(([text, drawn]) => ({ text, splices: splicesOf(text, drawn) }));

/** A splice list dealt out to two owners. */
export function deal(splices: readonly Splice[], owners: readonly boolean[]): [Splice[], Splice[]] {
  return [splices.filter((_, i) => owners[i] ?? true), splices.filter((_, i) => !(owners[i] ?? true))];
}
