import type { DriftInput } from "./change/change.ts";
import { analyzeChange, type ChangeModel } from "./change/change-model.ts";
import { learnPriors } from "./change/files/co-change.ts";
import { confidenceOf, tierOf } from "./confidence/confidence.ts";
import { type Features, measureNotices } from "./confidence/features.ts";
import { closedGate } from "./confidence/gates.ts";
import { nameOf } from "./confidence/notice-name.ts";
import { dropBreakingEdits } from "./edit-checks.ts";
import { dropDoubtfulEdits } from "./edit-filters.ts";
import { findLagging } from "./finders/lagging-translations.ts";
import { findFurtherMentions } from "./finders/names/further-mentions.ts";
import { type Finding, joinNotices, type Notice } from "./findings.ts";
import { dropHalfRenames } from "./half-renames.ts";
import { createPace } from "./pace.ts";
import { findIgnoredLines, isDocumentPath } from "./pages/policies.ts";
import { rules } from "./rules.ts";

/** What could not be told, and why. */
export type Unknown = { readonly path: string; readonly why: string };

/**
 * What the change made false in the documents, and what could not be told. The same input gives the same findings,
 * byte for byte. Lines a page asks to leave alone are left alone.
 */
export async function findDrift(input: DriftInput): Promise<{ findings: Finding[]; unknown: Unknown[] }> {
  const notices = await judgeChange(input);
  const findings = joinNotices(notices);
  const lagging = joinNotices(dropIgnored(findLagging(input, findings)));
  return { findings: await rank([...findings, ...lagging], input), unknown: [...(input.unreadable ?? [])] };
}

/** What the rules notice about a change, each notice with its confidence and its tier. */
export async function judgeChange(input: DriftInput): Promise<Notice[]> {
  return joinVerdicts(await findCandidates(input)).map(toJudged);
}

/** Something a rule noticed, how sure we are of it, and the gate that holds it back, if one does. */
export type Candidate = {
  readonly notice: Notice;
  readonly features: Features;
  readonly confidence: number;
  readonly heldBy: string | null;
};

/** Everything the rules notice about a change, before passages are joined to findings. */
export async function findCandidates(input: DriftInput): Promise<Candidate[]> {
  const { change, notices } = await findNotices(input);
  const measured = await measureNotices(change, notices);
  return notices.map((notice) => {
    const features = measured.get(notice)!;
    const heldBy = closedGate(notice.kind, features);
    return { notice, features, confidence: confidenceOf(features), heldBy };
  });
}

/**
 * A name that went and a name that got a successor are one fact: where both are noticed on one line, the rename is said,
 * with the confidence of the surer one.
 */
function joinVerdicts(candidates: readonly Candidate[]): Candidate[] {
  const keyOf = ({ notice: { page, line, message } }: Candidate): string =>
    `${page.path}\0${line}\0${nameOf(message.old) ?? ""}`;
  const open = candidates.filter(
    ({ notice, heldBy }) => heldBy === null && nameOf(notice.message.old) !== null && NAMING.has(notice.kind),
  );
  const groups = Map.groupBy(open, keyOf);
  const isOpen = new Set(open);
  return candidates.flatMap((candidate) => {
    const group = isOpen.has(candidate) ? groups.get(keyOf(candidate))! : [];
    if (!group.some(({ notice }) => notice.kind === "rename")) return [candidate];
    if (candidate.notice.kind === "removal") return [];
    return [{ ...candidate, confidence: Math.max(...group.map(({ confidence }) => confidence)) }];
  });
}

const NAMING: ReadonlySet<string> = new Set(["rename", "removal"]);

/** The tier follows from the confidence; what a gate holds back is shown on request only. */
function toJudged({ notice, confidence, heldBy }: Candidate): Notice {
  return { ...notice, confidence, tier: heldBy === null ? tierOf(confidence) : "possible" };
}

/** What the rules notice, as each of them thinks of it, without the edits that would do harm. */
export async function findNotices(
  input: DriftInput,
): Promise<{ readonly change: ChangeModel; readonly notices: readonly Notice[] }> {
  const change = analyzeChange(input);
  const found = await runRules(change);
  const noticed = dropHalfRenames(dropDoubtfulEdits([...found, ...findFurtherMentions(found)]));
  const notices = dropIgnored(await dropBreakingEdits(noticed));
  return { change, notices };
}

/** Certain and likely findings in the order of pages; then possible ones, first on pages that changed with these files before. */
async function rank(findings: readonly Finding[], input: DriftInput): Promise<Finding[]> {
  const { sure = [], possible = [] } = Object.groupBy(findings, ({ tier }) =>
    tier === "possible" ? "possible" : "sure",
  );
  if (possible.length < 2 || !input.past) return [...sure, ...possible];
  const prior = learnPriors(await input.past(), isDocumentPath);
  const files = input.files.map(({ path }) => path);
  const weight = new Map(possible.map(({ path }) => [path, prior(path, files)]));
  // Sorting keeps the order of pages where the past says nothing.
  return [...sure, ...possible.sort((a, b) => weight.get(b.path)! - weight.get(a.path)!)];
}

/** What every rule notices about the change. A rule sees what the rules before it noticed. */
async function runRules(change: ChangeModel): Promise<Notice[]> {
  const notices: Notice[] = [];
  const pace = createPace();
  for (const [done, { find }] of rules.entries()) {
    if (!find) continue;
    await pace();
    await change.input.pause?.(done, rules.length);
    notices.push(...(await find(change, notices)));
  }
  return notices;
}

function dropIgnored(notices: readonly Notice[]): Notice[] {
  const byPage = Map.groupBy(notices, ({ page }) => page);
  return [...byPage].flatMap(([page, reported]) => {
    const isIgnored = findIgnoredLines(page.text);
    return reported.filter(({ line, endLine }) => !isIgnored(line) && !isIgnored(endLine));
  });
}
