import type { DriftInput } from "./change/change.ts";
import { type Ground, layGround } from "./change/change-model.ts";
import { learnPriors } from "./change/co-change.ts";
import { dropDoubtfulEdits } from "./edit-filters.ts";
import { type Finding, joinNotices, type Notice } from "./findings.ts";
import { findIgnoredLines, isDocumentPath } from "./pages/policies.ts";
import { findDefaults } from "./rules/default.ts";
import { findDeprecations } from "./rules/deprecation.ts";
import { findEnumerations } from "./rules/enumeration.ts";
import { findBrokenLinks } from "./rules/link.ts";
import { findMembers } from "./rules/member.ts";
import { findParameters } from "./rules/parameter.ts";
import { findPaths } from "./rules/path.ts";
import { findPhrases } from "./rules/phrase.ts";
import { findRenames } from "./rules/rename.ts";
import { findRewrites } from "./rules/rewrite.ts";
import { findCompanions } from "./rules/sample-lines.ts";
import { findScripts } from "./rules/script.ts";
import { findSiblings } from "./rules/sibling.ts";
import { findSnippets } from "./rules/snippet.ts";
import { findLagging } from "./rules/translation.ts";
import { findUnsupported } from "./rules/unsupported.ts";
import { findVersions } from "./rules/version.ts";

const RULES: readonly ((ground: Ground) => Promise<Notice[]>)[] = [
  findRenames,
  findPhrases,
  findRewrites,
  findParameters,
  findDefaults,
  findDeprecations,
  findEnumerations,
  findPaths,
  findBrokenLinks,
  findMembers,
  findScripts,
  findSnippets,
  findSiblings,
  findUnsupported,
  findVersions,
];

/** What could not be told, and why. */
export type Unknown = { readonly path: string; readonly why: string };

/**
 * What the change made false in the documents, and what could not be told. The same input gives the same findings,
 * byte for byte. Lines a page asks to leave alone are left alone.
 */
export async function findDrift(input: DriftInput): Promise<{ findings: Finding[]; unknown: Unknown[] }> {
  const notices = dropIgnored(dropDoubtfulEdits(await hearRules(layGround(input))));
  const findings = joinNotices(notices);
  const lagging = joinNotices(dropIgnored(findLagging(input, findings)));
  return { findings: await rank([...findings, ...lagging], input), unknown: [...(input.unreadable ?? [])] };
}

/** What gates in the order of pages; then what may be looked at, first the pages that moved with these files before. */
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

/** What every rule says about the change, before any of it is joined or left out. */
async function hearRules(ground: Ground): Promise<Notice[]> {
  const notices: Notice[] = [];
  for (const rule of RULES) notices.push(...(await rule(ground)));
  notices.push(...findCompanions(ground, notices));
  return notices;
}

function dropIgnored(notices: readonly Notice[]): Notice[] {
  const byPage = Map.groupBy(notices, ({ page }) => page);
  return [...byPage].flatMap(([page, spoken]) => {
    const isIgnored = findIgnoredLines(page.text);
    return spoken.filter(({ line, endLine }) => !isIgnored(line) && !isIgnored(endLine));
  });
}
