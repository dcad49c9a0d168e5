export type { ChangedFile, DocumentText, DriftInput, WholeInput } from "./change/change.ts";
export {
  /** @deprecated since 0.2: internal, without a replacement. */
  learnPriors,
  type PastCommit,
} from "./change/files/co-change.ts";
export { driftBetween, type Tree } from "./drift-between.ts";
export {
  type EvaluatedClaim,
  type EvaluateOptions,
  evaluateClaims,
  type PageClaims,
  type ReadClaim,
  readClaims,
} from "./evaluate-claims.ts";
export {
  findDrift,
  /** @deprecated since 0.2: `Unread`. */
  type Unknown,
  type Unknown as Unread,
} from "./find-drift.ts";
export type { Finding, Message, Tier } from "./findings.ts";
export {
  type Attention,
  type AttentionEvidence,
  findAttention,
  type RecordedSources as Lineage,
  type TouchedFile,
} from "./pages/attention.ts";
export {
  /** @deprecated since 0.2: internal, without a replacement. */
  type DocumentClass,
  /** @deprecated since 0.2: internal, without a replacement. */
  documentClass,
  isDocumentPath,
  /** @deprecated since 0.2: internal, without a replacement. */
  isGenerated,
} from "./pages/policies.ts";
export { type Rule, type RuleName, rules } from "./rules.ts";
