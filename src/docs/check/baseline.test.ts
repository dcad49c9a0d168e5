import { expect, test } from "vitest";
import { applyBaseline, baselineOf, parseBaseline, printBaseline } from "./baseline.ts";
import type { CheckReport, ReportedFinding } from "./report.ts";

const finding = (id: string): ReportedFinding => ({
  id,
  path: "README.md",
  startLine: 3,
  endLine: 3,
  tier: "certain",
  kind: "rename",
  message: "`a` is now `b`.",
  evidence: [],
  edits: [],
});
const report = (...ids: string[]): CheckReport => ({
  base: "a",
  head: "b",
  findings: ids.map(finding),
  unknown: [{ path: "x.md", why: "it is not text" }],
});

test("a baseline accepts its own findings and leaves new ones", () => {
  const parsed = parseBaseline(printBaseline(baselineOf(report("rename-1", "rename-2"))), "b.json");
  if (!parsed.ok) throw new Error("no baseline");
  expect(applyBaseline(report("rename-1", "rename-3"), parsed.value)).toEqual({
    report: report("rename-3"),
    accepted: 1,
  });
});

test("of equal lines, a baseline accepts as many as there were", () => {
  const baseline = baselineOf(report("rename-1", "rename-1"));
  expect(applyBaseline(report("rename-1"), baseline).accepted).toBe(1);
  expect(applyBaseline(report("rename-1", "rename-1", "rename-1"), baseline)).toEqual({
    report: report("rename-1"),
    accepted: 2,
  });
});

test("a baseline says nothing about documents that could not be judged", () => {
  expect(applyBaseline(report(), baselineOf(report())).report.unknown).toHaveLength(1);
});

test.each(["", "{", "[]", "null", '{"version":2,"findings":[]}', '{"version":1,"findings":[3]}'])(
  "%j is no baseline, and the refusal says how to make one",
  (text) => {
    expect(parseBaseline(text, "b.json")).toMatchObject({
      ok: false,
      refusal: { code: "malformed", hint: "Make one with: suture check --write-baseline b.json" },
    });
  },
);
