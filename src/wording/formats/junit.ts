import type { CheckReport, ReportedFinding } from "../../docs/check/report.ts";

/** JUnit XML: a test case for each finding, which fails unless the finding is only possible. */
export function printJunit(report: CheckReport): string {
  const { findings, unknown } = report;
  const failures = findings.filter(({ tier }) => tier !== "possible").length;
  const cases = [
    ...findings.map(caseOf),
    ...unknown.map(({ path, why }) =>
      testCase(path, "unknown", `<error message=${quoted(why)} type="unknown"/>`),
    ),
  ];
  const shown = cases.length > 0 ? cases : [testCase("the documents are true to the code", "check", "")];
  const counts = `tests="${shown.length}" failures="${failures}" errors="${unknown.length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="suture" ${counts}>`,
    `  <testsuite name="suture check" ${counts} skipped="${findings.length - failures}">`,
    ...shown.map((one) => `    ${one}`),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function caseOf({ id, path, startLine, tier, kind, message }: ReportedFinding): string {
  const body =
    tier === "possible"
      ? `<skipped message=${quoted(message)}/>`
      : `<failure message=${quoted(message)} type=${quoted(kind)}>${escaped(`${path}:${startLine} ${tier} ${message} [${id}]`)}</failure>`;
  return testCase(`${path}:${startLine} ${id}`, kind, body);
}

function testCase(name: string, className: string, body: string): string {
  return `<testcase name=${quoted(name)} classname=${quoted(`suture.${className}`)}>${body}</testcase>`;
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', "&quot;").replace(/\s+/g, " ")}"`;
}

/** XML has no way to write most control characters, so they are left out. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
