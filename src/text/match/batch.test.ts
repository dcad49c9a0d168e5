import fc from "fast-check";
import { expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import { applySplices } from "../model/splice.ts";
import { type QuoteEdit, runQuotes } from "./batch.ts";
import { locateQuote } from "./locate.ts";

/** Texts in which words recur, and edits that mostly quote what is there or what an earlier edit wrote. */
const word = fc.constantFrom("alpha ", "beta ", "gamma(x)", "\n", "\r\n", "delta", "é", "  ", "alphabet");
const text = fc.array(word, { minLength: 4, maxLength: 60 }).map((words) => words.join(""));
const asked = fc.array(
  fc.record({
    from: fc.nat(200),
    length: fc.integer({ min: 1, max: 24 }),
    words: fc.array(word, { maxLength: 4 }),
    occurrence: fc.constantFrom(undefined, undefined, undefined, 1, 0, -1, 2),
    ofRunning: fc.boolean(),
  }),
  { minLength: 1, maxLength: 30 },
);

test("a batch of edits gives the same result as the edits one by one", () => {
  let reached = 0;
  fc.assert(
    fc.property(text, asked, (before, requests) => {
      let running = before;
      const edits: QuoteEdit[] = [];
      let refused: string | undefined;
      for (const { from, length, words, occurrence, ofRunning } of requests) {
        const source = ofRunning ? running : before;
        const quote = source.slice(from % (source.length + 1)).slice(0, length);
        const target = occurrence === undefined ? { quote } : { quote, occurrence };
        const edit = { target, text: words.join("") };
        const located = locateQuote(running, edit.target, edit.text);
        // An edit that cannot be done ends a run, so only the last one may be such.
        if (!located.ok && edits.length < 20) continue;
        edits.push(edit);
        if (!located.ok) {
          refused = located.refusal.code;
          break;
        }
        running = applySplices(running, located.value.splices);
      }
      reached = Math.max(reached, edits.length);
      const run = runQuotes(before, edits);
      if (refused !== undefined) {
        expect(run).toMatchObject({ ok: false, at: edits.length - 1, refusal: { code: refused } });
        return;
      }
      if (!run.ok) throw new Error(JSON.stringify(run));
      expect(applySplices(before, run.splices)).toBe(running);
      expect(run.steps.length).toBe(edits.length);
    }),
    { numRuns: 10_000 },
  );
  expect(reached).toBeGreaterThan(10);
});

test("a line feed behind an edit counts among the places of a later edit", () => {
  const before = "\n\n  alpha deltadelta  \r\nalpha é\n  ";
  const edits: QuoteEdit[] = [
    { target: { quote: "eltadelta  \r\nalpha é" }, text: "é\n" },
    { target: { quote: "\n  ", occurrence: 0 }, text: "" },
  ];
  const run = runQuotes(before, edits);
  expect(run.ok && applySplices(before, run.splices)).toBe("\nalpha dé\r\n");
});

test("quotations that are chosen to defeat the index take bounded work", () => {
  const before = "a".repeat(100_000);
  const edits = Array.from({ length: 200 }, (_, i) => ({
    target: { quote: "a".repeat(i + 8), occurrence: 1 },
    text: "b",
  }));
  expect(measureWork(() => expect(runQuotes(before, edits).ok).toBe(true))).toBeLessThan(200);
});
