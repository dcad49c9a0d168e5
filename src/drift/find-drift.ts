import type { DriftInput } from "./change.ts";
import { type Finding, joinNotices, type Notice } from "./findings.ts";
import { type Ground, layGround } from "./ground.ts";
import { findCompanions } from "./rules/companion.ts";
import { findDefaults } from "./rules/default.ts";
import { findMembers } from "./rules/member.ts";
import { findPaths } from "./rules/path.ts";
import { findPhrases } from "./rules/phrase.ts";
import { findRenames } from "./rules/rename.ts";
import { findRewrites } from "./rules/rewrite.ts";
import { findSiblings } from "./rules/sibling.ts";

const RULES: readonly ((ground: Ground) => Promise<Notice[]>)[] = [
  findRenames,
  findPhrases,
  findRewrites,
  findDefaults,
  findPaths,
  findMembers,
  findSiblings,
];

/** What the change made false in the documents, and what could not be told. */
export async function findDrift(
  input: DriftInput,
): Promise<{ findings: Finding[]; unknown: { path: string; why: string }[] }> {
  const ground = layGround(input);
  const notices: Notice[] = [];
  for (const rule of RULES) notices.push(...(await rule(ground)));
  notices.push(...findCompanions(ground, notices));
  return { findings: joinNotices(notices), unknown: [] };
}
