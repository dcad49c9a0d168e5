export { type Edit, type Outcome, type Plan, planEdits, type Refusal, RefusalError } from "./text/index.ts";
export {
  type CheckReport,
  type Context,
  type ContextOptions,
  callTool,
  catalog,
  check,
  checkDrift,
  type Fixed,
  fix,
  fixFindings,
  openContext,
  openProject,
  type Project,
  type Range,
  type ReportedFinding,
  type Result,
  textOf,
  toolsFor,
  verify,
} from "./tools.ts";
export { type Git, openGit } from "./workspace/git/git.ts";
export { openReader, openWorkspace, type Reader, type Workspace } from "./workspace/workspace.ts";
