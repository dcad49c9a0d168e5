export { type AttentionEvidence, findAttention, type Lineage } from "./attention.ts";
export type { ChangedFile, DocumentText, DriftInput } from "./change.ts";
export { findDrift } from "./find-drift.ts";
export type { Finding, Message, RuleName, Tier } from "./findings.ts";
export { documentClass, isDocumentPath } from "./policies.ts";
