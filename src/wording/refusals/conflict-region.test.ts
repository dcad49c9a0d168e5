import { expect, test } from "vitest";
import { conflictRegion } from "./conflict-region.ts";

test("short versions are shown whole", () => {
  const versions = { ours: "a\nb\n", theirs: "a\nc\n" };
  expect(conflictRegion(versions)).toEqual(versions);
});

test("one line of a long page is shown with the lines around it", () => {
  const page = (middle: string): string =>
    Array.from({ length: 5000 }, (_, i) => (i === 2000 ? middle : `line ${i}`)).join("\n");
  const { ours, theirs } = conflictRegion({ ours: page("counter 0"), theirs: page("counter 2") });
  expect(theirs).toBe(
    [
      "(1997 equal lines above)",
      ...["line 1997", "line 1998", "line 1999", "counter 2", "line 2001", "line 2002", "line 2003"],
      "(2996 equal lines below)",
    ].join("\n"),
  );
  expect(ours?.split("\n")).toHaveLength(9);
});

test("two texts without a common line, a missing file and one endless line are cut", () => {
  const many = (word: string): string => Array.from({ length: 5000 }, (_, i) => `${word} ${i}`).join("\n");
  expect(
    conflictRegion({ ours: many("a"), theirs: many("b") })
      .ours?.split("\n")
      .at(-1),
  ).toBe("(4940 more lines)");
  expect(conflictRegion({ ours: null, theirs: many("b") }).ours).toBeNull();
  expect(conflictRegion({ ours: "x".repeat(5_000_000), theirs: "y" }).ours?.length).toBeLessThan(600);
});
