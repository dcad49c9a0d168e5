import type { DriftInput } from "./change/change.ts";
import { analyzeChange } from "./change/change-model.ts";
import { learnPriors } from "./change/files/co-change.ts";
import { findFalseClaims } from "./claims/find-false.ts";
import { followHeadings } from "./claims/link/renamed-headings.ts";
import { type Asked, Tally } from "./claims/tally.ts";
import { dropBreakingEdits } from "./edit-checks.ts";
import { dropIgnored, type Finding, joinNotices, type Notice } from "./findings.ts";
import { isDocumentPath } from "./pages/policies.ts";
import { findLagging } from "./pages/translations.ts";
import { findPossible } from "./possible.ts";
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

/** The claims that a change made false, and after them the passages that it may have made false. */
export async function judgeChange(input: DriftInput, tally = new Tally()): Promise<Notice[]> {
  const change = analyzeChange(input);
  const proved = await dropBreakingEdits(await findFalseClaims(change, tally));
  const all = [...proved, ...(await findPossible(change, proved))];
  return followHeadings(dropIgnored(all), () => ({
    head: openStates(change).head,
    pages: change.linkingPages,
  }));
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
