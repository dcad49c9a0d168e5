/*
 * What `suture-fleet` takes besides the other entries: hosts of code, HTTP, settings, models, and calls of the command line.
 * The two packages are released together, so only the fleet of the same version may rely on these names.
 */
export { fixWithModel } from "./agents/fix/fix-with-model.ts";
export { type AgentRun, hasModels, type ModelRun } from "./agents/run/agent-run.ts";
export { type OpenAgentRun, openAgentRun } from "./agents/run/open-agent-run.ts";
export { GitRepository } from "./agents/run/repository.ts";
export { deliver } from "./ci/deliver.ts";
export {
  type Call,
  type Command,
  exit,
  isSet,
  numberOf,
  type Options,
  textOf as optionText,
} from "./cli/command.ts";
export { readInput } from "./cli/terminal/input.ts";
export { untilStopped } from "./cli/terminal/interrupt.ts";
export { usageError } from "./cli/usage-error.ts";
export { decline } from "./cli/with-project.ts";
export { configPath, parseConfig } from "./docs/config.ts";
export { type FixedPage, type FixedPages, fixCommit, mayWritePage } from "./docs/fix/fix-commit.ts";
export {
  type FleetSettings,
  fleetSettingsSchema,
  type RepositorySettings,
  type Schedule,
  type Weekday,
} from "./docs/fleet-settings.ts";
export { newRunId, patchOf } from "./docs/record/audit.ts";
export { refuseSettings } from "./docs/refuse-settings.ts";
export { type KnownHost, type KnownHosts, readKnownHosts, variableOf } from "./hosts/access.ts";
export type {
  CodeHost,
  CommentResult,
  Environment,
  HostedRepository,
  HostOptions,
  PullRequest,
  RepositoryInfo,
  TrustedComment,
  WriteComment,
} from "./hosts/host.ts";
export { type HostKind, hostKinds, hosts, isHostKind, ownerForms } from "./hosts/registry.ts";
export { rememberSuccess } from "./hosts/remember-success.ts";
export type { HostApp, TokenSource } from "./hosts/token.ts";
export { deliveryId, digestOf, parseWebhook, type Webhook, type WebhookEvent } from "./hosts/webhook.ts";
export { type Assets, builtPages, readAssets, serveAsset } from "./http/assets.ts";
export { openEventStream } from "./http/events.ts";
export { createGuard, type Guard, newToken } from "./http/guard.ts";
export { isJson, type RequestHead, readBody } from "./http/request.ts";
export { deny, redirect, send, sendJson } from "./http/response.ts";
export { type Exchange, LimitedServer } from "./http/server.ts";
export { isBinaryPath } from "./syntax/file-kinds.ts";
export { replaceHidden } from "./text/characters/invisible-characters.ts";
export { nearest } from "./text/match/nearest.ts";
export { branchPrefix } from "./wording/ci.ts";
export { gating, unknownWords } from "./wording/findings.ts";
export { code, prose } from "./wording/quoted.ts";
export { refused } from "./wording/report.ts";
export { plural } from "./wording/sentences.ts";
export { acquireLock, type HeldLock } from "./workspace/commit/lock.ts";
export { readAll, sameBytes, writeAll } from "./workspace/files/content.ts";
export { codeOf, type Dir } from "./workspace/files/files.ts";
export { createPrivateFile, privatePath } from "./workspace/files/private-file.ts";
export { type Closable, closable } from "./workspace/lifetime.ts";
export { parsePath } from "./workspace/paths/paths.ts";
