import { expect, test } from "vitest";
import { closestMatch, SequenceMatcher } from "../../bench/drift/sequence-matcher.ts";

// The expected figures are those of Python's difflib.
test.each([
  ["abcd", "bcde", 0.75],
  ["private Thread currentThread;", "private volatile Thread currentThread;", 0.8656716417910447],
  ["", "", 1],
  ["abc", "", 0],
  ["x", "ab".repeat(150), 0],
])("the likeness of %j and %j is that of difflib", (a, b, expected) => {
  const matcher = new SequenceMatcher([...b], { autojunk: true });
  expect(matcher.ratio([...a])).toBeCloseTo(expected, 12);
  expect(matcher.ratioAtMost([...a])).toBeGreaterThanOrEqual(matcher.ratio([...a]));
});

test("letters that fill a long text start no match, and may lie beside one", () => {
  const text = `x${"ab".repeat(120)}`;
  const matcher = new SequenceMatcher([...text], { autojunk: true });
  expect(matcher.ratio([..."abab"])).toBe(0);
  expect(matcher.ratio([..."xabab"])).toBeCloseTo(10 / 246, 12);
});

test("opcodes turn the first sequence into the second", () => {
  const codes = new SequenceMatcher([..."abycdf"], { autojunk: false }).opcodes([..."qabxcd"]);
  expect(codes.map(({ tag, i1, i2, j1, j2 }) => `${tag} ${i1}:${i2} ${j1}:${j2}`)).toEqual([
    "delete 0:1 0:0",
    "equal 1:3 0:2",
    "replace 3:4 2:3",
    "equal 4:6 3:5",
    "insert 6:6 5:6",
  ]);
});

test("the closest match is the most alike, and of two the later in the alphabet", () => {
  expect(closestMatch("appel", ["ape", "apple", "peach", "puppy"], { cutoff: 0.6 })).toBe("apple");
  expect(closestMatch("ab", ["ac", "ad"], { cutoff: 0.5 })).toBe("ad");
  expect(closestMatch("appel", ["zzz"], { cutoff: 0.6 })).toBeNull();
});
