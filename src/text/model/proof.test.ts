import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changes, RUNS } from "../../../test/laws/generators.ts";
import { checkProof, type Proof, prove } from "./proof.ts";
import { applySplices, type Splice } from "./splice.ts";

const before = "one two three\n";
const splices: Splice[] = [{ region: { start: 4, end: 7 }, text: "2" }];
const after = "one 2 three\n";
const proof = prove(before, splices);

describe("checkProof", () => {
  test("a proof holds for the two texts it was made from", () => {
    expect(checkProof(proof, before, after)).toEqual({ ok: true, value: true });
    expect(proof.regions).toEqual([{ before: { start: 4, end: 7 }, after: { start: 4, end: 5 } }]);
    expect(proof.outside).toHaveLength(2);
  });

  test("it survives being written as JSON", () => {
    expect(checkProof(JSON.parse(JSON.stringify(proof)), before, after).ok).toBe(true);
  });

  test.each<[string, Proof, string, string, string]>([
    ["another text before", proof, "One two three\n", after, "stale"],
    ["another text after", proof, before, "one 2 three", "stale"],
    ["a prefix that changed too", forged("One 2 three\n"), before, "One 2 three\n", "stale"],
    ["a suffix that changed too", forged("one 2 three"), before, "one 2 three", "stale"],
    [
      "a hash that is not of the text outside",
      { ...proof, outside: [proof.outside[1]!, proof.outside[0]!] },
      before,
      after,
      "stale",
    ],
    ["too few hashes", { ...proof, outside: proof.outside.slice(1) }, before, after, "malformed"],
    [
      "a region past the end",
      { ...proof, regions: [{ before: { start: 4, end: 99 }, after: { start: 4, end: 5 } }] },
      before,
      after,
      "malformed",
    ],
    [
      "a region turned round",
      { ...proof, regions: [{ before: { start: 7, end: 4 }, after: { start: 4, end: 5 } }] },
      before,
      after,
      "malformed",
    ],
    [
      "a region that is not a number",
      { ...proof, regions: [{ before: { start: Number.NaN, end: 4 }, after: { start: 4, end: 5 } }] },
      before,
      after,
      "malformed",
    ],
  ])("refuses %s", (_, claimed, old, fresh, code) => {
    const checked = checkProof(claimed, old, fresh);
    expect(checked.ok ? "" : checked.refusal.code).toBe(code);
  });
});

test("every change can be proved", () => {
  fc.assert(
    fc.property(changes, ({ text, splices }) => {
      expect(checkProof(prove(text, splices), text, applySplices(text, splices))).toEqual({
        ok: true,
        value: true,
      });
    }),
    { numRuns: RUNS },
  );
});

test("no proof hides a change outside its regions, even with hashes made to fit the texts", () => {
  fc.assert(
    fc.property(changes, fc.nat(), fc.constantFrom("x", "\n", "\uD83D"), ({ text, splices }, drawn, unit) => {
      const made = prove(text, splices);
      const result = applySplices(text, splices);
      const touched = (at: number) => made.regions.some(({ after }) => after.start <= at && at < after.end);
      const kept = Array.from(result.split(""), (_, at) => at).filter((at) => !touched(at));
      const at = kept[drawn % Math.max(kept.length, 1)];
      if (at === undefined || result[at] === unit) return;
      const spoiled = result.slice(0, at) + unit + result.slice(at + 1);
      expect(checkProof(made, text, spoiled).ok).toBe(false);
      expect(checkProof({ ...made, after: prove(spoiled, []).before }, text, spoiled).ok).toBe(false);
    }),
    { numRuns: RUNS },
  );
});

/** The proof with the hash of the after made to fit a text that was changed elsewhere too. */
function forged(text: string): Proof {
  return { ...proof, after: prove(text, []).before };
}
