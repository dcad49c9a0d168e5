import type { ReportedFinding } from "../../docs/check/report.ts";
import { type CauseGroup, groupByCause, judgementText } from "../../wording/findings.ts";
import { paint } from "./paint.ts";
import { visible, visibleOnLine } from "./terminal.ts";

type Colour = { readonly colour: boolean };

const styles = { certain: "red", likely: "yellow", possible: "dim" } as const;

/** Findings for a person, those of one cause together: one text for each cause. */
export function paintFindings(findings: readonly ReportedFinding[], options: Colour): string[] {
  return groupByCause(findings).map((cause) =>
    cause.findings.length === 1 ? paintFinding(cause.findings[0]!, options) : paintCause(cause, options),
  );
}

/** One finding for a person: place, tier, why, its rule and id, the edit, and the line of code that proves it. */
export function paintFinding(finding: ReportedFinding, options: Colour): string {
  const { tier, kind, id, message } = finding;
  return [
    `${placeOf(finding, options)} ${paint(tier, styles[tier], options)} ${visibleOnLine(message)}`,
    paint(`  rule ${kind}, id ${id}`, "dim", options),
    ...verdictLines(finding, options),
    ...editLines(finding, options),
    ...proofLines(finding, options),
  ].join("\n");
}

function paintCause({ title, findings }: CauseGroup, options: Colour): string {
  const { tier, kind } = findings[0]!;
  return [
    `${paint(tier, styles[tier], options)} ${visibleOnLine(title)}`,
    paint(`  rule ${kind}`, "dim", options),
    ...proofLines(findings[0]!, options),
    ...findings.flatMap((finding) => [
      `  ${placeOf(finding, options)}${paint(`  id ${finding.id}`, "dim", options)}`,
      ...verdictLines(finding, options).map((line) => `  ${line}`),
      ...editLines(finding, options).map((line) => `  ${line}`),
    ]),
  ].join("\n");
}

function placeOf({ path, startLine }: ReportedFinding, options: Colour): string {
  return paint(`${visibleOnLine(path)}:${startLine}`, "bold", options);
}

function verdictLines(finding: ReportedFinding, options: Colour): string[] {
  const text = judgementText(finding);
  return text === null ? [] : [paint(`  ${visibleOnLine(text)}`, "dim", options)];
}

function editLines({ edits }: ReportedFinding, options: Colour): string[] {
  return edits.flatMap(({ old_string, new_string }) => [
    ...old_string.split("\n").map((line) => paint(`  - ${visible(line)}`, "red", options)),
    ...(new_string === ""
      ? []
      : new_string.split("\n").map((line) => paint(`  + ${visible(line)}`, "green", options))),
  ]);
}

function proofLines({ evidence: [first] }: ReportedFinding, options: Colour): string[] {
  if (first === undefined || (first.before === undefined && first.after === undefined)) return [];
  const { path, startLine, before, after } = first;
  return [
    paint(`    ${visibleOnLine(path)}:${startLine}`, "cyan", options),
    ...(before === undefined ? [] : [paint(`      before  ${visible(before.trim())}`, "dim", options)]),
    ...(after === undefined ? [] : [paint(`      after   ${visible(after.trim())}`, "dim", options)]),
  ];
}
