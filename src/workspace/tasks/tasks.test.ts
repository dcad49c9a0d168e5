import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indexLines } from "../../text/model/lines.ts";
import { planEdits } from "../../text/model/plan.ts";
import { applySplices, type Splice } from "../../text/model/splice.ts";
import type { LineRegion } from "../journal/entries.ts";
import { codeFrom, create, insert, openTestBench, quote, remove, rewrite, value } from "../testing.ts";
import {
  coveredLines,
  createFileEditTracker,
  lineHunks,
  moveLines,
  overlapLines,
  overlapsAny,
} from "./tasks.ts";

const lines = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, i) => `line ${first + i}\n`).join("");

describe("the tracker in memory", () => {
  test("an edit is recorded with path, task and lines, and a check returns exactly the overlapping ones", () => {
    const tracker = createFileEditTracker();
    tracker.recordEdit({ path: "a.md", task: "one", startLine: 1, endLine: 5 });
    tracker.recordEdit({ path: "a.md", task: "two", startLine: 10, endLine: 12 });
    tracker.recordEdit({ path: "b.md", task: "one", startLine: 1, endLine: 99 });
    expect(tracker.checkConflicts("a.md", { startLine: 5, endLine: 10 })).toEqual([
      { path: "a.md", task: "one", startLine: 1, endLine: 5 },
      { path: "a.md", task: "two", startLine: 10, endLine: 12 },
    ]);
  });

  test("one shared line is an overlap, adjacent lines are not", () => {
    const tracker = createFileEditTracker();
    tracker.recordEdit({ path: "a.md", task: "one", startLine: 10, endLine: 20 });
    const tasks = (startLine: number, endLine: number) =>
      tracker.checkConflicts("a.md", { startLine, endLine }).length;
    expect([tasks(1, 9), tasks(1, 10), tasks(15, 15), tasks(20, 30), tasks(21, 30)]).toEqual([0, 1, 1, 1, 0]);
  });

  test("another path, an untouched path and a task's own edits give no conflicts", () => {
    const tracker = createFileEditTracker();
    tracker.recordEdit({ path: "a.md", task: "one", startLine: 1, endLine: 9 });
    expect(tracker.checkConflicts("b.md", { startLine: 1, endLine: 9 })).toEqual([]);
    expect(tracker.checkConflicts("a.md", { startLine: 1, endLine: 9 }, "one")).toEqual([]);
    expect(tracker.checkConflicts("a.md", { startLine: 1, endLine: 9 }, "two")).toHaveLength(1);
  });

  test("other spellings of a path are the same path", () => {
    const tracker = createFileEditTracker();
    tracker.recordEdit({ path: "./docs//a.md", task: "one", startLine: 1, endLine: 1 });
    for (const path of ["docs/a.md", "docs/./a.md", "docs\\a.md"])
      expect(tracker.checkConflicts(path, { startLine: 1, endLine: 1 })).toHaveLength(1);
  });

  test("recorded regions move when lines above are added or removed", () => {
    const tracker = createFileEditTracker();
    tracker.recordEdit({ path: "a.md", task: "one", startLine: 10, endLine: 12 });
    tracker.recordEdit({ path: "a.md", task: "two", startLine: 1, endLine: 2, linesAfter: 7 });
    expect(tracker.checkConflicts("a.md", { startLine: 15, endLine: 15 })).toMatchObject([
      { task: "one", startLine: 15, endLine: 17 },
    ]);
    tracker.recordEdit({ path: "a.md", task: "two", startLine: 1, endLine: 7, linesAfter: 0 });
    expect(tracker.checkConflicts("a.md", { startLine: 8, endLine: 8 })).toMatchObject([
      { task: "one", startLine: 8, endLine: 10 },
    ]);
    tracker.recordEdit({ path: "a.md", task: "two", startLine: 20, endLine: 20, linesAfter: 50 });
    expect(tracker.checkConflicts("a.md", { startLine: 8, endLine: 8 })).toHaveLength(1);
  });
});

describe("lines that a splice touches", () => {
  const rows: [string, string, Splice, LineRegion, number][] = [
    ["a word", "a\nb\nc\n", at(2, 3, "x"), { startLine: 2, endLine: 2 }, 1],
    ["a whole line", "a\nb\nc\n", at(2, 4, "x\n"), { startLine: 2, endLine: 2 }, 1],
    ["a line that goes", "a\nb\nc\n", at(2, 4, ""), { startLine: 2, endLine: 2 }, 0],
    ["lines put between others", "a\nb\n", at(2, 2, "x\ny\n"), { startLine: 2, endLine: 1 }, 2],
    ["lines put at the end", "a\nb\n", at(4, 4, "x\n"), { startLine: 3, endLine: 2 }, 1],
    ["a line glued to the last one", "a\nb", at(3, 3, "\nc"), { startLine: 2, endLine: 2 }, 2],
    ["text put at the start of a line", "a\nb\n", at(2, 2, "x"), { startLine: 2, endLine: 2 }, 1],
    ["a line end that goes", "a\nb\nc\n", at(1, 2, ""), { startLine: 1, endLine: 2 }, 1],
    [
      "a line that swallows the next one's start",
      "a\nb\nc\n",
      at(0, 2, "x"),
      { startLine: 1, endLine: 2 },
      1,
    ],
    ["into an empty text", "", at(0, 0, "x\n"), { startLine: 1, endLine: 0 }, 1],
  ];
  test.each(rows)("%s", (_name, text, splice, touched, after) => {
    expect(lineHunks(text, [splice])).toEqual([{ ...touched, after }]);
  });

  test("law: a line that no splice touches is found where it has moved to", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 3 }), { minLength: 1, maxLength: 12 }),
        someSplices(),
        (texts, cuts) => {
          const before = texts
            .map((text, i) => `${i}:${text.replaceAll("\n", "").replaceAll("\r", "")}\n`)
            .join("");
          const splices = cuts(before);
          const after = applySplices(before, splices);
          const hunks = lineHunks(before, splices);
          const [old, fresh] = [indexLines(before), indexLines(after)];
          for (let line = 1; line <= old.starts.length; line++) {
            const region = { startLine: line, endLine: line };
            if (hunks.some((hunk) => overlapLines(hunk, region))) continue;
            const moved = moveLines(region, hunks);
            expect(lineText(after, fresh.starts, moved.startLine)).toBe(lineText(before, old.starts, line));
          }
        },
      ),
    );
  });

  test("law: a test of many lines at once gives the same overlaps as tests one by one", () => {
    const region = fc
      .tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: -1, max: 5 }))
      .map(([startLine, height]) => ({ startLine, endLine: startLine + height }));
    fc.assert(
      fc.property(fc.array(region, { maxLength: 10 }), region, (regions, asked) => {
        expect(overlapsAny(regions)(asked)).toBe(regions.some((one) => overlapLines(one, asked)));
      }),
    );
  });

  function at(start: number, end: number, text: string): Splice {
    return { region: { start, end }, text };
  }

  function someSplices() {
    return fc
      .array(fc.tuple(fc.nat(100), fc.nat(8), fc.constantFrom("", "x", "\n", "x\n", "x\ny\n", "\nx")), {
        maxLength: 4,
      })
      .map((cuts) => (text: string): Splice[] => {
        const splices: Splice[] = [];
        for (const [gap, length, inserted] of cuts) {
          const start = (splices.at(-1)?.region.end ?? -1) + 1 + (gap % 10);
          if (start > text.length) break;
          splices.push({ region: { start, end: Math.min(text.length, start + length) }, text: inserted });
        }
        return splices;
      });
  }

  function lineText(text: string, starts: readonly number[], line: number): string {
    return text.slice(starts[line - 1], starts[line] ?? text.length);
  }
});

describe("tasks in a workspace", () => {
  test("three tasks edit one file and every change stays", async () => {
    const bench = await openTestBench();
    value(await bench.commit([create("a.md", lines(1, 100))], { task: "A" }));
    value(await bench.commit([quote("a.md", lines(45, 60), "B was here\n")], { task: "B" }));
    value(await bench.commit([quote("a.md", lines(80, 81), "C was here\n")], { task: "C" }));
    expect(bench.text("a.md")).toBe(
      `${lines(1, 44)}B was here\n${lines(61, 79)}C was here\n${lines(82, 100)}`,
    );
  });

  test("editing the lines of another task is a conflict that shows both edits; force writes them", async () => {
    const bench = await openTestBench({ "a.md": lines(1, 20) });
    value(
      await bench.commit([quote("a.md", "line 10\n", "ten\nten and a half\n")], {
        task: "A",
        reason: "ten is better",
      }),
    );
    const other = await bench.another();
    const refused = await other.commit([quote("a.md", "ten and a half", "10.5")], { task: "B" });
    expect(refused).toMatchObject({
      ok: false,
      refusal: {
        code: "conflict",
        path: "a.md",
        with: [
          {
            task: "A",
            entry: "1",
            reason: "ten is better",
            startLine: 10,
            endLine: 11,
            before: "line 10\n",
            after: "ten\nten and a half\n",
          },
        ],
      },
    });
    expect(bench.text("a.md")).toContain("ten and a half");
    value(await other.commit([quote("a.md", "ten and a half", "10.5")], { task: "B", force: true }));
    expect(bench.text("a.md")).toContain("10.5");
  });

  test("adjacent lines and a task's own lines are free, and recorded lines move with the text", async () => {
    const bench = await openTestBench({ "a.md": lines(1, 20) });
    value(await bench.commit([quote("a.md", "line 10\n", "ten\n")], { task: "A" }));
    value(await bench.commit([quote("a.md", "line 11\n", "eleven\n")], { task: "B" }));
    value(await bench.commit([insert("a.md", 0, "zero\nzero")], { task: "B" }));
    expect(
      value(await bench.workspace.findConflicts("a.md", [{ startLine: 12, endLine: 12 }], { task: "C" })),
    ).toMatchObject([{ task: "A", startLine: 12 }]);
    expect(
      value(await bench.workspace.findConflicts("./a.md", [{ startLine: 13, endLine: 13 }], { task: "B" })),
    ).toEqual([]);
    value(await bench.commit([quote("a.md", "ten\n", "TEN\n")], { task: "A" }));
    expect(codeFrom(await bench.commit([quote("a.md", "TEN\n", "10\n")], { task: "B" }))).toBe("conflict");
  });

  test("recorded lines move over outside changes too", async () => {
    const bench = await openTestBench({ "a.md": lines(1, 20) });
    value(await bench.commit([quote("a.md", "line 10\n", "ten\n")], { task: "A" }));
    bench.disk.put("a.md", `new first line\n${bench.text("a.md")}`);
    expect(codeFrom(await bench.commit([quote("a.md", "ten", "10")], { task: "B" }))).toBe("conflict");
    expect(codeFrom(await bench.commit([quote("a.md", "line 9\n", "nine\n")], { task: "B" }))).toBe("ok");
  });

  test("only tasks of the same run conflict; an undone entry marks no lines", async () => {
    const bench = await openTestBench({ "a.md": lines(1, 20) });
    value(await bench.commit([quote("a.md", "line 10", "ten")], { task: "A", run: "one" }));
    value(await bench.commit([quote("a.md", "ten", "zehn")], { task: "B", run: "two" }));
    expect(codeFrom(await bench.commit([quote("a.md", "zehn", "dix")], { task: "C", run: "two" }))).toBe(
      "conflict",
    );
    value(await bench.workspace.undo({ last: true }, { author: "me" }));
    value(await bench.commit([quote("a.md", "ten", "dix")], { task: "C", run: "two" }));
  });

  test("rewriting or deleting lines that another task edited is a conflict", async () => {
    const bench = await openTestBench({ "a.md": lines(1, 5) });
    value(await bench.commit([quote("a.md", "line 3", "three")], { task: "A" }));
    expect(codeFrom(await bench.commit([rewrite("a.md", lines(1, 5))], { task: "B" }))).toBe("conflict");
    expect(codeFrom(await bench.commit([remove("a.md")], { task: "B" }))).toBe("conflict");
    expect(
      codeFrom(
        await bench.commit([rewrite("a.md", bench.text("a.md")!.replace("line 5", "five"))], { task: "B" }),
      ),
    ).toBe("ok");
  });

  test("an edit based on an old version works if its lines are intact, else the refusal names the author of the change", async () => {
    const bench = await openTestBench({ "a.md": lines(1, 9) });
    const base = value(await bench.workspace.read("a.md")).version;
    value(await bench.commit([quote("a.md", "line 2", "two")], { task: "A", reason: "shorter" }));
    value(await bench.commit([quote("a.md", "line 8", "eight")], { task: "B", base: { "a.md": base } }));
    const refused = await bench.commit([quote("a.md", "two\n", "2\n")], {
      task: "A",
      base: { "a.md": base },
    });
    expect(refused).toMatchObject({
      ok: false,
      refusal: { code: "conflict", with: [{ task: "A", reason: "shorter" }, { task: "B" }] },
    });
    expect(
      codeFrom(await bench.commit([quote("a.md", "two\n", "2\n")], { base: { "a.md": "never seen" } })),
    ).toBe("stale");
  });

  test("an edit based on an older text is compared with a change made outside, if that text is known", async () => {
    const bench = await openTestBench({ "a.md": lines(1, 9) });
    value(await bench.commit([quote("a.md", "line 2", "two")]));
    const base = value(await bench.workspace.read("a.md")).version;
    bench.disk.put("a.md", bench.text("a.md")!.replace("line 5", "five"));
    value(await bench.commit([quote("a.md", "line 8", "eight")], { base: { "a.md": base } }));
    expect(codeFrom(await bench.commit([quote("a.md", "five", "5")], { base: { "a.md": base } }))).toBe(
      "stale",
    );
  });

  test("a plan made before other commits is rebased over them, if it touches none of their lines", async () => {
    const bench = await openTestBench({ "a.md": lines(1, 9) });
    const snapshot = value(await bench.workspace.read("a.md"));
    value(await bench.commit([insert("a.md", 0, "zero")], { task: "A" }));
    value(await bench.commit([quote("a.md", "line 9", "nine")], { task: "A" }));
    const plan = value(planEdits([quote("a.md", "line 5", "five")], [snapshot]));
    const done = value(await bench.workspace.commit(plan, { author: "me", task: "B" }));
    expect(bench.text("a.md")).toBe(`zero\n${lines(1, 4)}five\n${lines(6, 8)}nine\n`);
    expect(done.files[0]?.lines).toEqual([
      { before: { startLine: 6, endLine: 6 }, after: { startLine: 6, endLine: 6 } },
    ]);
    const late = value(planEdits([quote("a.md", "line 9", "ten")], [snapshot]));
    expect(await bench.workspace.commit(late, { author: "me", task: "A" })).toMatchObject({
      ok: false,
      refusal: { code: "conflict", versions: { theirs: bench.text("a.md") } },
    });
  });

  test("covered lines of a region, and of a point", () => {
    const text = indexLines("a\nb\n");
    expect(coveredLines(text, { start: 0, end: 4 })).toEqual({ startLine: 1, endLine: 2 });
    expect(coveredLines(text, { start: 2, end: 2 })).toEqual({ startLine: 2, endLine: 1 });
    expect(coveredLines(text, { start: 3, end: 3 })).toEqual({ startLine: 2, endLine: 2 });
  });
});
