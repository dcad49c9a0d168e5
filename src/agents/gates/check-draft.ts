import type { KnownFacts } from "./known-facts.ts";
import { checkLinks } from "./links.ts";
import { checkNames } from "./names.ts";
import { type DraftedPage, type GateVerdict, merge } from "./objection.ts";
import { checkReasons } from "./reasons.ts";
import { checkSafety } from "./safety.ts";
import { checkShape } from "./shape.ts";
import { checkSize, defaultSizeLimits, type SizeLimits } from "./size.ts";

export type Checks = {
  readonly facts: KnownFacts;
  /** Values that may never appear. */
  readonly secrets: readonly string[];
  /** Commits a reason may cite. */
  readonly commits: readonly string[];
  readonly limits?: SizeLimits;
};

/** Every gate that text made by a model passes before it may be written. Code decides; nothing is asked of a model. */
export async function checkDraft(draft: DraftedPage, checks: Checks): Promise<GateVerdict> {
  const { facts, secrets, commits, limits = defaultSizeLimits } = checks;
  return merge([
    checkSafety(draft, secrets),
    checkNames(draft, facts),
    checkLinks(draft, facts),
    await checkShape(draft),
    checkSize(draft, limits),
    checkReasons(draft, facts, commits),
  ]);
}
