export {
  /** @deprecated since 0.2: leave `files` out; it is the disk by default. */
  diskFiles,
} from "./files/disk-files.ts";
export type { Files } from "./files/files.ts";
export { createMemoryDisk, type MemoryDisk } from "./files/memory-files.ts";
export { type Git, openGit } from "./git/git.ts";
export type { Entry, FileRecord, FileState, LineRegion, RecordedEdit } from "./journal/entries.ts";
export type { Concern } from "./paths/guarded-names.ts";
export {
  /** @deprecated since 0.2: internal, without a replacement. */
  type GatedPath,
  /** @deprecated since 0.2: internal, without a replacement. */
  gate,
  type PathPolicy,
} from "./paths/paths.ts";
export { createFileEditTracker, type EditRecord, type FileEditTracker } from "./tasks/tasks.ts";
export {
  type CommitNotice as Notice,
  type CommitOptions,
  type CommitProgress,
  type Committed,
  type FileSnapshot,
  type GcReport,
  type HistoryItem,
  type HistoryQuery,
  type Listing,
  type ListOptions,
  openReader,
  openWorkspace,
  type Reader,
  type ReaderOptions,
  type StateProblem,
  type UndoOptions,
  type UndoTarget,
  type Workspace,
  type WorkspaceOptions,
} from "./workspace.ts";
