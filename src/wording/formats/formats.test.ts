import { expect, test } from "vitest";
import { z } from "zod";
import type { CheckReport, ReportedFinding } from "../../docs/check/report.ts";
import { formats } from "./formats.ts";

// The shapes that the readers of each format publish, as far as a report uses them.

const finding = (more: Partial<ReportedFinding> = {}): ReportedFinding => ({
  id: "rename-0a1b2c3d0a1b2c3d",
  path: "docs/ä b.md",
  startLine: 3,
  endLine: 4,
  tier: "certain",
  kind: "rename",
  message: '`a<b>` is now `c&"d"`\u0007 (src/a.ts:1).',
  evidence: [],
  edits: [],
  ...more,
});

const report: CheckReport = {
  base: "a".repeat(40),
  head: "worktree",
  findings: [finding(), finding({ tier: "likely", startLine: 9, endLine: 8 }), finding({ tier: "possible" })],
  unknown: [{ path: "docs/odd.md", why: "it is not text" }],
};
const clean: CheckReport = { ...report, findings: [], unknown: [] };

const print = (name: string, value: CheckReport): string =>
  formats.find((format) => format.name === name)!.print(value, "1.2.3");

const position = z.strictObject({ line: z.int().min(1), column: z.int().min(1).optional() });

/** https://github.com/reviewdog/reviewdog/tree/master/proto/rdf: message Diagnostic. */
const diagnostic = z.strictObject({
  message: z.string(),
  location: z.strictObject({ path: z.string(), range: z.strictObject({ start: position, end: position }) }),
  severity: z.enum(["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]),
  source: z.strictObject({ name: z.string(), url: z.string().optional() }),
  code: z.strictObject({ value: z.string(), url: z.string().optional() }),
  original_output: z.string(),
});

test("rdjsonl: every line is a diagnostic of reviewdog", () => {
  const lines = print("rdjsonl", report).trimEnd().split("\n");
  const parsed = lines.map((line) => diagnostic.parse(JSON.parse(line)));
  expect(parsed.map(({ severity }) => severity)).toEqual(["ERROR", "WARNING", "INFO"]);
  expect(parsed.every(({ location: { range } }) => range.start.line <= range.end.line)).toBe(true);
  expect(print("rdjsonl", clean)).toBe("");
});

/** https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
const issue = z.strictObject({
  description: z.string(),
  check_name: z.string(),
  fingerprint: z.string().min(1),
  severity: z.enum(["info", "minor", "major", "critical", "blocker"]),
  location: z.strictObject({
    path: z.string().regex(/^(?!\.\/)/),
    lines: z.strictObject({ begin: z.int().min(1), end: z.int().min(1) }),
  }),
});

test("codequality: a report of GitLab, with a fingerprint of its own for each issue", () => {
  const issues = z.array(issue).parse(JSON.parse(print("codequality", report)));
  expect(issues.map(({ severity }) => severity)).toEqual(["major", "minor", "info"]);
  expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(3);
  expect(print("codequality", report)).toBe(print("codequality", report));
  expect(JSON.parse(print("codequality", clean))).toEqual([]);
});

test("junit: one suite whose counts are those of its cases", () => {
  const xml = print("junit", report);
  expect(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ')).toBe(true);
  expect(xml).toContain('<testsuites name="suture" tests="4" failures="2" errors="1">');
  expect(xml.match(/<testcase /g)).toHaveLength(4);
  expect(xml.match(/<failure /g)).toHaveLength(2);
  expect(xml.match(/<skipped /g)).toHaveLength(1);
  expect(xml.match(/<error /g)).toHaveLength(1);
});

test("junit: text from files can close no attribute and no element", () => {
  const xml = print("junit", report);
  expect(xml).toContain("`a&lt;b&gt;` is now `c&amp;&quot;d&quot;` (src/a.ts:1).");
  expect(xml).not.toContain("\u0007");
  const tags = Array.from(xml.matchAll(/<(\/?)([a-z]+)(?:\s+[a-z]+="[^"<]*")*\s*(\/?)>/g));
  const open: string[] = [];
  for (const [, closing, name, empty] of tags) {
    if (closing) expect(open.pop()).toBe(name);
    else if (!empty) open.push(name!);
  }
  expect(open).toEqual([]);
  expect(tags.length).toBe(xml.split("<").length - 2);
});

test("junit: a clean report is a suite that passes", () => {
  expect(print("junit", clean)).toContain('tests="1" failures="0" errors="0"');
});

const sarif = z.looseObject({
  version: z.literal("2.1.0"),
  runs: z
    .array(
      z.looseObject({
        tool: z.looseObject({
          driver: z.looseObject({ name: z.string(), rules: z.array(z.looseObject({ id: z.string() })) }),
        }),
        results: z.array(
          z.looseObject({
            ruleId: z.string(),
            ruleIndex: z.int().min(0),
            level: z.enum(["none", "note", "warning", "error"]),
            message: z.strictObject({ text: z.string() }),
            locations: z.array(
              z.strictObject({
                physicalLocation: z.strictObject({
                  artifactLocation: z.strictObject({ uri: z.string().regex(/^[^ \\]+$/) }),
                  region: z.strictObject({ startLine: z.int().min(1), endLine: z.int().min(1) }),
                }),
              }),
            ),
          }),
        ),
      }),
    )
    .min(1),
});

test("sarif: every result names a rule of its driver", () => {
  const { runs } = sarif.parse(JSON.parse(print("sarif", report)));
  for (const { tool, results } of runs)
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]!.id).toBe(ruleId);
});

test("github: one workflow command a finding, on one line", () => {
  expect(print("github", report).trimEnd().split("\n")).toEqual(
    ["error", "warning", "notice"].map((level) => expect.stringMatching(`^::${level} file=`)),
  );
});

test.each(["\u001b[2J", "\u009b2J", "\u202e", "\u0007", "\u200b", "\r"])(
  "github: a character of a name that acts on a terminal is shown: %j",
  (odd) => {
    const printed = print("github", {
      ...report,
      findings: [finding({ path: `a${odd}b.md`, message: `c${odd}` })],
    });
    expect(printed).not.toContain(odd);
    expect(printed.trimEnd().split("\n")).toHaveLength(1);
  },
);

test("markdown: findings that are only possible are folded away", () => {
  expect(print("markdown", report)).toContain("### Suture: 2 passages no longer true, 1 to look at");
});

test("markdown: a name, a message and an edit cannot act in a comment", () => {
  const name = "x <img src=q> **y** [z](https://e.example)\n- **forged.md:1** @team `a`.md";
  const hostile = finding({
    path: name,
    message: "`<b>` is now `c` by @team, see #12 (<img src=x>:1).",
    edits: [{ path: name, old_string: "```\n</details><img src=x>", new_string: "a\u202eb", reason: "r" }],
  });
  const printed = print("markdown", {
    ...report,
    findings: [hostile, { ...hostile, tier: "possible" }],
    unknown: [{ path: name, why: "it is <b>not</b> text" }],
  });
  const outside = printed.replace(/(`{3,})diff\n[\s\S]*?\n *\1/g, "");
  expect(outside.replace(/<\/?(?:details|summary|code)>/g, "")).not.toMatch(
    /[<>@]|\]\(|&lt;|\*\*y|^- \*\*forged/m,
  );
  expect(printed).toContain("````diff");
  expect(printed).not.toContain("\u202e");
});
