export { callTool, catalog, toolsFor } from "./docs/catalog.ts";
export { check, checkDrift } from "./docs/check/check.ts";
export type { Range } from "./docs/check/range.ts";
export type {
  CheckReport,
  ReportedEdit,
  ReportedFinding,
  Unknown as UnknownDocument,
} from "./docs/check/report.ts";
export { type Fixed, type FixOptions, fixFindings } from "./docs/fix/fix.ts";
export { type FixedReport, type FixRequest, fix } from "./docs/fix/fix-report.ts";
export { readFindings } from "./docs/fix/read-findings.ts";
export { openProject, type Project, type ProjectPlace } from "./docs/project.ts";
export type { AuditArticle, AuditRecord } from "./docs/record/audit.ts";
export { type VerifiedEdit, verify, verifyRun } from "./docs/record/verify.ts";
export { type Applied, applyEdits, type PlanGate as Gate } from "./tools/apply-edits.ts";
export type { Approve, ChangeConcern, ProposedChange } from "./tools/approval.ts";
export { inputSchema, type Tool } from "./tools/catalog.ts";
export { type ContextOptions, openContext } from "./tools/context.ts";
export type {
  Access,
  Context,
  FailedEdit,
  LineRegion,
  Mode,
  Profile,
  Result,
  WriterOptions,
} from "./tools/tool.ts";
export { type FileContext, patchSnippet, type SnippetInput } from "./tools/verbs/snippet.ts";
export { textOf } from "./wording/report.ts";
