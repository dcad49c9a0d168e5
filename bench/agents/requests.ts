import { findExcerpts, type OpenFinding } from "../../src/agents/fix/excerpts.ts";
import { termsOf } from "../../src/agents/fix/notice-terms.ts";
import { buildQuestion, sourcesOf } from "../../src/agents/fix/section-question.ts";
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
    for (const excerpt of findExcerpts(path, text, here)) {
      const { region } = excerpt;
      const question = await buildQuestion(excerpt, { path, text, region }, { change, redact: String });
      const { instructions, prompt } = fixSection(question);
      requests.push({
        text: `${instructions}\n\n----------\n\n${prompt}\n`,
        facts: {
          case: one.case_id,
          path,
          section: text.slice(region.start, region.end),
          human: stale.after(path) ?? "",
          notices: placesOf(excerpt.findings, text, region.start),
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
