import fc from "fast-check";
import { expect, test } from "vitest";
import { measureWork } from "../../test/work.ts";
import { planEdits } from "../text/model/plan.ts";
import { applySplices, type Splice } from "../text/model/splice.ts";
import { PageQuotes, quoteEdits } from "./quote-edits.ts";

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
    "a heading and the link above it that follows it are two edits",
    "See [x](#old).\n\n## old\n",
    [
      { region: { start: 19, end: 22 }, text: "new" },
      { region: { start: 9, end: 12 }, text: "new" },
    ],
    [
      { old_string: "See [x](#old).", new_string: "See [x](#new)." },
      { old_string: "## old", new_string: "## new" },
    ],
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
      fc.constantFrom(1, 1, 1, 9),
      (lines, cuts, ending, times) => {
        const text = Array.from({ length: times }, () => lines)
          .flat()
          .join(ending);
        const points = [...new Set(cuts.map((cut) => cut % (text.length + 1)))]
          .filter((at) => text[at - 1] !== "\r")
          .sort((a, b) => a - b);
        const splices: Splice[] = [];
        for (let i = 0; i + 1 < points.length; i += 2)
          splices.push({ region: { start: points[i]!, end: points[i + 1]! }, text: `<${i}>` });
        const quoted = quoteEdits(text, splices);
        // Matches that overlap have no number that tells them apart, so there is no edit.
        if (quoted.length === 0) return times > 1 || splices.length === 0;
        const edits = quoted.map(({ old_string, new_string, occurrence }) => ({
          path: "f",
          target: { quote: old_string, ...(occurrence === undefined ? {} : { occurrence }) },
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

/** Pages of n parts in which every part says `old`. */
const pages: [string, (count: number) => string][] = [
  ["equal lines", (count) => "Call old now.\n".repeat(count)],
  ["equal paragraphs", (count) => "Call old now.\n\n".repeat(count)],
  ["equal rows of a table", (count) => `| a |\n| - |\n${"| old |\n".repeat(count)}`],
  ["equal items", (count) => "- old\n".repeat(count)],
  ["equal lines that end in CRLF", (count) => "Call old now.\r\n".repeat(count)],
  ["equal lines of old systems", (count) => "Call old now.\r".repeat(count)],
  ["two lines in turn", (count) => "a old\nb old\n".repeat(count / 2)],
  ["seven lines in turn", (count) => "a\nb\nc\n\nd\ne\nf old\n".repeat(count)],
  ["long equal lines", (count) => `old ${"a ".repeat(100)}\n`.repeat(count)],
  ["lines that stand twice", (count) => line(count / 2).repeat(2)],
  [
    "lines that begin another line",
    (count) => `${"a".repeat(40)} old\n${"a".repeat(41)} old\n`.repeat(count / 2),
  ],
  ["distinct lines", (count) => line(count)],
  ["mentions in one line", (count) => "old ".repeat(count)],
];
const line = (count: number): string => Array.from({ length: count }, (_, at) => `${at} is old.\n`).join("");

test.each(pages)("quotations of thousands of %s take little work and name their places", (_, write) => {
  const text = write(4000);
  const places = Array.from(text.matchAll(/old/g), ({ index }) => ({ start: index, end: index + 3 }));
  const page = new PageQuotes(text);
  const edits = places.map((region) => () => page.edits([{ region, text: "new" }]));
  expect(measureWork(() => edits.map((edit) => edit()))).toBeLessThan(300);
  for (const at of [0, 1, 40, 2000, 3999]) {
    const [edit] = edits[at]!();
    const target = { quote: edit!.old_string, ...(edit!.occurrence ? { occurrence: edit!.occurrence } : {}) };
    const wanted = { path: "f", target, text: edit!.new_string, reason: "", evidence: [] };
    const plan = planEdits([wanted], [{ path: "f", text, version: "" }]);
    const expected = applySplices(text, [{ region: places[at]!, text: "new" }]);
    expect(plan.ok && plan.value.changes[0]?.after).toBe(expected);
  }
});

test("a page whose budget of search is used up gets no more edits", () => {
  const text = line(100);
  const page = new PageQuotes(text, 3 * text.length);
  const edits = Array.from(text.matchAll(/old/g), ({ index }) =>
    page.edits([{ region: { start: index, end: index + 3 }, text: "new" }]),
  );
  expect(edits.map((list) => list.length)).toEqual(expect.arrayContaining([0, 1]));
  expect(edits.at(-1)).toEqual([]);
});
