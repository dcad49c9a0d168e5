import { describe, expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import type { Change, Plan } from "../model/plan.ts";
import type { Splice } from "../model/splice.ts";
import { type FileDiff, printDiff, printPlanDiff } from "./diff.ts";

const splice = (start: number, end: number, text: string): Splice => ({ region: { start, end }, text });
const numbered = (count: number): string => Array.from({ length: count }, (_, i) => `${i + 1}\n`).join("");

/** Puts `text` for the only place where `quote` stands. */
function replaced(before: string, ...pairs: readonly (readonly [quote: string, text: string])[]): FileDiff {
  const splices = pairs.map(([quote, text]) =>
    splice(before.indexOf(quote), before.indexOf(quote) + quote.length, text),
  );
  return { path: "f.md", before, splices };
}

/** The printed diff without the three lines that name the file. */
function hunks(change: FileDiff, context?: number): string[] {
  return printDiff(change, context === undefined ? {} : { context })
    .split("\n")
    .slice(3, -1);
}

describe("hunks", () => {
  test.each<[string, FileDiff, string[]]>([
    [
      "one word",
      replaced("a\nb old c\nd\n", ["old", "new"]),
      ["@@ -1,3 +1,3 @@", " a", "-b old c", "+b new c", " d"],
    ],
    [
      "a quotation with unchanged lines prints only what differs",
      replaced("a\nb\nc\nd\n", ["a\nb\nc\nd", "a\nb\nC\nd"]),
      ["@@ -1,4 +1,4 @@", " a", " b", "-c", "+C", " d"],
    ],
    [
      "three lines of context",
      replaced(numbered(20), ["10\n", "ten\n"]),
      ["@@ -7,7 +7,7 @@", " 7", " 8", " 9", "-10", "+ten", " 11", " 12", " 13"],
    ],
    [
      "six lines between are one hunk",
      replaced(numbered(20), ["5\n", "v\n"], ["12\n", "xii\n"]),
      [
        "@@ -2,14 +2,14 @@",
        " 2",
        " 3",
        " 4",
        "-5",
        "+v",
        " 6",
        " 7",
        " 8",
        " 9",
        " 10",
        " 11",
        "-12",
        "+xii",
        " 13",
        " 14",
        " 15",
      ],
    ],
    [
      "seven lines between are two",
      replaced(numbered(20), ["4\n", ""], ["12\n", "xii\n"]),
      [
        "@@ -1,7 +1,6 @@",
        " 1",
        " 2",
        " 3",
        "-4",
        " 5",
        " 6",
        " 7",
        "@@ -9,7 +8,7 @@",
        " 9",
        " 10",
        " 11",
        "-12",
        "+xii",
        " 13",
        " 14",
        " 15",
      ],
    ],
    [
      "insertion into an empty file",
      { path: "f", before: "", splices: [splice(0, 0, "x\n")] },
      ["@@ -0,0 +1 @@", "+x"],
    ],
    [
      "everything deleted",
      { path: "f", before: "x\ny\n", splices: [splice(0, 4, "")] },
      ["@@ -1,2 +0,0 @@", "-x", "-y"],
    ],
    [
      "insertion of whole lines",
      { path: "f", before: "a\nb\n", splices: [splice(2, 2, "x\ny\n")] },
      ["@@ -1,2 +1,4 @@", " a", "+x", "+y", " b"],
    ],
    [
      "lines joined",
      { path: "f", before: "a\nb\nc\n", splices: [splice(1, 2, "")] },
      ["@@ -1,3 +1,2 @@", "-a", "-b", "+ab", " c"],
    ],
    [
      "a line split",
      { path: "f", before: "ab\nc\n", splices: [splice(1, 1, "\n")] },
      ["@@ -1,2 +1,3 @@", "-ab", "+a", "+b", " c"],
    ],
    [
      "several splices on one line",
      { path: "f", before: "a b c\n", splices: [splice(0, 1, "A"), splice(4, 5, "C")] },
      ["@@ -1 +1 @@", "-a b c", "+A b C"],
    ],
    [
      "touching insertions that make a line between them",
      { path: "f", before: "a\nb\n", splices: [splice(2, 2, "x"), splice(2, 2, "y\n")] },
      ["@@ -1,2 +1,3 @@", " a", "+xy", " b"],
    ],
    [
      "final newline added",
      { path: "f", before: "a\nb", splices: [splice(3, 3, "\n")] },
      ["@@ -1,2 +1,2 @@", " a", "-b", "\\ No newline at end of file", "+b"],
    ],
    [
      "final newline taken",
      { path: "f", before: "a\nb\n", splices: [splice(3, 4, "")] },
      ["@@ -1,2 +1,2 @@", " a", "-b", "+b", "\\ No newline at end of file"],
    ],
    [
      "no final newline on either side",
      { path: "f", before: "a\nb", splices: [splice(0, 1, "A")] },
      ["@@ -1,2 +1,2 @@", "-a", "+A", " b", "\\ No newline at end of file"],
    ],
    [
      "CR stays part of its line",
      { path: "f", before: "a\r\nb\r\n", splices: [splice(0, 1, "A")] },
      ["@@ -1,2 +1,2 @@", "-a\r", "+A\r", " b\r"],
    ],
    [
      "lines that look like headers",
      { path: "f", before: "-- a\n++ b\n", splices: [splice(0, 1, "")] },
      ["@@ -1,2 +1,2 @@", "--- a", "+- a", " ++ b"],
    ],
  ])("%s", (_, change, expected) => {
    expect(hunks(change)).toEqual(expected);
  });

  test("the number of context lines can be chosen", () => {
    expect(hunks(replaced(numbered(9), ["5\n", "v\n"]), 1)).toEqual([
      "@@ -4,3 +4,3 @@",
      " 4",
      "-5",
      "+v",
      " 6",
    ]);
    expect(hunks(replaced(numbered(9), ["5\n", "v\n"]), 0)).toEqual(["@@ -5 +5 @@", "-5", "+v"]);
    expect(hunks(replaced(numbered(9), ["5\n", ""]), 0)).toEqual(["@@ -5 +4,0 @@", "-5"]);
  });

  test("a change that changes nothing prints nothing", () => {
    expect(printDiff({ path: "f", before: "a\n", splices: [splice(0, 1, "a")] })).toBe("");
    expect(printDiff({ path: "f", before: "a\n", splices: [] })).toBe("");
  });
});

describe("headers", () => {
  test.each<[string, FileDiff, string[]]>([
    ["modified", replaced("a\n", ["a", "b"]), ["diff --git a/f.md b/f.md", "--- a/f.md", "+++ b/f.md"]],
    [
      "created",
      { path: "f", before: null, splices: [splice(0, 0, "x\n")] },
      ["diff --git a/f b/f", "new file mode 100644", "--- /dev/null", "+++ b/f"],
    ],
    [
      "created empty",
      { path: "f", before: null, splices: [] },
      ["diff --git a/f b/f", "new file mode 100644"],
    ],
    [
      "created executable",
      { path: "f", before: null, splices: [], mode: "executable" },
      ["diff --git a/f b/f", "new file mode 100755"],
    ],
    [
      "deleted",
      { path: "f", before: "x\n", after: null, splices: [] },
      ["diff --git a/f b/f", "deleted file mode 100644", "--- a/f", "+++ /dev/null"],
    ],
    [
      "deleted empty",
      { path: "f", before: "", after: null, splices: [] },
      ["diff --git a/f b/f", "deleted file mode 100644"],
    ],
    [
      "renamed",
      { path: "g", from: "f", before: "x\n", splices: [] },
      ["diff --git a/f b/g", "rename from f", "rename to g"],
    ],
    [
      "copied and changed",
      { path: "g", from: "f", copied: true, before: "x\n", splices: [splice(0, 1, "y")] },
      ["diff --git a/f b/g", "copy from f", "copy to g", "--- a/f", "+++ b/g"],
    ],
    [
      "made executable",
      { path: "f", before: "x\n", splices: [], mode: "executable" },
      ["diff --git a/f b/f", "old mode 100644", "new mode 100755"],
    ],
    [
      "a name with blanks ends in a tab",
      { ...replaced("a\n", ["a", "b"]), path: "my file" },
      ["diff --git a/my file b/my file", "--- a/my file\t", "+++ b/my file\t"],
    ],
    [
      "a name with blanks and nothing but the first line is quoted",
      { path: "my file", before: null, splices: [] },
      ['diff --git "a/my file" "b/my file"', "new file mode 100644"],
    ],
    [
      "a name that could bend a line is quoted",
      { ...replaced("a\n", ["a", "b"]), path: 'q"\\\n\x01' },
      [
        'diff --git "a/q\\"\\\\\\n\\001" "b/q\\"\\\\\\n\\001"',
        '--- "a/q\\"\\\\\\n\\001"',
        '+++ "b/q\\"\\\\\\n\\001"',
      ],
    ],
    [
      "a name in another script is left alone",
      { ...replaced("a\n", ["a", "b"]), path: "čtěte.md" },
      ["diff --git a/čtěte.md b/čtěte.md", "--- a/čtěte.md", "+++ b/čtěte.md"],
    ],
  ])("%s", (_, change, expected) => {
    const printed = printDiff(change).split("\n");
    expect(printed.slice(0, expected.length)).toEqual(expected);
    expect(printed[expected.length]).toMatch(/^(@@ .*|)$/);
  });
});

describe("printPlanDiff", () => {
  const change = (
    path: string,
    before: string | null,
    after: string | null,
    more: Partial<Change> = {},
  ): Change => ({
    path,
    before: { path, text: before, version: "" },
    splices: [],
    after,
    ...more,
  });
  const headers = (...changes: readonly Change[]): string[] => {
    const plan: Plan = { edits: [], changes, landings: [] };
    return printPlanDiff(plan)
      .split("\n")
      .filter((line) => /^(diff|new|del|rename|copy|[-+])/.test(line));
  };

  test.each<[string, Change[], string[]]>([
    [
      "a move is a rename, not a deletion too",
      [change("a", "x\n", null), change("b", null, "x\n", { from: "a" })],
      ["diff --git a/a b/b", "rename from a", "rename to b"],
    ],
    [
      "an edited move refers to the source",
      [change("b", null, "y\n", { from: "a", splices: [splice(0, 1, "y")] }), change("a", "x\n", null)],
      ["diff --git a/a b/b", "rename from a", "rename to b", "--- a/a", "+++ b/b", "-x", "+y"],
    ],
    [
      "a copy leaves its source",
      [change("b", null, "x\n", { from: "a" })],
      ["diff --git a/a b/b", "copy from a", "copy to b"],
    ],
    [
      "two copies of a file that goes are a copy and a rename",
      [
        change("a", "x\n", null),
        change("b", null, "x\n", { from: "a" }),
        change("c", null, "x\n", { from: "a" }),
      ],
      [
        "diff --git a/a b/b",
        "copy from a",
        "copy to b",
        "diff --git a/a b/c",
        "rename from a",
        "rename to c",
      ],
    ],
    [
      "an edited copy of a file not in the plan is a new file",
      [change("b", null, "y\n", { from: "a", splices: [splice(0, 1, "y")] })],
      ["diff --git a/b b/b", "new file mode 100644", "--- /dev/null", "+++ b/b", "+y"],
    ],
    [
      "files that change places are edited",
      [change("a", "x\n", "y\n", { from: "b" }), change("b", "y\n", "x\n", { from: "a" })],
      [
        "diff --git a/a b/a",
        "--- a/a",
        "+++ b/a",
        "-x",
        "+y",
        "diff --git a/b b/b",
        "--- a/b",
        "+++ b/b",
        "-y",
        "+x",
      ],
    ],
  ])("%s", (_, changes, expected) => {
    expect(headers(...changes)).toEqual(expected);
  });
});

test("work grows with the edit: a crowded line, and a far edit in a large text", () => {
  const long = `${"word ".repeat(200_000)}\n`;
  const crowd = Array.from({ length: 20_000 }, (_, i) => splice(i * 50, i * 50 + 4, "WORD"));
  const text = "some line of text\n".repeat(500_000);
  const far = [splice(8_999_990, 8_999_990, "!")];
  const work = measureWork(() => {
    expect(printDiff({ path: "f", before: long, splices: crowd }).length).toBeGreaterThan(2 * long.length);
    expect(printDiff({ path: "f", before: text, splices: far }).length).toBeLessThan(300);
  });
  expect(work).toBeLessThan(50);
});
