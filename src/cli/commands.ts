import type { Command } from "./command.ts";

/** Every command, loaded when it is called. */
export const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  check: () => import("./commands/check.ts"),
  fix: () => import("./commands/fix.ts"),
  verify: () => import("./commands/verify.ts"),
  dismiss: () => import("./commands/dismiss.ts"),
  edit: () => import("./commands/edit.ts"),
  patch: () => import("./commands/patch.ts"),
  insert: () => import("./commands/insert.ts"),
  apply: () => import("./commands/apply.ts"),
  tool: () => import("./commands/tool.ts"),
  read: () => import("./commands/read.ts"),
  search: () => import("./commands/search.ts"),
  log: () => import("./commands/log.ts"),
  show: () => import("./commands/show.ts"),
  diff: () => import("./commands/diff.ts"),
  undo: () => import("./commands/undo.ts"),
  redo: () => import("./commands/redo.ts"),
  restore: () => import("./commands/restore.ts"),
  gc: () => import("./commands/gc.ts"),
  doctor: () => import("./commands/doctor.ts"),
  mcp: () => import("./commands/mcp.ts"),
  completion: () => import("./commands/completion.ts"),
  help: () => import("./commands/help.ts"),
};
