import { expect, test } from "vitest";
import { openPage } from "./change/change-model.ts";
import type { Notice } from "./findings.ts";
import { dropHalfRenames } from "./half-renames.ts";

const TEXT = "```py\nworker = Worker()\nrun(worker)\n```\n";
const page = openPage("README.md", TEXT);

/** The rename of the mention of `worker` that begins at or after `from`. */
function rename(from: number, tier: Notice["tier"]): Notice {
  const start = TEXT.indexOf("worker", from);
  const line = TEXT.slice(0, start).split("\n").length - 1;
  return {
    page,
    line,
    endLine: line,
    tier,
    kind: "phrase",
    message: { what: "rewritten", old: "worker", new: "agent" },
    evidence: [],
    splice: { region: { start, end: start + "worker".length }, text: "agent" },
  };
}

const last = TEXT.indexOf("run(");
test.each<[name: string, notices: Notice[], edits: number]>([
  ["a variable that is renamed everywhere is renamed", [rename(0, "certain"), rename(last, "likely")], 2],
  ["a variable that is renamed in one place is not", [rename(0, "certain")], 0],
  ["an edit that is not made counts for nothing", [rename(0, "certain"), rename(last, "possible")], 0],
])("%s", (_, notices, edits) => {
  const kept = dropHalfRenames(notices, ({ tier }) => tier !== "possible");
  expect(kept.filter(({ splice, tier }) => splice && tier !== "possible")).toHaveLength(edits);
});
