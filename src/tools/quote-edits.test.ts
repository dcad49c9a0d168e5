import fc from "fast-check";
import { expect, test } from "vitest";
import { planEdits } from "../text/model/plan.ts";
import { applySplices, type Splice } from "../text/model/splice.ts";
import { quoteEdits } from "./quote-edits.ts";

const rows: [string, string, Splice[], { old_string: string; new_string: string }[]][] = [
  [
    "one word of a line that stands once",
    "a\nb c\nd\n",
    [{ region: { start: 4, end: 5 }, text: "X" }],
    [{ old_string: "b c", new_string: "b X" }],
  ],
  [
    "a line that stands twice takes the one above",
    "a\nx\nb\nx\n",
    [{ region: { start: 6, end: 7 }, text: "y" }],
    [{ old_string: "b\nx", new_string: "b\ny" }],
  ],
  [
    "a removed row takes the line that follows",
    "a\nb\nc\n",
    [{ region: { start: 2, end: 4 }, text: "" }],
    [{ old_string: "b\nc", new_string: "c" }],
  ],
  [
    "two words of one line are one edit",
    "p q r\n",
    [
      { region: { start: 0, end: 1 }, text: "P" },
      { region: { start: 4, end: 5 }, text: "R" },
    ],
    [{ old_string: "p q r", new_string: "P q R" }],
  ],
  [
    "endings stay out of the quotation",
    "a\r\nb\r\n",
    [{ region: { start: 3, end: 4 }, text: "c" }],
    [{ old_string: "b", new_string: "c" }],
  ],
];
test.each(rows)("%s", (_, text, splices, expected) => {
  expect(quoteEdits(text, splices).map(({ old_string, new_string }) => ({ old_string, new_string }))).toEqual(
    expected,
  );
});

test("applied in order, the quotations give what the splices give", () => {
  const line = fc.constantFrom("a", "b", "", "a b", "| x | y |", "# h");
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 14 }),
      fc.array(fc.nat(), { maxLength: 6 }),
      fc.constantFrom("\n", "\r\n"),
      (lines, cuts, ending) => {
        const text = lines.join(ending);
        const points = [...new Set(cuts.map((cut) => cut % (text.length + 1)))]
          .filter((at) => text[at - 1] !== "\r")
          .sort((a, b) => a - b);
        const splices: Splice[] = [];
        for (let i = 0; i + 1 < points.length; i += 2)
          splices.push({ region: { start: points[i]!, end: points[i + 1]! }, text: `<${i}>` });
        const edits = quoteEdits(text, splices).map(({ old_string, new_string }) => ({
          path: "f",
          target: { quote: old_string },
          text: new_string,
          reason: "",
          evidence: [],
        }));
        const plan = planEdits(edits, [{ path: "f", text, version: "" }]);
        // An inserted text may repeat a later quotation; then the plan refuses, and never does something else.
        if (!plan.ok)
          return (
            plan.refusal.code === "ambiguous" ||
            plan.refusal.code === "malformed" ||
            plan.refusal.code === "not-found"
          );
        expect(plan.value.changes[0]?.after ?? text).toBe(applySplices(text, splices));
        return true;
      },
    ),
    { numRuns: 10_000 },
  );
});
