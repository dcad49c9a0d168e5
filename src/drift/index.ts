export {
  type Attention,
  type AttentionEvidence,
  findAttention,
  type Lineage,
  type TouchedFile,
} from "./attention.ts";
export type { ChangedFile, DocumentText, DriftInput } from "./change.ts";
export { findDrift, type Unknown } from "./find-drift.ts";
export type { Finding, Message, RuleName, Tier } from "./findings.ts";
export { type DocumentClass, documentClass, isDocumentPath, isGenerated } from "./policies.ts";
export { learnPriors, type PastCommit } from "./priors.ts";
