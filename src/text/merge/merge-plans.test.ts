import { describe, expect, test } from "vitest";
import type { Change, Plan } from "../model/plan.ts";
import { applySplices, type Splice } from "../model/splice.ts";
import { mergePlans, type PlanConflict } from "./merge-plans.ts";

const splice = (start: number, end: number, text: string): Splice => ({ region: { start, end }, text });

function edit(path: string, text: string | null, splices: Splice[], more: Partial<Change> = {}): Change {
  return {
    path,
    before: { path, text, version: "1" },
    splices,
    after: applySplices(text ?? "", splices),
    ...more,
  };
}

function planOf(...changes: Change[]): Plan {
  const edits = changes.map(({ path }) => ({
    path,
    target: { line: 0 },
    text: "",
    reason: path,
    evidence: [],
  }));
  const landings = changes.map(({ path, splices }, i) => ({
    edit: i,
    path,
    fit: "exact" as const,
    before: splices.map(({ region }) => region),
    after: splices.map(({ region, text }) => ({ start: region.start, end: region.start + text.length })),
    remaining: 0,
    notes: [],
  }));
  return { edits, changes, landings };
}

describe("mergePlans", () => {
  test("plans for different files stand side by side", () => {
    const merged = mergePlans(
      planOf(edit("a", "x", [splice(0, 1, "y")])),
      planOf(edit("b", "x", [splice(0, 1, "z")])),
    );
    expect(merged.ok && merged.plan.changes.map(({ path, after }) => [path, after])).toEqual([
      ["a", "y"],
      ["b", "z"],
    ]);
    expect(merged.ok && merged.plan.landings.map(({ edit, path }) => [edit, path])).toEqual([
      [0, "a"],
      [1, "b"],
    ]);
    expect(merged.ok && merged.plan.edits.map(({ reason }) => reason)).toEqual(["a", "b"]);
  });

  test("disjoint changes of one file both land, and each edit knows where", () => {
    const ours = planOf(edit("a", "one two three", [splice(8, 13, "3")]));
    const theirs = planOf(edit("a", "one two three", [splice(0, 3, "first")]));
    const merged = mergePlans(ours, theirs);
    expect(merged.ok && merged.plan.changes.map(({ after }) => after)).toEqual(["first two 3"]);
    expect(merged.ok && merged.plan.landings.map(({ after }) => after)).toEqual([
      [{ start: 10, end: 11 }],
      [{ start: 0, end: 5 }],
    ]);
  });

  test("equal changes of any kind are made once", () => {
    for (const change of [
      edit("a", "x", [splice(0, 1, "y")]),
      edit("a", null, [splice(0, 0, "new")]),
      edit("a", "x", [], { after: null }),
      edit("a", null, [], { after: "x", from: "b" }),
    ]) {
      const merged = mergePlans(planOf(change), planOf(change));
      expect(merged.ok && merged.plan.changes).toEqual([change]);
    }
  });

  test("a permission on one side joins the text of the other", () => {
    const merged = mergePlans(
      planOf(edit("a", "x", [], { mode: "executable" })),
      planOf(edit("a", "x", [splice(0, 1, "y")])),
    );
    expect(merged.ok && merged.plan.changes).toEqual([
      edit("a", "x", [splice(0, 1, "y")], { mode: "executable" }),
    ]);
  });

  test.each<[PlanConflict["why"], string, Change, Change]>([
    [
      "overlap",
      "two wordings of one place",
      edit("a", "x", [splice(0, 1, "y")]),
      edit("a", "x", [splice(0, 1, "z")]),
    ],
    [
      "existence",
      "deleted and edited",
      edit("a", "x", [], { after: null }),
      edit("a", "x", [splice(0, 1, "z")]),
    ],
    [
      "existence",
      "created twice",
      edit("a", null, [splice(0, 0, "y")]),
      edit("a", null, [splice(0, 0, "z")]),
    ],
    [
      "origin",
      "moved there and created there",
      edit("a", null, [], { after: "x", from: "b" }),
      edit("a", null, [splice(0, 0, "z")]),
    ],
    [
      "mode",
      "two permissions",
      edit("a", "x", [], { mode: "regular" }),
      edit("a", "x", [], { mode: "executable" }),
    ],
    [
      "version",
      "two readings of the file",
      edit("a", "x", [splice(0, 1, "y")]),
      edit("a", "w", [splice(0, 0, "z")]),
    ],
  ])("%s conflict: %s", (why, _, mine, theirs) => {
    const merged = mergePlans(planOf(mine), planOf(theirs));
    expect(merged.ok ? [] : merged.conflicts.map((conflict) => [conflict.path, conflict.why])).toEqual([
      ["a", why],
    ]);
  });
});
