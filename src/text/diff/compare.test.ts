import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documents, RUNS } from "../../../test/laws/generators.ts";
import { measureWork } from "../../../test/work.ts";
import { applySplices, type Splice } from "../model/splice.ts";
import { compareTexts } from "./compare.ts";

const lines = (items: readonly unknown[]): string => items.map((item) => `${item}\n`).join("");
const numbered = (count: number, line: (i: number) => unknown): string =>
  lines(Array.from({ length: count }, (_, i) => line(i)));

describe("compareTexts", () => {
  test.each<[string, string, string, Splice[]]>([
    ["equal texts have no splices", "a\nb\n", "a\nb\n", []],
    ["one line changed", "a\nb\nc\n", "a\nB\nc\n", [{ region: { start: 2, end: 4 }, text: "B\n" }]],
    ["from nothing", "", "a\n", [{ region: { start: 0, end: 0 }, text: "a\n" }]],
    ["to nothing", "a\n", "", [{ region: { start: 0, end: 2 }, text: "" }]],
    ["a final newline added", "a\nb", "a\nb\n", [{ region: { start: 2, end: 3 }, text: "b\n" }]],
    ["a final newline taken", "a\nb\n", "a\nb", [{ region: { start: 2, end: 4 }, text: "b" }]],
    ["CR is part of the line", "a\r\nb\n", "a\nb\n", [{ region: { start: 0, end: 3 }, text: "a\n" }]],
    [
      "an insertion among equal lines goes last",
      "x\nx\ny\n",
      "x\nx\nx\ny\n",
      [{ region: { start: 4, end: 4 }, text: "x\n" }],
    ],
    [
      "a deletion among equal lines goes last, below equal ends",
      "p\nL\ns\nz\ns\n",
      "q\nL\ns\n",
      [
        { region: { start: 0, end: 2 }, text: "q\n" },
        { region: { start: 6, end: 10 }, text: "" },
      ],
    ],
    [
      "a moved unique line does not unhinge its repeated neighbours",
      lines(["u", ..."ababababab"]),
      lines([..."ababababab", "u"]),
      [
        { region: { start: 0, end: 2 }, text: "" },
        { region: { start: 22, end: 22 }, text: "u\n" },
      ],
    ],
  ])("%s", (_, before, after, splices) => {
    expect(compareTexts(before, after)).toEqual(splices);
  });

  test("the splices turn one text into the other, by whole lines that do not touch", () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        const splices = compareTexts(before, after);
        expect(applySplices(before, splices)).toBe(after);
        splices.forEach(({ region, text }, i) => {
          expect(region.start === 0 || before[region.start - 1] === "\n").toBe(true);
          expect(region.end === before.length || before[region.end - 1] === "\n" || region.end === 0).toBe(
            true,
          );
          expect(text === "" || text.endsWith("\n") || region.end === before.length).toBe(true);
          if (i > 0) expect(region.start).toBeGreaterThan(splices[i - 1]!.region.end);
        });
      }),
      { numRuns: RUNS },
    );
  });

  test("finds a shortest edit for small texts", () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        const splices = compareTexts(before, after);
        const kept = lengthInCommon(splitLines(before), splitLines(after));
        const removed = splices.reduce(
          (sum, { region }) => sum + splitLines(before.slice(region.start, region.end)).length,
          0,
        );
        expect(removed).toBe(splitLines(before).length - kept);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("hostile texts are compared in bounded work", () => {
  const random = createRandom(7);
  const shuffled = Array.from({ length: 25_000 }, (_, i) => ({ i, at: random(1 << 30) })).sort(
    (a, b) => a.at - b.at,
  );
  const two = () => numbered(250_000, () => (random(2) ? "a" : "b"));

  test.each<[string, string, string, number]>([
    ["8,000 lines, all different", numbered(8000, (i) => `old ${i}`), numbered(8000, (i) => `new ${i}`), 50],
    ["1 MB of equal lines, some fewer", "same line\n".repeat(100_000), "same line\n".repeat(90_000), 25],
    ["1 MB of empty lines", "\n".repeat(1_000_000), "a\n".repeat(500_000), 25],
    [
      "1 MB of alternating lines",
      numbered(250_000, (i) => (i % 2 ? "a" : "b")),
      numbered(250_000, (i) => (i % 2 ? "b" : "a")),
      25,
    ],
    ["two kinds of lines at random", two(), two(), 25],
    [
      "25,000 lines shuffled",
      numbered(25_000, (i) => `line number ${i}`),
      lines(shuffled.map(({ i }) => `line number ${i}`)),
      25,
    ],
    [
      "25,000 lines reversed",
      numbered(25_000, (i) => `line ${i}`),
      numbered(25_000, (i) => `line ${24_999 - i}`),
      25,
    ],
    [
      "a period of 500 lines, shifted",
      numbered(50_000, (i) => i % 500),
      numbered(50_000, (i) => (i + 250) % 500),
      25,
    ],
    [
      "100,000 lines, each seventh changed",
      numbered(100_000, (i) => i),
      numbered(100_000, (i) => (i % 7 ? i : `x${i}`)),
      50,
    ],
    ["one line of 1 MB", `${"x".repeat(1_000_000)}y`, `${"x".repeat(500_000)}z${"x".repeat(500_000)}`, 25],
  ])("%s", (_, before, after, limit) => {
    let splices: Splice[] = [];
    const works = [1, 2, 3].map(() => measureWork(() => (splices = compareTexts(before, after))));
    expect(applySplices(before, splices) === after).toBe(true);
    expect(Math.min(...works)).toBeLessThan(limit);
  });
});

test("changes of real files are about as small as git's", () => {
  const folder = mkdtempSync(join(tmpdir(), "suture-compare-"));
  try {
    const sizes = compareWithGit(folder);
    expect(sizes.files).toBeGreaterThan(200);
    expect(sizes.ours / sizes.git).toBeLessThan(1.02);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Lines that we and git report as changed, over edited copies of this room's own sources. */
function compareWithGit(folder: string): { files: number; ours: number; git: number } {
  const random = createRandom(11);
  for (const side of ["a", "b"]) mkdirSync(join(folder, side));
  const room = join(import.meta.dirname, "..");
  const sources = globSync("*/*.ts", { cwd: room });
  let files = 0;
  let ours = 0;
  for (const name of sources) {
    const before = readFileSync(join(room, name), "utf8");
    const flat = name.replaceAll(/[\\/]/g, "-");
    for (let copy = 0; copy < 12; copy++) {
      const after = shake(before, random, 1 + copy * 2);
      writeFileSync(join(folder, "a", `${copy}-${flat}`), before);
      writeFileSync(join(folder, "b", `${copy}-${flat}`), after);
      files++;
      for (const { region, text } of compareTexts(before, after))
        ours += splitLines(before.slice(region.start, region.end)).length + splitLines(text).length;
    }
  }
  const printed = spawnSync("git", ["diff", "--no-index", "--numstat", "a", "b"], {
    cwd: folder,
    encoding: "utf8",
  });
  const git = printed.stdout
    .trim()
    .split("\n")
    .flatMap((row) => row.split("\t").slice(0, 2).map(Number))
    .reduce((sum, count) => sum + count, 0);
  return { files, ours, git };
}

/** Moves, repeats, drops and rewrites blocks of lines. */
function shake(text: string, random: (below: number) => number, times: number): string {
  const rows = splitLines(text);
  for (let i = 0; i < times; i++) {
    const block = rows.splice(random(rows.length), random(6));
    const kind = random(4);
    if (kind === 0) rows.splice(random(rows.length), 0, ...block);
    if (kind === 1) rows.splice(random(rows.length), 0, ...block, ...block);
    if (kind === 2) rows.splice(random(rows.length), 0, ...block.map((row) => `  ${row}`));
  }
  return rows.join("");
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function lengthInCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    const next = [0];
    b.forEach((other, j) => {
      next.push(item === other ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!));
    });
    row = next;
  }
  return row[b.length]!;
}

function createRandom(seed: number): (below: number) => number {
  let state = seed * 2654435761;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
