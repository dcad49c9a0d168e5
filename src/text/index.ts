export {
  /** @deprecated since 0.2: `diffTexts`. */
  compareTexts,
  compareTexts as diffTexts,
} from "./diff/compare.ts";
export { createPatch, type FileDiff, printDiff, printPlanDiff } from "./diff/diff.ts";
export {
  /** @deprecated since 0.2: internal, without a replacement. */
  nearestName,
} from "./match/enclosing-heading.ts";
export { explainMiss, type Miss } from "./match/explain.ts";
export {
  /** @deprecated since 0.2: `planEdits`. */
  placeHunks,
} from "./match/hunks/place-hunks.ts";
export {
  /** @deprecated since 0.2: internal, without a replacement. */
  type Located,
  /** @deprecated since 0.2: `findQuote`, or `planEdits` for one place. */
  locateQuote,
} from "./match/locate.ts";
export { type FindOptions, type Found, findQuote } from "./match/quote.ts";
export { type MergeConflict, type Merged, mergeThreeWay } from "./merge/merge.ts";
export type { Clash } from "./merge/merge-splices.ts";
export {
  type Rebased,
  /** @deprecated since 0.2: `rebaseSplices`. */
  rebase,
  rebase as rebaseSplices,
} from "./merge/rebase.ts";
export type {
  Edit,
  Evidence,
  FileMode,
  Fit,
  HunksTarget,
  LineTarget,
  QuoteTarget,
  RegionTarget,
} from "./model/edit.ts";
export {
  /** @deprecated since 0.2: internal, without a replacement. */
  byteOrderMark,
  type Decoded,
  decode,
  type Encoding,
  encode,
  spliceBytes,
} from "./model/encoding.ts";
export type { Hunk, HunkLine } from "./model/hunk.ts";
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
} from "./model/lines.ts";
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
} from "./model/outcome.ts";
export { type Change, type Landing, type Note, type Plan, pathsOf, planEdits } from "./model/plan.ts";
export {
  checkProof,
  type Proof,
  /** @deprecated since 0.2: `createProof`. */
  prove,
  prove as createProof,
} from "./model/proof.ts";
export {
  /** @deprecated since 0.2: internal, without a replacement. */
  contain,
  /** @deprecated since 0.2: internal, without a replacement. */
  overlap,
  type Region,
} from "./model/region.ts";
export type { Snapshot } from "./model/snapshot.ts";
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
} from "./model/splice.ts";
export { type ApplyPatchOptions, applyPatch } from "./patch/apply-patch.ts";
export {
  /** @deprecated since 0.2: `detectFormat`. */
  detect,
  detect as detectFormat,
  type PatchFormat,
  parseEdits,
} from "./patch/detect.ts";
export {
  /** @deprecated since 0.2: `parseEdits`. */
  parseUnified,
} from "./patch/unified.ts";
