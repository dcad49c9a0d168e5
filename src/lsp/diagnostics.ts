import {
  type Diagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  type Range,
} from "vscode-languageserver";
import type { ReportedFinding, Unknown } from "../docs/check/report.ts";
import type { Tier } from "../drift/findings.ts";
import { createPace } from "../drift/pace.ts";
import { defined } from "../text/model/defined.ts";
import type { Evidence } from "../text/model/edit.ts";
import { editorText } from "../wording/lsp.ts";
import type { PageViews } from "./page-views.ts";
import { uriOf } from "./places.ts";

const severities: Readonly<Record<Tier, DiagnosticSeverity>> = {
  certain: DiagnosticSeverity.Error,
  likely: DiagnosticSeverity.Warning,
  possible: DiagnosticSeverity.Information,
};

/** A diagnostic on a passage carries the finding's id, so that a request about it finds the finding again. */
export type PassageDiagnostic = Diagnostic & { readonly data: { readonly id: string } };

/** The diagnostics of a check, by path: passages on pages, and on code the lines that changed what pages name. */
export async function diagnose(
  views: PageViews,
  rulesPage: string | null,
): Promise<Map<string, Diagnostic[]>> {
  const { outcome } = views.checked;
  const byPath = new Map<string, Diagnostic[]>();
  if (!outcome.ok) return byPath;
  const add = (path: string, diagnostic: Diagnostic | null): void => {
    const known = byPath.get(path);
    if (diagnostic && known) known.push(diagnostic);
    else if (diagnostic) byPath.set(path, [diagnostic]);
  };
  const pace = createPace();
  const { findings, unknown } = outcome.value;
  for (const finding of findings) {
    await pace();
    add(finding.path, await toDiagnostic(views, finding, rulesPage));
  }
  for (const one of unknown) add(one.path, await unknownDiagnostic(views, one));
  for (const [{ path, line }, named] of groupByLine(findings))
    add(path, await codeDiagnostic(views, { path, line, findings: named }));
  return byPath;
}

async function toDiagnostic(
  views: PageViews,
  finding: ReportedFinding,
  rulesPage: string | null,
): Promise<PassageDiagnostic | null> {
  const range = await rangeOf(views, finding);
  if (range === null) return null;
  const related = await Promise.all(finding.evidence.map((one) => relatedCode(views, one)));
  return {
    range,
    severity: severities[finding.tier],
    source: "suture",
    code: finding.kind,
    ...defined({
      codeDescription: rulesPage === null ? undefined : { href: `${rulesPage}#${finding.kind}` },
    }),
    message: finding.message,
    relatedInformation: related.filter((one) => one !== null),
    data: { id: finding.id },
  };
}

/** The range of the passage of a finding. */
export async function rangeOf(views: PageViews, finding: ReportedFinding): Promise<Range | null> {
  const [positions, region] = [await views.positions(finding.path), await views.passage(finding)];
  return positions && region ? positions.range(region) : null;
}

/** The line of code that proves a finding, where it can still be opened. */
async function relatedCode(views: PageViews, one: Evidence): Promise<DiagnosticRelatedInformation | null> {
  const positions = await views.positions(one.path);
  const message = (one.after ?? one.before ?? "").trim();
  if (positions === null || message === "") return null;
  const uri = uriOf({ repository: views.repository, path: one.path });
  return { location: { uri, range: positions.range(positions.line(one.startLine - 1)) }, message };
}

async function unknownDiagnostic(views: PageViews, { path, why }: Unknown): Promise<Diagnostic> {
  const positions = await views.positions(path);
  const start = { line: 0, character: 0 };
  return {
    range: positions ? positions.range(positions.line(0)) : { start, end: start },
    severity: DiagnosticSeverity.Information,
    source: "suture",
    message: editorText.notLooked(why),
  };
}

type CodeLine = {
  readonly path: string;
  readonly line: number;
  readonly findings: readonly ReportedFinding[];
};

/** Lines of code at the head that prove findings, each with the findings that it proves. */
export function groupByLine(
  findings: readonly ReportedFinding[],
): Map<{ readonly path: string; readonly line: number }, ReportedFinding[]> {
  const places = new Map<string, { readonly path: string; readonly line: number }>();
  const groups = new Map<{ readonly path: string; readonly line: number }, ReportedFinding[]>();
  for (const finding of findings) {
    if (finding.tier === "possible") continue;
    for (const { path, startLine, after } of finding.evidence) {
      if (after === undefined) continue;
      const key = `${path}\0${startLine}`;
      const place = places.get(key) ?? { path, line: startLine - 1 };
      places.set(key, place);
      const known = groups.get(place);
      if (!known) groups.set(place, [finding]);
      else if (known.at(-1) !== finding) known.push(finding);
    }
  }
  return groups;
}

async function codeDiagnostic(
  views: PageViews,
  { path, line, findings }: CodeLine,
): Promise<Diagnostic | null> {
  const positions = await views.positions(path);
  if (positions === null) return null;
  const region = positions.line(line);
  const indent = /^\s*/.exec(positions.text.slice(region.start, region.end))![0].length;
  const related = await Promise.all(findings.slice(0, mostRelated).map((one) => relatedPassage(views, one)));
  return {
    range: positions.range({ start: region.start + indent, end: region.end }),
    severity: DiagnosticSeverity.Information,
    source: "suture",
    message: editorText.named(findings.length),
    relatedInformation: related.filter((one) => one !== null),
  };
}

const mostRelated = 20;

async function relatedPassage(
  views: PageViews,
  finding: ReportedFinding,
): Promise<DiagnosticRelatedInformation | null> {
  const range = await rangeOf(views, finding);
  const uri = uriOf({ repository: views.repository, path: finding.path });
  return range && { location: { uri, range }, message: finding.message };
}
