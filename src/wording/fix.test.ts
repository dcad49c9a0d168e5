import { expect, test } from "vitest";
import type { ReportedFinding } from "../docs/check/report.ts";
import { fixWords, whyLeft } from "./fix.ts";

const finding = (more: Partial<ReportedFinding> = {}): ReportedFinding => ({
  id: "rename-1",
  path: "README.md",
  startLine: 1,
  endLine: 1,
  tier: "certain",
  kind: "rename",
  message: "`a` is now `b`.",
  evidence: [],
  edits: [{ path: "README.md", old_string: "a", new_string: "b", reason: "" }],
  ...more,
});
const none = { limit: undefined, done: 0, concern: null };

const rows: [
  string,
  ReportedFinding & { readonly why?: string },
  Parameters<typeof whyLeft>[1],
  string | undefined,
][] = [
  [
    "a file that instructs agents",
    finding(),
    { ...none, concern: "instructions" },
    fixWords.needsConsent.instructions,
  ],
  ["a hidden file", finding(), { ...none, concern: "hidden" }, fixWords.needsConsent.hidden],
  ["a certain edit whose text is not there once", finding(), none, fixWords.displaced],
  ["an edit beyond the limit", finding(), { ...none, limit: 2, done: 2 }, fixWords.beyondLimit],
  ["a likely edit, which the last line explains", finding({ tier: "likely" }), none, undefined],
  ["a finding without an edit", finding({ edits: [] }), none, undefined],
  ["a passage that a model declined", { ...finding(), why: "it is right" }, none, "it is right"],
];
test.each(rows)("the reason why an edit was not made: %s", (_, left, about, why) => {
  expect(whyLeft(left, about)).toBe(why);
});
