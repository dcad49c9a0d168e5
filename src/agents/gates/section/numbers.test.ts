import { describe, expect, test } from "vitest";
import { checkPostConditions } from "./post-conditions.ts";

const before = `## Retries

A request is repeated 3 times by default.

\`\`\`yaml
send:
  limit: 30
\`\`\`
`;
const fixed = before.replace("3 times", "5 times");

function gatesOf(after: string): string[] {
  const { objections = [] } = checkPostConditions({
    path: "docs/page.md",
    before,
    after,
    notices: [{ firstLine: 2, lastLine: 2, terms: ["repeated", "retries"] }],
    sources: ["export const retries = 5;"],
    knows: (name) => name === "limit",
  });
  return objections.map(({ gate }) => gate);
}

const added = (sentence: string): string[] => gatesOf(`${fixed}\n${sentence}\n`);

describe("a version that no file has yet", () => {
  test.each([
    ["in a directive", ".. versionadded:: 1.5\n\n   The retries are counted."],
    ["in a shortcode", "{{< new-in 1.5.0 >}} The retries are counted."],
    ["with three parts after a name", "Before Sender 1.5.0, retries were not counted."],
    ["as a heading", "### 6.0\n\nThe retries are counted."],
  ])("may stand %s, and is listed", (_, sentence) => {
    expect(added(sentence)).toEqual([]);
  });
});

test("a power of two is a size of numbers", () => {
  expect(added("The retries are less than 2^64.")).toEqual([]);
  expect(added("The retries are less than 3^64.")).toEqual(["numbers"]);
});

describe("a width in bits", () => {
  test("is a term", () => expect(added("The retries are a 32-bit number.")).toEqual([]));
  test("is none with an odd number", () =>
    expect(added("The retries are a 37-bit one.")).toEqual(["numbers"]));
});

describe("digits inside a word", () => {
  test("are no number", () => expect(added("The retries of `--key 123a56fb72` are counted.")).toEqual([]));
  test("are one before a unit", () => expect(added("The retries take 123ms.")).toEqual(["numbers"]));
});

describe("a version of other software", () => {
  const judge = (sentence: string): string[] =>
    checkPostConditions({
      path: "docs/page.md",
      before,
      after: `${fixed}\n${sentence}\n`,
      notices: [{ firstLine: 2, lastLine: 2, terms: ["repeated", "retries"] }],
      sources: ["export const retries = 5;"],
      knows: (name) => name === "core 1.8",
    }).objections!.map(({ gate }) => gate);

  test.each([
    "[tool-core](https://example.org)",
    "*tool-core*",
    "`tool-core`",
    "`tool-core <https://example.org>`_",
  ])("may be one that the code has beside its name: %s", (name) => {
    expect(judge(`The retries need ${name} 1.8 or later.`)).toEqual([]);
    expect(judge(`The retries need ${name} 1.9 or later.`)).toEqual(["numbers"]);
  });
});

test("a part of a path is no number", () => {
  expect(added("The retries are at `/2.0/retries/{id}`.")).toEqual([]);
  expect(added("The retries are 2.7 of all.")).toEqual(["numbers"]);
});

test("a status of HTTP may stand beside its words", () => {
  expect(added("The retries end with `303 See Other` (`:see_other`).")).toEqual([]);
  expect(added("The retries end with `304 See Other`.")).toEqual(["numbers"]);
  expect(added("The retries end with status 303.")).toEqual(["numbers"]);
});

test("an address for examples and private networks is no number", () => {
  expect(added("Set `retries` for `10.0.0.2` and 192.0.2.17.")).toEqual([]);
  expect(added("Set `retries` for 8.8.4.4.")).toEqual(["numbers"]);
});

test("a number after a dollar sign counts", () => {
  expect(added("The retries cost $17.")).toEqual(["numbers"]);
});

test("an index states nothing, wherever it stands", () => {
  expect(added("The first of the retries is _retries[0]_, the second _retries[1]_.")).toEqual([]);
  expect(added("The last of the retries is _retries[17]_.")).toEqual(["numbers"]);
});

describe("a new line of a sample", () => {
  test("may have another number than a line that stays", () => {
    expect(gatesOf(fixed.replace("  limit: 30\n", "  limit: 30\nretries:\n  limit: 40\n"))).toEqual([]);
  });
  test("rewords no line of another sample that shares only a name with it", () => {
    const old = `${before}\n\`\`\`java\n.limit(1000)\n.repeated(3)\n\`\`\`\n`;
    const after = old.replace(".limit(1000)\n.repeated(3)", ".repeated(5)");
    const judge = (text: string): string[] =>
      checkPostConditions({
        path: "docs/page.md",
        before: old,
        after: text,
        notices: [{ firstLine: 11, lastLine: 12, terms: ["repeated", "retries", "limit"] }],
        sources: ["export const retries = 5;"],
        knows: () => true,
      }).objections!.map(({ gate }) => gate);
    expect(judge(after.replace("  limit: 30\n", "  limit: 30\nretries:\n  limit: 750\n"))).toEqual([]);
    expect(judge(after.replace(".repeated(5)", ".repeated(5)\n.limit(750)"))).toEqual(["numbers"]);
  });
  test("may not change a number between lines that stay", () => {
    const old = before.replace("  limit: 30\n", "  limit: 30\n  limit: 30\n");
    const after = old.replace("3 times", "5 times").replace("  limit: 30\n", "  limit: 37\n");
    const notices = [{ firstLine: 2, lastLine: 6, terms: ["repeated", "limit"] }];
    const judge = (text: string): string[] =>
      checkPostConditions({
        path: "a.md",
        before: old,
        after: text,
        notices,
        sources: ["5"],
        knows: () => true,
      }).objections!.map(({ gate }) => gate);
    expect(judge(after)).toEqual(["numbers"]);
    expect(judge(`${after}\n\`\`\`yaml\nsend:\n  limit: 30\n\`\`\`\n`)).toEqual(["numbers"]);
  });
  test("may not change the number of a line that goes", () => {
    expect(gatesOf(fixed.replace("limit: 30", "limit: 40"))).toContain("numbers");
  });
});
