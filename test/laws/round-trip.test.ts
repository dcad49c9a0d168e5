import fc from "fast-check";
import { expect, test } from "vitest";
import { type FileDiff, printDiff } from "../../src/text/diff/diff.ts";
import { planEdits } from "../../src/text/model/plan.ts";
import { applySplices } from "../../src/text/model/splice.ts";
import { parseUnified } from "../../src/text/patch/unified.ts";
import { documents, RUNS, revisions } from "./generators.ts";

/** What our own parser and placer make of the printed diff; null where the file is gone. */
function applied(diff: FileDiff): unknown {
  const edits = parseUnified(printDiff(diff));
  if (!edits.ok) return edits.refusal;
  const plan = planEdits(edits.value, [{ path: diff.path, text: diff.before, version: "1" }]);
  if (!plan.ok) return plan.refusal;
  return plan.value.changes[0]!.after;
}

/** In a text with CRs and no LF they end lines for us, while git and so the printed diff take it for one line. */
function isOneLineToGit(text: string): boolean {
  return text.includes("\r") && !text.includes("\n");
}

test("a printed diff, parsed and placed again, gives the after", () => {
  fc.assert(
    fc.property(revisions, ({ text, splices }) => {
      const after = applySplices(text, splices);
      if (after !== text && !isOneLineToGit(text))
        expect(applied({ path: "f", before: text, splices })).toBe(after);
    }),
    { numRuns: RUNS },
  );
});

test("printed creations and deletions are read back", () => {
  fc.assert(
    fc.property(documents, (text) => {
      const whole = { region: { start: 0, end: 0 }, text };
      expect(applied({ path: "dir/new file", before: null, splices: [whole] })).toBe(text);
      if (isOneLineToGit(text)) return;
      expect(applied({ path: "dir/old file", before: text, after: null, splices: [] })).toBe(null);
    }),
    { numRuns: RUNS },
  );
});
