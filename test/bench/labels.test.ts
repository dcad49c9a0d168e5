import { expect, test } from "vitest";
import type { AskedFinding } from "../../bench/drift/ask.ts";
import { causeOf, type Label, Labels } from "../../bench/drift/labels.ts";

const commit = { repo: "a/b", commit: "c1" };
const label: Label = {
  ...commit,
  kind: "rename",
  cause: "oldName | newName",
  page: "README.md",
  startLine: 7,
  verdict: "right",
  edit: "right",
  reason: "the option has the new name",
};

test.each([
  ["a message's names", "`oldName` is now `newName` (src/a.ts:3).", "oldName | newName"],
  ["a message without names", "the page lags behind (src/a.ts:3).", "the page lags behind"],
])("the cause is %s, without the place", (_, message, cause) => {
  expect(causeOf({ message })).toBe(cause);
});

test.each([
  [
    "the same names elsewhere on the page",
    { message: "`oldName` became `newName`.", startLine: 90 },
    "cause",
  ],
  ["the same first name", { message: "`oldName` no longer exists.", startLine: 90 }, "name"],
  ["the same line", { message: "`other` no longer exists.", startLine: 7 }, "place"],
  ["neither", { message: "`other` no longer exists.", startLine: 8 }, undefined],
])("a finding with %s takes the label by that", (_, change, by) => {
  expect(new Labels([label]).find(answer(), finding(change))?.by).toBe(by);
});

test("a later label takes the place of an earlier one", () => {
  const labels = new Labels([label, { ...label, verdict: "wrong" }]);
  expect(labels.find(answer(), finding({ message: "`oldName` is now `newName`." }))?.label.verdict).toBe(
    "wrong",
  );
});

test("a label of another commit judges nothing", () => {
  const labels = new Labels([{ ...label, commit: "c2" }]);
  expect(labels.find(answer(), finding({ message: "`oldName` is now `newName`." }))).toBeNull();
});

function answer() {
  return { ...commit, id: "c1", base: "", head: "", findings: [], unknown: 0, milliseconds: 0 };
}

function finding(change: Partial<AskedFinding>): AskedFinding {
  return {
    path: "README.md",
    startLine: 7,
    endLine: 7,
    tier: "likely",
    kind: "rename",
    message: "",
    evidence: [],
    edits: [],
    ...change,
  };
}
