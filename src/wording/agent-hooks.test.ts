import { expect, test } from "vitest";
import type { ReportedFinding } from "../docs/check/report.ts";
import { staleText } from "./agent-hooks.ts";

const told = (tier: "certain" | "likely", edits: ReportedFinding["edits"]) => ({
  finding: {
    ...{ id: `${tier}-1`, path: "docs/a.md", startLine: 3, endLine: 3, kind: "rename", tier },
    ...{ message: "`a` is now `b`.", evidence: [], edits },
  } as unknown as ReportedFinding,
  tree: null,
});
const edit = { path: "docs/a.md", old_string: "a", new_string: "b", reason: "renamed" };
const textOf = (findings: Parameters<typeof staleText>[0]["findings"]): string =>
  staleText({ findings, fixed: [], command: "suture", base: "abc" });

test("certain findings are stated, and a command makes their edits", () => {
  const text = textOf([told("certain", [edit])]);
  expect(text).toMatch(/^Your change made 1 passage of the documentation false:\n/);
  expect(text).toContain("run: suture fix --base abc");
});

test("likely findings are put to the agent as a question that it decides by the code", () => {
  const text = textOf([told("likely", []), told("certain", [edit])]);
  expect(text).toMatch(/^Your change may have made 2 passages of the documentation false:\n/);
  expect(text).toContain("To make the certain edits, run: suture fix --base abc\n");
  expect(text).toContain("Compare the other passages with the code, and edit those that are no longer true.");
  expect(text).toContain("If a passage is right as it is: suture dismiss ID --reason TEXT");
});

test("an edit of a long passage is cut around the difference", () => {
  const words = (option: string): string =>
    `- Signal termination: ${"the process is told to stop and has some time for it. ".repeat(5)}Set \`${option}\` to change the time.`;
  const long = { ...edit, old_string: words("killAfter"), new_string: words("forceKillAfter") };
  const text = textOf([told("certain", [long])]);
  expect(text).toContain("killAfter");
  expect(text).toContain("forceKillAfter");
  expect(text).not.toContain("Signal termination");
});

test("the message has at most 1,500 characters, and the rest is counted", () => {
  const many = Array.from({ length: 40 }, () => told("certain", [edit]));
  const text = textOf(many);
  expect(text.length).toBeLessThanOrEqual(1500);
  expect(text).toMatch(/- and \d+ more: suture check/);
});
