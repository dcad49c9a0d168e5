import type { Tier } from "../../drift/findings.ts";
import { documentClass } from "../../drift/pages/policies.ts";
import { rules } from "../../drift/rules.ts";
import { formatAt } from "../../syntax/formats/registry.ts";
import type { EditCounts } from "../../wording/findings.ts";
import { gate } from "../../workspace/paths/paths.ts";
import type { CheckReport, ReportedEdit, ReportedFinding } from "../check/report.ts";

/** A person's answer about a finding: yes, no, or its edits in the person's own words. `undefined`: there is no answer. */
export type EditDecision = boolean | readonly ReportedEdit[] | undefined;

export type AskedAbout = { readonly concern: PageConcern | null };

/** Which edits may be made without a question, and how many in all. */
export type Choice = {
  readonly tiers: readonly Tier[];
  readonly limit?: number | undefined;
  /** Asks a person about one edit. Without it, doubtful edits are left. */
  readonly ask?: ((finding: ReportedFinding, about: AskedAbout) => Promise<EditDecision>) | undefined;
  /** A person has agreed to every likely edit, and to those of pages that need consent. */
  readonly agreed?: boolean | undefined;
  /** A model judges the likely edits of ordinary pages before they are made. */
  readonly judged?: boolean | undefined;
};

export type Chosen = {
  /** The report, whose findings keep only the edits that are to be made. */
  readonly report: CheckReport;
  /** The report with the edits that a person wrote. */
  readonly worded: CheckReport;
  /** The findings that a person said no to. */
  readonly declined: ReadonlySet<ReportedFinding>;
};

/** Decides which edits of a report are made. Some pages are edited only with a person's consent. */
export async function chooseEdits(report: CheckReport, choice: Choice): Promise<Chosen> {
  const { limit = Number.POSITIVE_INFINITY } = choice;
  const declined = new Set<ReportedFinding>();
  const findings: ReportedFinding[] = [];
  const worded: ReportedFinding[] = [];
  let taken = 0;
  for (const found of report.findings) {
    const isOpen = taken < limit && found.edits.length > 0;
    const answer = isOpen ? await decide(found, choice) : undefined;
    const finding = typeof answer === "object" ? { ...found, edits: answer } : found;
    const isTaken = answer !== undefined && answer !== false;
    if (answer === false) declined.add(finding);
    if (isTaken) taken++;
    findings.push(isTaken ? finding : { ...finding, edits: [] });
    worded.push(finding);
  }
  return { report: { ...report, findings }, worded: { ...report, findings: worded }, declined };
}

async function decide(
  finding: ReportedFinding,
  { tiers, agreed = false, judged = false, ask }: Choice,
): Promise<EditDecision> {
  if (finding.tier === "possible") return undefined;
  const concern = concernAbout(finding.path);
  if (agreed && judged && finding.tier !== "certain" && concern !== "instructions") return undefined;
  if (agreed || (tiers.includes(finding.tier) && concern === null)) return true;
  return ask?.(finding, { concern });
}

/**
 * Findings that a model may still be asked about: passages rather than whole pages, none that a person has declined or a
 * program writes, and no page that instructs agents.
 */
export function findOpen(
  report: CheckReport,
  fixed: readonly ReportedFinding[],
  declined: ReadonlySet<ReportedFinding> = new Set(),
): ReportedFinding[] {
  // Ids repeat where lines do, so findings are told apart as values.
  const settled = new Set([...fixed, ...declined]);
  return report.findings.filter((finding) => {
    const { path, kind, generator } = finding;
    if (generator !== undefined) return false;
    return !settled.has(finding) && !isAboutPage(kind) && !isInstructions(path) && !isNotebook(path);
  });
}

/** Whether a finding is about a whole page and not about a passage, for example because the subject of the page changed. */
export function isAboutPage(kind: string): boolean {
  return kind === "subject" || rules.some(({ name, wholePage = false }) => wholePage && name === kind);
}

/** A notebook is JSON, which a model must not write. */
function isNotebook(path: string): boolean {
  return formatAt(path).name === "notebook";
}

/** Whether a page tells agents what to do, so that an edit of it changes what they will do. */
export function isInstructions(path: string): boolean {
  return documentClass(path) === "instructions";
}

/** Why an edit of a page needs a person's consent: it tells agents what to do, or programs read files of its name. */
export type PageConcern = "instructions" | "hidden";

/** What speaks against editing a page unasked; null where nothing does. */
export function concernAbout(path: string): PageConcern | null {
  if (isInstructions(path)) return "instructions";
  return gate(path, "write").ok ? null : "hidden";
}

/** What stands in a path for bytes that are not UTF-8: no file of that name can be written. */
const notUtf8 = "\uFFFD";

/** Counts the edits that `fix` makes unasked, those it asks about, and the findings without an edit that it could write. */
export function countEdits({ findings }: CheckReport): EditCounts {
  const gating = findings.filter(({ tier }) => tier !== "possible");
  const open = gating.filter(({ path, edits }) => edits.length > 0 && !path.includes(notUtf8));
  const plain = open.filter(({ path }) => concernAbout(path) === null);
  const made = plain.filter(({ tier }) => tier === "certain").length;
  const asked = open.length - made;
  return { made, asked, guarded: open.length - plain.length, left: gating.length - open.length };
}
