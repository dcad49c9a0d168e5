export type { AiTool, AiTools } from "./session/ai.ts";
export type { AnthropicKit, AnthropicTool } from "./session/anthropic.ts";
export type { McpHandler, McpHandlerOptions } from "./session/mcp.ts";
export type { OpenAiKit, OpenAiOptions } from "./session/openai.ts";
export {
  type CallOptions,
  type NewEdit,
  openSession,
  type ReversalOptions,
  type ReversalTarget,
  type Session,
  type SessionCommitOptions,
  type SessionOptions,
} from "./session/session.ts";
export type { SessionTool, SessionTools } from "./session/session-tools.ts";
export type {
  ToolAnswers,
  ToolInputs,
  ToolName,
  ToolRefusal,
  ToolResult,
  ToolSuccess,
} from "./session/tool-types.ts";
export { unwrap } from "./session/unwrap.ts";
export {
  type Edit,
  type Outcome,
  type Plan,
  planEdits,
  type Refusal,
  type RefusalCode,
  RefusalError,
} from "./text.ts";
export type { Approve, ChangeConcern, ProposedChange } from "./tools/approval.ts";
export {
  type CheckReport,
  /** @deprecated since 0.2: `Session`. */
  type Context,
  /** @deprecated since 0.2: `SessionOptions`. */
  type ContextOptions,
  /** @deprecated since 0.2: `session.call`, which is typed. */
  callTool,
  /** @deprecated since 0.2: `session.tools.list()`. */
  catalog,
  check,
  /** @deprecated since 0.2: `check`. */
  checkDrift,
  type Fixed,
  fix,
  fixFindings,
  /** @deprecated since 0.2: `openSession`. */
  openContext,
  openProject,
  type Project,
  type Range,
  type ReportedFinding,
  /** @deprecated since 0.2: `ToolResult`. */
  type Result,
  readFindings,
  /** @deprecated since 0.2: `output`, or `error` and `hint`, of the result. */
  textOf,
  /** @deprecated since 0.2: `session.tools.list()`. */
  toolsFor,
  verify,
} from "./tools.ts";
export { describeRefusal } from "./wording/refusals/describe.ts";
export { type Git, openGit } from "./workspace/git/git.ts";
export type { PathPolicy } from "./workspace/paths/paths.ts";
export {
  type CommitProgress,
  type Committed,
  /** @deprecated since 0.2: `suture/workspace` has it. */
  openReader,
  openWorkspace,
  type Reader,
  type Workspace,
} from "./workspace/workspace.ts";
