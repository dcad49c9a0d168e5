import { expect, test } from "vitest";
import { lostTargets, printTargets, readTargets, type Target } from "../../bench/report.ts";

const target = (name: string, actual: number, unit = "×"): Target => ({ name, limit: 2, actual, unit });

test("targets are read back as they were printed", () => {
  const targets = [
    target("1,000 edits in a batch, to GNU patch", 4.5),
    target("peak memory", 1.25, "× the file"),
  ];
  expect(readTargets(`before\n\n${printTargets(targets)}\nafter`)).toEqual(targets);
});

test("a ratio that was met is lost where it is more than a fifth over its limit", () => {
  const before = [target("a", 1), target("b", 1), target("c", 1)];
  expect(lostTargets(before, [target("a", 2.3), target("b", 2.5), target("c", 0.5)])).toEqual([
    "b: 2.50 ×, asked ≤ 2, once 1.00",
  ]);
});

test("a target that was missed before, or that is no ratio, cannot be lost", () => {
  const before = [target("missed", 3), target("wall time", 1, "ms")];
  expect(lostTargets(before, [target("missed", 9), target("wall time", 9, "ms")])).toEqual([]);
});

test("a target that is no longer measured is lost", () => {
  expect(lostTargets([target("a", 1)], [])).toEqual(["a: not measured"]);
});
