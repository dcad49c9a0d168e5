export { type Edit, type Outcome, type Plan, planEdits, type Refusal, RefusalError } from "./text/index.ts";
export {
  type CheckReport,
  type Context,
  type ContextOptions,
  callTool,
  catalog,
  checkDrift,
  type Fixed,
  fixFindings,
  openContext,
  type ReportedFinding,
  type Result,
  textOf,
  toolsFor,
} from "./tools/index.ts";
export { type Git, openGit } from "./workspace/git/git.ts";
export { openReader, openWorkspace, type Reader, type Workspace } from "./workspace/workspace.ts";
