import { findDrift } from "../drift/find-drift.ts";
import type { Finding, Tier } from "../drift/findings.ts";
import type { Evidence } from "../text/edit.ts";
import { accept, type Outcome, refuse } from "../text/outcome.ts";
import type { Splice } from "../text/splice.ts";
import type { Git } from "../workspace/git.ts";
import type { Reader } from "../workspace/workspace.ts";
import { askDrift, type Range, type Unknown } from "./drift-input.ts";
import { findingText } from "./drift-words.ts";
import { quoteEdits } from "./quote-edits.ts";

export type ReportedEdit = {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly reason: string;
};

/** A finding as every door shows it. */
export type ReportedFinding = {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly tier: Tier;
  readonly kind: string;
  readonly message: string;
  readonly evidence: readonly Evidence[];
  readonly edits: readonly ReportedEdit[];
};

export type CheckReport = {
  readonly base: string;
  readonly head: string;
  readonly findings: readonly ReportedFinding[];
  readonly unknown: readonly Unknown[];
};

/** What a change made false in the documents of a repository. */
export async function checkDrift(
  git: Git | null,
  reader: Reader | null,
  range: Range,
): Promise<Outcome<CheckReport>> {
  if (git === null)
    return refuse({
      code: "unavailable",
      detail: "this folder is in no git repository, or git is not installed, so there is no change to check",
    });
  const asked = await askDrift(git, reader, range);
  if (!asked.ok) return asked;
  const { input, unknown, keep } = asked.value;
  const drift = await findDrift(input);
  keep();
  const texts = new Map(input.documents.map(({ path, text }) => [path, text]));
  const findings = drift.findings.map((finding) => report(finding, texts.get(finding.path) ?? ""));
  return accept({ base: input.base, head: input.head, findings, unknown: [...unknown, ...drift.unknown] });
}

function report(finding: Finding, text: string): ReportedFinding {
  const splices: Splice[] = finding.edits.flatMap((edit) =>
    "region" in edit.target && "text" in edit ? [{ region: edit.target.region, text: edit.text }] : [],
  );
  const reason = findingText(finding);
  return {
    id: finding.id,
    path: finding.path,
    startLine: finding.startLine,
    endLine: finding.endLine,
    tier: finding.tier,
    kind: finding.kind,
    message: reason,
    evidence: finding.evidence,
    edits: quoteEdits(text, splices).map(({ old_string, new_string }) => ({
      path: finding.path,
      old_string,
      new_string,
      reason,
    })),
  };
}
