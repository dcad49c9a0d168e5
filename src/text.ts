export {
  /** @deprecated since 0.2: `diffTexts`. */
  compareTexts,
  compareTexts as diffTexts,
} from "./text/diff/compare.ts";
export { createPatch, type FileDiff, printDiff, printPlanDiff } from "./text/diff/diff.ts";
export {
  /** @deprecated since 0.2: internal, without a replacement. */
  nearestName,
} from "./text/match/enclosing-heading.ts";
export { explainMiss, type Miss } from "./text/match/explain.ts";
export {
  /** @deprecated since 0.2: `planEdits`. */
  placeHunks,
} from "./text/match/hunks/place-hunks.ts";
export {
  /** @deprecated since 0.2: internal, without a replacement. */
  type Located,
  /** @deprecated since 0.2: `findQuote`, or `planEdits` for one place. */
  locateQuote,
} from "./text/match/locate.ts";
export { type FindOptions, type Found, findQuote } from "./text/match/quote.ts";
export { type MergeConflict, type Merged, mergeThreeWay } from "./text/merge/merge.ts";
export type { Clash } from "./text/merge/merge-splices.ts";
export {
  type Rebased,
  /** @deprecated since 0.2: `rebaseSplices`. */
  rebase,
  rebase as rebaseSplices,
} from "./text/merge/rebase.ts";
export type {
  Edit,
  Evidence,
  FileMode,
  Fit,
  HunksTarget,
  LineTarget,
  QuoteTarget,
  RegionTarget,
} from "./text/model/edit.ts";
export {
  /** @deprecated since 0.2: internal, without a replacement. */
  byteOrderMark,
  type Decoded,
  decode,
  type Encoding,
  encode,
  spliceBytes,
} from "./text/model/encoding.ts";
export type { Hunk, HunkLine } from "./text/model/hunk.ts";
export {
  /** @deprecated since 0.2: internal, without a replacement. */
  contentEnd,
  /** @deprecated since 0.2: internal, without a replacement. */
  type Ending,
  /** @deprecated since 0.2: internal, without a replacement. */
  endingAt,
  /** @deprecated since 0.2: internal, without a replacement. */
  indexLines,
  /** @deprecated since 0.2: `planEdits` with a line target. */
  insertLines,
  /** @deprecated since 0.2: internal, without a replacement. */
  type Lines,
  /** @deprecated since 0.2: internal, without a replacement. */
  lineAt,
  /** @deprecated since 0.2: internal, without a replacement. */
  lineContent,
  /** @deprecated since 0.2: internal, without a replacement. */
  lineEnd,
  /** @deprecated since 0.2: internal, without a replacement. */
  lineNumber,
} from "./text/model/lines.ts";
export {
  /** @deprecated since 0.2: `ok`. */
  accept,
  accept as ok,
  type Difference,
  type MissCause,
  type Outcome,
  type Passage,
  type Place,
  type Refusal,
  type RefusalCode,
  RefusalError,
  type Rival,
  refuse,
  type Versions,
} from "./text/model/outcome.ts";
export { type Change, type Landing, type Note, type Plan, pathsOf, planEdits } from "./text/model/plan.ts";
export {
  checkProof,
  type Proof,
  /** @deprecated since 0.2: `createProof`. */
  prove,
  prove as createProof,
} from "./text/model/proof.ts";
export {
  /** @deprecated since 0.2: internal, without a replacement. */
  contain,
  /** @deprecated since 0.2: internal, without a replacement. */
  overlap,
  type Region,
} from "./text/model/region.ts";
export type { Snapshot } from "./text/model/snapshot.ts";
export {
  applySplices,
  /** @deprecated since 0.2: `composeSplices`. */
  compose,
  compose as composeSplices,
  /** @deprecated since 0.2: `invertSplices`. */
  invert,
  invert as invertSplices,
  mapOffset,
  type Splice,
  /** @deprecated since 0.2: internal, without a replacement. */
  tidy,
} from "./text/model/splice.ts";
export { type ApplyPatchOptions, applyPatch } from "./text/patch/apply-patch.ts";
export {
  /** @deprecated since 0.2: `detectFormat`. */
  detect,
  detect as detectFormat,
  type PatchFormat,
  parseEdits,
} from "./text/patch/detect.ts";
export {
  /** @deprecated since 0.2: `parseEdits`. */
  parseUnified,
} from "./text/patch/unified.ts";
export { describeRefusal } from "./wording/refusals/describe.ts";
