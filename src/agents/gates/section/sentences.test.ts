import { describe, expect, test } from "vitest";
import { checkPostConditions, type EditedSection } from "./post-conditions.ts";

function gatesOf(
  edited: Pick<EditedSection, "before" | "after" | "notices"> & Partial<EditedSection>,
): string[] {
  const { objections = [] } = checkPostConditions({
    path: "docs/page.md",
    sources: ["export function sendAll(limit) {}"],
    knows: () => false,
    ...edited,
  });
  return objections.map(({ gate }) => gate);
}

describe("the line that opens a sample", () => {
  const before = "## Services\n\nThey are listed by name.\n\n```listServices\n{{ range services }}\n```\n";
  const judge = (terms: readonly string[], line = 4): string[] =>
    gatesOf({
      before,
      after: before.replace("```listServices", "```golang"),
      notices: [{ firstLine: line, lastLine: line, terms }],
    });

  test("may change where a notice is about it", () => expect(judge(["listServices"])).toEqual([]));
  test("may not where a notice is about another line", () => {
    expect(judge(["cities"], 2)).toEqual(["place"]);
  });
});

describe("a comment line of AsciiDoc", () => {
  const before = "== Launcher\n\nThe launcher checks the token.\n// TODO list of those that do\n";
  const judge = (path: string): string[] =>
    gatesOf({
      path,
      before,
      after: before.replace("// TODO list of those that do", "\nThese use sendAll:\n\n* one of `sendAll`"),
      notices: [{ firstLine: 3, lastLine: 3, terms: ["sendAll"] }],
    });

  test("is no part of the sentence above it", () => expect(judge("docs/page.adoc")).toEqual([]));
});

test("a sentence belongs to all of its lines, and a notice may point at the last", () => {
  const before =
    "## Delay\n\nWith a resolver, delay each lookup by the milliseconds\nand give a negative answer.\n";
  const after = before.replace("give a negative answer", "fail as if the network had failed");
  const judge = (line: number): string[] =>
    gatesOf({ before, after, notices: [{ firstLine: line, lastLine: line, terms: ["sendAll"] }] });
  expect(judge(3)).toEqual([]);
  expect(judge(0)).toEqual(["place"]);
});

test("a comment of a sample is no heading", () => {
  const before = "## Keys\n\n```hcl\n# This option is also available as TOKEN.\ntoken = 1\n```\n";
  const after = before.replace("as TOKEN.\ntoken = 1\n", "as TOKEN or so.\ntoken = 1\nsendAll = 1\n");
  const notices = [{ firstLine: 4, lastLine: 4, terms: ["sendAll"], adds: true }];
  expect(gatesOf({ before, after, notices })).toEqual([]);
});

describe("sentences that a notice points at", () => {
  const before =
    "## Key\n\nThe file must contain a code on its first line. For sendAll it is short.\n\nMore.\n";
  const after = before.replace(
    "The file must contain a code on its first line.",
    "A key is formatted as digits without spaces.",
  );
  const judge = (terms: readonly string[]): string[] =>
    gatesOf({ before, after, notices: [{ firstLine: 2, lastLine: 2, terms }] });

  test("may be replaced by others", () => expect(judge(["sendAll"])).toEqual([]));
});

describe("a new section about a notice", () => {
  const before = "## sendOne\n\nIt sends one.\n";
  const sentences = [
    "Ask the server for a certificate.",
    "It is returned as a string.",
    "Nothing else is returned.",
    "The destination is used as a cache.",
    "Without it every restart would fetch a new one.",
    "A copy that is valid is not fetched again.",
  ];
  const judge = (heading: string, words: readonly string[]): string[] =>
    gatesOf({
      before,
      after: `${before}\n## ${heading}\n\n${words.join(" ")}\n`,
      notices: [{ firstLine: 2, lastLine: 2, terms: ["sendAll"], adds: true }],
    });

  test("may have some sentences that do not name it", () => expect(judge("sendAll", sentences)).toEqual([]));
  test("may not have many", () => {
    const many = Array.from({ length: 25 }, (_, i) => `Good words number themselves ${"x".repeat(i + 1)}.`);
    expect(judge("sendAll", many)).toEqual(["place"]);
  });
  test("may have few under another heading", () => {
    expect(judge("Advice", sentences)).toEqual([]);
    expect(judge("Advice", [...sentences, ...sentences.map((one) => one.replace(".", " too."))])).toEqual([
      "place",
    ]);
  });
});
