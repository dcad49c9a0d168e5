import { describe, expect, test } from "vitest";
import { findUnseenNames } from "./names.ts";
import { piecesOf } from "./section/pieces.ts";

function unseenIn(lines: readonly string[], { shown = "" } = {}): string[] {
  const added = lines.map((text, line) => ({ text, line, block: 1, kind: "code" as const }));
  return findUnseenNames({ added, shown, knows: () => false });
}

describe("a name of a sample", () => {
  test("is its own where the sample declares it and uses it in another way", () => {
    expect(unseenIn(["const { total } = one();", "send({ total: 1 });"])).toEqual([]);
    expect(unseenIn(["class Job:", "    retryCount: int", "Job(retryCount=3)"])).toEqual([]);
    expect(unseenIn(["  getPost: one(),", "run(getPost);"])).toEqual([]);
  });

  test("is none of its own where it only stands there, or twice in the same way", () => {
    expect(unseenIn(["{ getPost: one() }"])).toEqual(["getPost"]);
    expect(unseenIn(["{ getPost: one(),", "getPost: 2 }"])).toEqual(["getPost"]);
    expect(unseenIn(["client.getPost();", "client.getPost();"])).toEqual(["getPost"]);
  });
});

test("a sentence does not end inside inline code", () => {
  const added = piecesOf("See `action: Object` of `dispatch`. Then `call(): Type` it.\n");
  expect(added.map(({ text }) => text)).toEqual([
    "See `action: Object` of `dispatch`.",
    "Then `call(): Type` it.",
  ]);
  expect(findUnseenNames({ added, shown: "action Object", knows: () => false })).toEqual(["dispatch"]);
});

test("keys of a manifest and of a compiler's settings are no inventions", () => {
  const prose = (text: string) =>
    findUnseenNames({ added: [{ text, line: 0, block: 1, kind: "prose" }], shown: "", knows: () => false });
  expect(prose("Put it into `optionalDependencies`, and set `isolatedModules`.")).toEqual([]);
  expect(prose("Put it into `optionalPackages`.")).toEqual(["optionalPackages"]);
});
