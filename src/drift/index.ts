export type { ChangedFile, DocumentText, DriftInput } from "./change/change.ts";
export { learnPriors, type PastCommit } from "./change/files/co-change.ts";
export { driftBetween, type Tree } from "./drift-between.ts";
export { findDrift, type Unknown, type Unknown as Unread } from "./find-drift.ts";
export type { Finding, Message, Tier } from "./findings.ts";
export {
  type Attention,
  type AttentionEvidence,
  findAttention,
  type RecordedSources as Lineage,
  type TouchedFile,
} from "./pages/attention.ts";
export { type DocumentClass, documentClass, isDocumentPath, isGenerated } from "./pages/policies.ts";
export type { Rule } from "./rule.ts";
export { type RuleName, rules } from "./rules/index.ts";
