import { findBroken } from "../drift/audit.ts";
import { findDrift } from "../drift/find-drift.ts";
import type { Finding, Tier } from "../drift/findings.ts";
import type { Evidence } from "../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Splice } from "../text/model/splice.ts";
import { quoteEdits } from "../tools/quote-edits.ts";
import { findingText } from "../wording/findings.ts";
import type { Git } from "../workspace/git/git.ts";
import type { Reader } from "../workspace/workspace.ts";
import { askDrift, askWhole, type Range, type Unknown } from "./drift-input.ts";
import { freshLineage } from "./fresh-lineage.ts";
import { findSubjects } from "./subjects.ts";

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

const noRepository = {
  code: "unavailable",
  detail: "this folder is in no git repository, or git is not installed, so there is no change to check",
} as const;

/** What a change made false in the documents of a repository. */
export async function checkDrift(
  git: Git | null,
  reader: Reader | null,
  range: Range,
): Promise<Outcome<CheckReport>> {
  if (git === null) return refuse(noRepository);
  const asked = await askDrift(git, reader, range);
  if (!asked.ok) return asked;
  const { input, unknown, touched, keep } = asked.value;
  const drift = await findDrift(input);
  keep();
  const texts = new Map(input.documents.map(({ path, text, whole }) => [path, whole ?? text]));
  const findings = drift.findings.map((finding) => report(finding, texts.get(finding.path) ?? ""));
  const lineage = await freshLineage(git, reader, input.head, touched);
  const subjects = findSubjects({ input, touched, lineage });
  return accept({
    base: input.base,
    head: input.head,
    findings: [...findings, ...subjects.findings].sort(byPlace),
    unknown: [...unknown, ...drift.unknown, ...subjects.unknown],
  });
}

/** As the rules order them: by page, and from its top. */
function byPlace(a: ReportedFinding, b: ReportedFinding): number {
  return a.path === b.path ? a.startLine - b.startLine : a.path < b.path ? -1 : 1;
}

/** What the documents say that is false on its face, without a change to compare with. */
export async function checkAll(git: Git | null, reader: Reader | null): Promise<Outcome<CheckReport>> {
  if (git === null) return refuse(noRepository);
  const asked = await askWhole(git, reader);
  if (!asked.ok) return asked;
  const { input, head, unknown } = asked.value;
  const texts = new Map(input.documents.map(({ path, text, whole }) => [path, whole ?? text]));
  const findings = (await findBroken(input)).map((finding) => report(finding, texts.get(finding.path) ?? ""));
  return accept({ base: head, head, findings, unknown });
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
