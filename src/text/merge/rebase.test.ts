import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RUNS, rivals } from "../../../test/laws/generators.ts";
import { overlap } from "../model/region.ts";
import { applySplices, type Splice } from "../model/splice.ts";
import { interleaveSplices } from "./merge-splices.ts";
import { rebase, rebaseOver } from "./rebase.ts";

const splice = (start: number, end: number, text: string): Splice => ({ region: { start, end }, text });

describe("rebase", () => {
  test.each<[string, Splice, Splice, Splice[]]>([
    ["before the other change it stays", splice(0, 2, "x"), splice(4, 5, "long"), [splice(0, 2, "x")]],
    ["after the other change it moves", splice(6, 7, "x"), splice(0, 2, ""), [splice(4, 5, "x")]],
    ["touching from the left", splice(2, 4, "x"), splice(4, 6, "yyy"), [splice(2, 4, "x")]],
    ["touching from the right", splice(4, 6, "x"), splice(2, 4, "yyy"), [splice(5, 7, "x")]],
    [
      "inserted at the start of what the other replaced",
      splice(2, 2, "x"),
      splice(2, 4, "yyy"),
      [splice(2, 2, "x")],
    ],
    [
      "inserted at the end of what the other replaced",
      splice(4, 4, "x"),
      splice(2, 4, "yyy"),
      [splice(5, 5, "x")],
    ],
    ["the other inserted at our start", splice(2, 4, "x"), splice(2, 2, "yyy"), [splice(5, 7, "x")]],
    ["the other inserted at our end", splice(2, 4, "x"), splice(4, 4, "yyy"), [splice(2, 4, "x")]],
    ["the same change is made once", splice(2, 4, "x"), splice(2, 4, "x"), []],
    ["the same insertion is made once", splice(2, 2, "x"), splice(2, 2, "x"), []],
    ["an empty insertion does not clash", splice(2, 2, "x"), splice(2, 2, ""), [splice(2, 2, "x")]],
  ])("%s", (_, mine, theirs, carried) => {
    expect(rebase([mine], [theirs])).toEqual({ ok: true, splices: carried });
  });

  test.each<[string, Splice, Splice]>([
    ["one shared character", splice(0, 3, "x"), splice(2, 5, "y")],
    ["one inside the other", splice(0, 9, "x"), splice(3, 4, "y")],
    ["insertion inside a replaced region", splice(3, 3, "x"), splice(2, 4, "y")],
    ["different insertions at one point", splice(3, 3, "x"), splice(3, 3, "y")],
    ["the same region with different text", splice(3, 5, "x"), splice(3, 5, "y")],
  ])("clash: %s", (_, mine, theirs) => {
    expect(rebase([mine], [theirs])).toEqual({ ok: false, conflicts: [{ mine, theirs }] });
  });

  test("insertions of one side at one point count as one", () => {
    const twice = [splice(2, 2, "a"), splice(2, 2, "b")];
    expect(rebase(twice, [splice(2, 2, "ab")])).toEqual({ ok: true, splices: [] });
    expect(rebase(twice, [splice(2, 2, "a")]).ok).toBe(false);
  });

  test("every clash is named, in linear time", () => {
    const many = Array.from({ length: 50_000 }, (_, i) => splice(10 * i, 10 * i + 5, "x"));
    const shifted = many.map(({ region }) => splice(region.start + 5, region.end + 5, "y"));
    expect(rebase(many, shifted).ok).toBe(true);
    const across = rebase(many, [splice(0, 500_000, "")]);
    expect(across.ok ? 0 : across.conflicts.length).toBe(50_000);
  });
});

test("rebase of changes that do not clash converges from both sides, and is the merge", () => {
  let clean = 0;
  fc.assert(
    fc.property(rivals, ({ text, ours, theirs }) => {
      const carriedOver = rebase(ours, theirs);
      const carriedUnder = rebase(theirs, ours);
      const { merged, clashes } = interleaveSplices(ours, theirs);
      expect(carriedUnder.ok).toBe(carriedOver.ok);
      expect(clashes.length === 0).toBe(carriedOver.ok);
      if (!carriedOver.ok || !carriedUnder.ok) return;
      const result = applySplices(applySplices(text, theirs), carriedOver.splices);
      expect(applySplices(applySplices(text, ours), carriedUnder.splices)).toBe(result);
      const splices = merged.map((each) => each.splice);
      expect(applySplices(text, splices)).toBe(result);
      if (ours.length > 0 && theirs.length > 0) clean++;
    }),
    { numRuns: 2 * RUNS },
  );
  expect(clean).toBeGreaterThan(RUNS / 10);
});

test("changes clash exactly when regions overlap or both insert at one point, unless they are equal", () => {
  fc.assert(
    fc.property(rivals, ({ ours, theirs }) => {
      const [mine] = ours;
      const [other] = theirs;
      if (!mine || !other) return;
      const isInsertion = ({ region }: Splice) => region.start === region.end;
      const empty = [mine, other].some((each) => isInsertion(each) && each.text === "");
      const equal = JSON.stringify(mine) === JSON.stringify(other);
      const samePoint = isInsertion(mine) && isInsertion(other) && mine.region.start === other.region.start;
      const clashes = !equal && !empty && (overlap(mine.region, other.region) || samePoint);
      expect(rebase([mine], [other]).ok).toBe(!clashes);
    }),
    { numRuns: RUNS },
  );
});

describe("rebasing over a change that clashes", () => {
  const base = "0123456789";
  const after = (splices: readonly Splice[], over: readonly Splice[]): string =>
    applySplices(applySplices(base, over), rebaseOver(base, splices, over));

  test.each<[string, Splice[], Splice[], string]>([
    ["the same region", [splice(2, 4, "ours")], [splice(2, 4, "theirs")], "01ours456789"],
    ["a region inside theirs", [splice(3, 4, "X")], [splice(2, 6, "theirs")], "012X456789"],
    ["a region around theirs", [splice(2, 6, "ours")], [splice(3, 4, "theirs")], "01ours6789"],
    ["both insert at one point", [splice(2, 2, "ours")], [splice(2, 2, "theirs")], "01ours23456789"],
    [
      "theirs lies in two of ours",
      [splice(2, 4, "A"), splice(5, 7, "B")],
      [splice(3, 6, "theirs")],
      "01A4B789",
    ],
    [
      "elsewhere nothing is lost",
      [splice(2, 4, "ours"), splice(8, 9, "Z")],
      [splice(0, 0, "++"), splice(2, 4, "theirs"), splice(6, 7, "--")],
      "++01ours45--7Z9",
    ],
  ])("%s", (_, mine, theirs, text) => {
    expect(after(mine, theirs)).toBe(text);
  });

  test("where nothing clashes it is what rebase does", () => {
    fc.assert(
      fc.property(rivals, ({ text, ours: mine, theirs }) => {
        const carried = rebase(mine, theirs);
        if (!carried.ok || interleaveSplices(mine, theirs).merged.some(({ by }) => by === "both")) return;
        const forced = rebaseOver(text, mine, theirs);
        const now = applySplices(text, theirs);
        expect(applySplices(now, forced)).toBe(applySplices(now, carried.splices));
      }),
      { numRuns: RUNS },
    );
  });
});
