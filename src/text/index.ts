export { compareTexts } from "./diff/compare.ts";
export { printDiff, printPlanDiff } from "./diff/diff.ts";
export { nearestName } from "./match/enclosing-heading.ts";
export { explainMiss, type Miss } from "./match/explain.ts";
export { type Located, locateQuote } from "./match/locate.ts";
export { placeHunks } from "./match/place-hunks.ts";
export { type Found, findQuote } from "./match/quote.ts";
export { mergeThreeWay } from "./merge/merge.ts";
export { rebase } from "./merge/rebase.ts";
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
export { byteOrderMark, type Decoded, decode, type Encoding, encode, spliceBytes } from "./model/encoding.ts";
export type { Hunk, HunkLine } from "./model/hunk.ts";
export {
  contentEnd,
  type Ending,
  endingAt,
  indexLines,
  insertLines,
  type Lines,
  lineAt,
  lineContent,
  lineEnd,
  lineNumber,
} from "./model/lines.ts";
export {
  accept,
  type Difference,
  type MissCause,
  type Outcome,
  type Passage,
  type Place,
  type Refusal,
  RefusalError,
  type Rival,
  refuse,
  type Versions,
} from "./model/outcome.ts";
export { type Change, type Landing, type Note, type Plan, pathsOf, planEdits } from "./model/plan.ts";
export { checkProof, type Proof, prove } from "./model/proof.ts";
export { contain, overlap, type Region } from "./model/region.ts";
export type { Snapshot } from "./model/snapshot.ts";
export { applySplices, compose, invert, mapOffset, type Splice, tidy } from "./model/splice.ts";
export { detect, parseEdits } from "./patch/detect.ts";
export { parseUnified } from "./patch/unified.ts";
