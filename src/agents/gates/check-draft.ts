import { checkCharacters } from "./characters.ts";
import { checkEmbedding } from "./embedding.ts";
import { checkHiddenText } from "./hidden-text.ts";
import { checkInstallSources } from "./install-sources.ts";
import type { KnownFacts } from "./known-facts.ts";
import { checkLinks } from "./links.ts";
import { checkMarkup } from "./markup.ts";
import { checkNames } from "./names.ts";
import { type DraftedPage, type GateVerdict, merge } from "./objection.ts";
import { checkReasons } from "./reasons.ts";
import { checkSafety } from "./safety.ts";
import { checkShape } from "./shape.ts";
import { checkLoss, checkSize, defaultSizeLimits, type SizeLimits } from "./size.ts";

export type Checks = {
  readonly facts: KnownFacts;
  /** Values that must never appear. */
  readonly secrets: readonly string[];
  /** The commits that a reason may cite. */
  readonly commits: readonly string[];
  readonly limits?: SizeLimits;
};

/** Runs every gate for a model's text before it may be written. Code decides; no model is asked. */
export async function checkDraft(draft: DraftedPage, checks: Checks): Promise<GateVerdict> {
  const { facts, secrets, commits, limits = defaultSizeLimits } = checks;
  return merge([
    checkSafety(draft, secrets),
    checkInstallSources(draft, facts),
    checkNames(draft, facts),
    checkLinks(draft, facts),
    checkMarkup(draft, facts),
    checkEmbedding(draft, facts),
    checkCharacters(draft),
    checkHiddenText(draft),
    await checkShape(draft),
    checkSize(draft, limits),
    checkLoss(draft),
    checkReasons(draft, facts, commits),
  ]);
}
