import { findExcerpts, groupExcerpts, type OpenFinding } from "../../src/agents/fix/excerpts.ts";
import { termsOf } from "../../src/agents/fix/notice-terms.ts";
import { buildQuestion, sourcesOf } from "../../src/agents/fix/section-question.ts";
import { showParts } from "../../src/agents/fix/shown-parts.ts";
import type { SectionPlace } from "../../src/agents/gates/section/post-conditions.ts";
import { fixSection } from "../../src/agents/prompts/fix-section.ts";
import { indexLines, lineAt } from "../../src/text/model/lines.ts";
import { type CaseLine, openStaleCase } from "./stale-case.ts";

/** What the scorer needs of a request. */
export type RequestFacts = {
  readonly case: string;
  readonly path: string;
  readonly section: string;
  /** The whole page as people left it. */
  readonly human: string;
  readonly notices: readonly SectionPlace[];
  readonly sources: readonly string[];
};

export type CaseRequest = { readonly text: string; readonly facts: RequestFacts };

/** The questions of one commit: its code, with the documents of its parent. */
export async function buildCaseRequests(one: CaseLine, mirror: string): Promise<CaseRequest[]> {
  const stale = await openStaleCase(one, mirror);
  if (stale === null) return [];
  const { change } = stale;
  const asked = stale.findings.filter(({ tier }) => tier !== "possible");
  const requests: CaseRequest[] = [];
  for (const [path, here] of Map.groupBy(asked, (finding) => finding.path)) {
    const text = stale.before(path) ?? "";
    for (const sections of groupExcerpts(text, findExcerpts(path, text, here))) {
      const question = await buildQuestion(sections, { path, text }, { change, redact: String });
      const { instructions, prompt } = fixSection(question);
      const shown = showParts(
        text,
        sections.map(({ region }) => region),
      );
      const found = sections.flatMap(({ findings }) => findings);
      requests.push({
        text: `${instructions}\n\n----------\n\n${prompt}\n`,
        facts: {
          case: one.case_id,
          path,
          section: shown.text,
          human: stale.after(path) ?? "",
          notices: placesOf(found, text, 0).map((place) => ({
            ...place,
            firstLine: shown.lines.indexOf(place.firstLine),
            lastLine: shown.lines.indexOf(place.lastLine),
          })),
          sources: sourcesOf(question),
        },
      });
    }
  }
  return requests;
}

/** Findings as notices of a section that begins at an offset of its page. */
export function placesOf(findings: readonly OpenFinding[], text: string, start: number): SectionPlace[] {
  const first = lineAt(indexLines(text), start);
  return findings.map((finding) => ({
    firstLine: finding.startLine - 1 - first,
    lastLine: finding.endLine - 1 - first,
    terms: termsOf(finding),
    adds: finding.kind === "added",
  }));
}
