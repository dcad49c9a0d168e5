import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documents, RUNS } from "../../../test/laws/generators.ts";
import { mergeCleanly, mergeThreeWay } from "./merge.ts";

const base = "one\ntwo\nthree\nfour\nfive\n";

describe("mergeCleanly", () => {
  const origin = "x\n\nold() {\n}\n\nz\n";
  test("an insertion next to a deletion is a conflict, though one of them could be written further up", () => {
    const inserted = origin.replace("old", "new() {\n}\n\nold");
    expect(mergeCleanly(origin, inserted, "x\n\nz\n")).toBeNull();
    expect(mergeCleanly(origin, "x\n\nz\n", inserted)).toBeNull();
  });
  test("two insertions at one place stay a conflict", () => {
    const [one, two] = ["one", "two"].map((name) => origin.replace("old", `${name}() {\n}\n\nold`));
    expect(mergeCleanly(origin, one!, two!)).toBeNull();
  });
  test("two changes of one line stay a conflict", () => {
    expect(mergeCleanly(origin, origin.replace("old", "a"), origin.replace("old", "b"))).toBeNull();
  });
});

describe("mergeThreeWay", () => {
  test.each<[string, string, string, string, string]>([
    [
      "changes far apart both land",
      base,
      base.replace("one", "1"),
      base.replace("five", "5"),
      "1\ntwo\nthree\nfour\n5\n",
    ],
    [
      "the same change lands once",
      base,
      base.replace("two", "2"),
      base.replace("two", "2"),
      "one\n2\nthree\nfour\nfive\n",
    ],
    ["the same insertion lands once", "a\n", "a\nb\n", "a\nb\n", "a\nb\n"],
    ["one side unchanged", base, base, "other\n", "other\n"],
    [
      "one side deletes, the other edits elsewhere",
      base,
      base.replace("one\n", ""),
      base.replace("five", "5"),
      "two\nthree\nfour\n5\n",
    ],
    [
      "CRLF and missing final newline survive",
      "a\r\nb\r\nc\nd",
      "A\r\nb\r\nc\nd",
      "a\r\nb\r\nc\nD",
      "A\r\nb\r\nc\nD",
    ],
    ["dollar signs are literal", "a\nb\nc\n", "$&\nb\nc\n", "a\nb\n$1\n", "$&\nb\n$1\n"],
  ])("%s", (_, origin, ours, theirs, result) => {
    expect(mergeThreeWay(origin, ours, theirs)).toEqual({ text: result, conflicts: [] });
  });

  test.each<[string, string, string, string]>([
    ["one line changed in two ways", base, base.replace("two", "2"), base.replace("two", "II")],
    ["neighbouring lines", base, base.replace("two", "2"), base.replace("three", "3")],
    ["deleted here, edited there", base, base.replace("two\n", ""), base.replace("two", "II")],
    ["both append", base, `${base}six\n`, `${base}seven\n`],
    ["both write into an empty text", "", "a\n", "b\n"],
    [
      "a line repeated that could stand on either side of the other's",
      "a\na\nz\n",
      "a\na\na\nz\n",
      "a\nb\na\nz\n",
    ],
  ])("conflict: %s", (_, origin, ours, theirs) => {
    const { text, conflicts } = mergeThreeWay(origin, ours, theirs);
    expect(conflicts).toHaveLength(1);
    const [conflict] = conflicts;
    expect(text.slice(conflict!.merged.start, conflict!.merged.end)).toBe(
      `<<<<<<< ours\n${conflict!.ours}=======\n${conflict!.theirs}>>>>>>> theirs\n`,
    );
  });

  test("markers are on separate lines, with the line ending of the place", () => {
    const { text } = mergeThreeWay("a\r\nb", "a\r\nc", "a\r\nd", { ours: "task 1", theirs: "task 2" });
    expect(text).toBe("a\r\n<<<<<<< task 1\r\nc\r\n=======\r\nd\r\n>>>>>>> task 2\r\n");
  });
});

test("merging is symmetric, and a side that changed nothing yields to the other", () => {
  fc.assert(
    fc.property(documents, documents, documents, (origin, ours, theirs) => {
      const merged = mergeThreeWay(origin, ours, theirs);
      const turned = mergeThreeWay(origin, theirs, ours);
      expect(turned.conflicts.length).toBe(merged.conflicts.length);
      if (merged.conflicts.length === 0) expect(turned.text).toBe(merged.text);
      expect(mergeThreeWay(origin, ours, origin)).toEqual({ text: ours, conflicts: [] });
      expect(mergeThreeWay(origin, ours, ours)).toEqual({ text: ours, conflicts: [] });
    }),
    { numRuns: RUNS },
  );
});

test("the merge is clean where git's is, with few exceptions and equal results, and adds nothing that git refuses", () => {
  const lines = fc.array(fc.oneof(fc.constantFrom("", "}", "  x"), fc.nat(500).map(String)), {
    minLength: 4,
    maxLength: 40,
    size: "max",
  });
  const edits = fc.array(
    fc.tuple(fc.nat(40), fc.nat(2), fc.array(fc.nat(500).map(String), { maxLength: 2 })),
    { minLength: 1, maxLength: 3 },
  );
  const cases = fc.sample(fc.tuple(lines, edits, edits), 1000).map(([origin, ours, theirs]) => ({
    origin: print(origin),
    ours: print(edited(origin, ours)),
    theirs: print(edited(origin, theirs)),
  }));
  const results = mergedByGit(cases);
  const gitClean = results.filter((result) => result !== null).length;
  let clean = 0;
  let merged = 0;
  cases.forEach(({ origin, ours, theirs }, i) => {
    const both = mergeCleanly(origin, ours, theirs);
    // One side may contain the other's change. Git refuses some of these where equal lines can be paired in two ways.
    if (results[i] === null && both !== null && both !== ours && both !== theirs) merged++;
    const { text, conflicts } = mergeThreeWay(origin, ours, theirs);
    if (conflicts.length > 0 || results[i] === null) return;
    clean++;
    expect({ origin, ours, theirs, text }).toEqual({ origin, ours, theirs, text: results[i] });
  });
  expect(gitClean).toBeGreaterThan(200);
  expect(clean / gitClean).toBeGreaterThan(0.95);
  expect(merged).toBeLessThanOrEqual(1);
});

function print(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function edited(lines: readonly string[], edits: readonly (readonly [number, number, string[]])[]): string[] {
  const result = [...lines];
  for (const [at, removed, added] of edits) result.splice(at % (result.length + 1), removed, ...added);
  return result;
}

/** What git makes of each case, or null where it finds a conflict; one shell for all of them. */
function mergedByGit(cases: readonly { origin: string; ours: string; theirs: string }[]): (string | null)[] {
  const folder = mkdtempSync(join(tmpdir(), "suture-merge-"));
  try {
    cases.forEach(({ origin, ours, theirs }, i) => {
      writeFileSync(join(folder, `${i}.base`), origin);
      writeFileSync(join(folder, `${i}.ours`), ours);
      writeFileSync(join(folder, `${i}.theirs`), theirs);
    });
    const script = `i=0; while [ $i -lt ${cases.length} ]; do git merge-file -q $i.ours $i.base $i.theirs; echo $?; i=$((i+1)); done`;
    const { stdout } = spawnSync("sh", ["-c", script], { cwd: folder, encoding: "utf8" });
    const statuses = stdout.trim().split("\n");
    expect(statuses).toHaveLength(cases.length);
    return statuses.map((status, i) =>
      status === "0" ? readFileSync(join(folder, `${i}.ours`), "utf8") : null,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
