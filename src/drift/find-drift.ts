import { placeOf } from "./binding/foreign.ts";
import type { DriftInput } from "./change/change.ts";
import { analyzeChange, type ChangeModel } from "./change/change-model.ts";
import { learnPriors } from "./change/files/co-change.ts";
import { findFalseClaims } from "./claims/find-false.ts";
import { followHeadings } from "./claims/link/renamed-headings.ts";
import { type Asked, Tally } from "./claims/tally.ts";
import { confidenceOf, tierOf } from "./confidence/confidence.ts";
import { type Features, measureNotices } from "./confidence/features.ts";
import { nameOf } from "./confidence/notice-name.ts";
import { suppressionOf } from "./confidence/suppressions.ts";
import { dropBreakingEdits } from "./edit-checks.ts";
import { dropDoubtfulEdits } from "./edit-filters.ts";
import { findLagging } from "./finders/lagging-translations.ts";
import { findFurtherMentions } from "./finders/names/further-mentions.ts";
import { dropIgnored, type Finding, joinNotices, type Notice } from "./findings.ts";
import { dropHalfRenames } from "./half-renames.ts";
import { createPace } from "./pace.ts";
import { isDocumentPath } from "./pages/policies.ts";
import { statementAt } from "./pages/statements.ts";
import { rules } from "./rules.ts";
import { openStates } from "./state/states.ts";

/** A file that could not be checked, and why. */
export type Unknown = { readonly path: string; readonly why: string };

/**
 * The passages that the change made false, and the files that could not be checked. The same input gives the same
 * findings, byte for byte. Lines that a page asks to ignore are ignored.
 */
export async function findDrift(
  input: DriftInput,
): Promise<{ findings: Finding[]; unknown: Unknown[]; asked: Asked }> {
  const tally = new Tally();
  const notices = await judgeChange(input, tally);
  const findings = joinNotices(notices);
  const lagging = joinNotices(dropIgnored(findLagging(input, findings)));
  const unknown = [...(input.unreadable ?? [])];
  return { findings: await rank([...findings, ...lagging], input), unknown, asked: tally.total() };
}

/** The notices of all rules about a change, each with its confidence and its tier. */
export async function judgeChange(input: DriftInput, tally = new Tally()): Promise<Notice[]> {
  const { change, notices } = await findNotices(input);
  const open = await dropForeign(change, notices);
  const judged = joinVerdicts(await measure(change, open)).map(toJudged);
  const proved = await findFalseClaims(change, tally);
  const all = [...dropHalfRenames(judged, ({ tier }) => tier !== "possible"), ...proved];
  return followHeadings(all, () => ({ head: openStates(change).head, pages: change.linkingPages }));
}

/** The notices without names of other programs' commands and other tools' settings. */
async function dropForeign(change: ChangeModel, notices: readonly Notice[]): Promise<Notice[]> {
  const { base } = openStates(change);
  const kept: Notice[] = [];
  for (const notice of notices) {
    const name = notice.message.old?.replace(/^-+/, "");
    const start = notice.splice?.region.start ?? notice.page.read().lines[notice.line]!.start;
    const at = name === undefined ? -1 : notice.page.text.indexOf(name, start);
    const statement = at < 0 ? undefined : statementAt(notice.page, at);
    const place = statement && (await placeOf(statement, at, name!, base));
    if (place !== "foreign") kept.push(notice);
  }
  return kept;
}

/** A notice with its features and its confidence, and the reason why it is suppressed, if it is. */
export type Candidate = {
  readonly notice: Notice;
  readonly features: Features;
  readonly confidence: number;
  readonly suppressedBy: string | null;
};

/** Every notice about a change, before notices are joined to findings. */
export async function findCandidates(input: DriftInput): Promise<Candidate[]> {
  const { change, notices } = await findNotices(input);
  return measure(change, notices);
}

async function measure(change: ChangeModel, notices: readonly Notice[]): Promise<Candidate[]> {
  const measured = await measureNotices(change, notices);
  return notices.map((notice) => {
    const features = measured.get(notice)!;
    const suppressedBy = suppressionOf(notice.kind, features);
    return { notice, features, confidence: confidenceOf(features), suppressedBy };
  });
}

/**
 * A removal and a rename of one name on one line are one fact. The rename is reported, with the higher of the two
 * confidences.
 */
function joinVerdicts(candidates: readonly Candidate[]): Candidate[] {
  const keyOf = ({ notice: { page, line, message } }: Candidate): string =>
    `${page.path}\0${line}\0${nameOf(message.old) ?? ""}`;
  const open = candidates.filter(
    ({ notice, suppressedBy }) =>
      suppressedBy === null && nameOf(notice.message.old) !== null && NAMING.has(notice.kind),
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

/** The tier follows from the confidence. A suppressed notice is shown only on request. */
function toJudged({ notice, confidence, suppressedBy }: Candidate): Notice {
  return { ...notice, confidence, tier: suppressedBy === null ? tierOf(confidence) : "possible" };
}

/** The notices with the tiers that the rules gave them, without the edits that would do harm. */
export async function findNotices(
  input: DriftInput,
): Promise<{ readonly change: ChangeModel; readonly notices: readonly Notice[] }> {
  const pace = createPace();
  const change = analyzeChange(input);
  await pace();
  const found = await runRules(change);
  const noticed = dropHalfRenames(dropDoubtfulEdits([...found, ...findFurtherMentions(found)]));
  const notices = dropIgnored(await dropBreakingEdits(noticed));
  return { change, notices };
}

/** Certain and likely findings by page; then possible ones, pages that often changed with these files first. */
async function rank(findings: readonly Finding[], input: DriftInput): Promise<Finding[]> {
  const { sure = [], possible = [] } = Object.groupBy(findings, ({ tier }) =>
    tier === "possible" ? "possible" : "sure",
  );
  if (possible.length < 2 || !input.past) return [...sure, ...possible];
  const prior = learnPriors(await input.past(), isDocumentPath);
  const files = new Set(input.files.map(({ path }) => path));
  const weight = new Map(possible.map(({ path }) => [path, prior(path, files)]));
  // Pages without a past keep their order, because sorting is stable.
  return [...sure, ...possible.sort((a, b) => weight.get(b.path)! - weight.get(a.path)!)];
}

/** Runs the rules in order. A rule sees the notices of the rules before it. */
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
