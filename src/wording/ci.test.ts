import { expect, test } from "vitest";
import type { CheckReport, ReportedFinding } from "../docs/check/report.ts";
import { writeComment, writeSummary } from "./ci.ts";

const finding = (i: number, text = "old"): ReportedFinding => ({
  id: `rename-${(i + 0x1000).toString(16).padStart(8, "0")}`,
  path: `docs/${i}.md`,
  startLine: 1,
  endLine: 1,
  tier: "certain",
  kind: "rename",
  message: "`a` is now `b` (src/a.ts:1).",
  evidence: [],
  edits: [{ path: `docs/${i}.md`, old_string: text, new_string: "new", reason: "" }],
});
const reportOf = (findings: ReportedFinding[]): CheckReport => ({
  base: "",
  head: "",
  findings,
  unknown: [],
});

test("ten thousand findings make a short comment with one first line", () => {
  const body = writeComment(reportOf(Array.from({ length: 10_000 }, (_, i) => finding(i))), {}, null)!;
  expect(body.split("\n")[2]).toBe("**Suture:** 10000 passages no longer true.");
  expect(body).toContain("… and 9990 more");
  expect(body.length).toBeLessThan(10_000);
});

test("the comment stays under ten kilobytes, whatever there is to say", () => {
  const findings = Array.from({ length: 300 }, (_, i) => finding(i, `${"long line ".repeat(i)}\n`.repeat(3)));
  const report = {
    ...reportOf(findings),
    unknown: Array.from({ length: 99 }, (_, i) => ({ path: `p${i}.md`, why: "x" })),
  };
  expect(writeComment(report, {}, null)!.length).toBeLessThan(10_000);
});

test("a page of one endless line, and lines that look like ours, leave no block open", () => {
  const findings = [
    finding(1, "x".repeat(1 << 20)),
    finding(2, " <code>y\n- <code>z\n</details>"),
    finding(3),
  ];
  for (const body of [writeComment(reportOf(findings), {}, null)!, writeSummary(reportOf(findings), {})]) {
    expect(body.length).toBeLessThan(1_000_000);
    expect(body.match(/^```/gm)!.length % 2).toBe(0);
    expect(body).toContain("docs/3.md:1");
  }
});

test("a comment remembers what it has named, and counts each once", () => {
  const first = writeComment(reportOf([finding(1), finding(2)]), {}, null);
  const second = writeComment(reportOf([finding(2), finding(3)]), {}, first);
  expect(second).toContain("2 passages no longer true, 1 was fixed.");
  expect(writeComment(reportOf([]), {}, second)).toContain("nothing left to fix, 3 were fixed.");
  expect(writeComment(reportOf([]), {}, null)).toBeNull();
});

test("findings that are only possible get no comment", () => {
  expect(writeComment(reportOf([{ ...finding(1), tier: "possible" }]), {}, null)).toBeNull();
});
