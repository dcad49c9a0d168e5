import { expect, test } from "vitest";
import { findingText, proofText } from "./findings.ts";

test.each([
  ["a lost picture", { before: "a/demo.gif" }, "removed: a/demo.gif"],
  ["a file that lacks something", { after: "a/demo.gif" }, "see a/demo.gif"],
  ["a lost line", { before: "  gone()" }, "removed from a/demo.gif:1: gone()"],
  ["a changed line", { before: "1", after: "2" }, "changed in a/demo.gif:1: 2"],
])("the proof of %s", (_, texts, said) => {
  const proof = { path: "a/demo.gif", revision: "HEAD", startLine: 1, endLine: 1, ...texts };
  expect(proofText({ evidence: [proof] } as never)).toBe(said);
});

test("lines that are no longer a copy are not printed in a sentence", () => {
  const message = { what: "rewritten", old: "one\ntwo", new: "one\nthree" } as const;
  expect(findingText({ message, evidence: [] })).toBe("the code that these lines copy has changed.");
});

test("links to a heading that their own pages lack are said in the same words on each page", () => {
  const message = { what: "no heading", old: "badge" } as const;
  expect(findingText({ message, evidence: [] })).toBe("this page has no heading for `#badge`.");
});
