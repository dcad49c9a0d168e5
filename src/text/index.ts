export { compareTexts } from "./compare.ts";
export { detect, parseEdits } from "./detect.ts";
export { printDiff, printPlanDiff } from "./diff.ts";
export type {
  Edit,
  Evidence,
  FileMode,
  Fit,
  HunksTarget,
  LineTarget,
  QuoteTarget,
  RegionTarget,
} from "./edit.ts";
export { byteOrderMark, type Decoded, decode, type Encoding, encode, spliceBytes } from "./encoding.ts";
export { explainMiss, type Miss } from "./explain.ts";
export type { Hunk, HunkLine } from "./hunk.ts";
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
} from "./lines.ts";
export { type Located, locateQuote } from "./locate.ts";
export { mergeThreeWay } from "./merge.ts";
export { nearestName } from "./near.ts";
export {
  accept,
  type Difference,
  type MissCause,
  type Outcome,
  type Passage,
  type Place,
  type Refusal,
  type Rival,
  refuse,
  type Versions,
} from "./outcome.ts";
export { placeHunks } from "./place.ts";
export { type Change, type Landing, type Note, type Plan, pathsOf, planEdits } from "./plan.ts";
export { checkProof, type Proof, prove } from "./proof.ts";
export { type Found, findQuote } from "./quote.ts";
export { rebase } from "./rebase.ts";
export { contain, overlap, type Region } from "./region.ts";
export type { Snapshot } from "./snapshot.ts";
export { applySplices, compose, invert, mapOffset, type Splice, tidy } from "./splice.ts";
export { parseUnified } from "./unified.ts";
