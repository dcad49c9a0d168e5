import type { Ground } from "./ground.ts";
import { checkLinks } from "./links.ts";
import { checkNames } from "./names.ts";
import { type Draft, merge, type Verdict } from "./objection.ts";
import { checkReasons } from "./reasons.ts";
import { checkSafety } from "./safety.ts";
import { checkShape } from "./shape.ts";
import { checkSize, defaultSizeLimits, type SizeLimits } from "./size.ts";

export type Checks = {
  readonly ground: Ground;
  /** Values that may never appear. */
  readonly secrets: readonly string[];
  /** Commits a reason may cite. */
  readonly commits: readonly string[];
  readonly limits?: SizeLimits;
};

/** Every gate that text made by a model passes before it may be written. Code decides; nothing is asked of a model. */
export async function checkDraft(draft: Draft, checks: Checks): Promise<Verdict> {
  const { ground, secrets, commits, limits = defaultSizeLimits } = checks;
  return merge([
    checkSafety(draft, secrets),
    checkNames(draft, ground),
    checkLinks(draft, ground),
    await checkShape(draft),
    checkSize(draft, limits),
    checkReasons(draft, ground, commits),
  ]);
}
