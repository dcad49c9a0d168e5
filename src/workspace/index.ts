export { diskFiles } from "./disk-files.ts";
export type { Entry, FileRecord, FileState, LineRegion, RecordedEdit } from "./entries.ts";
export type { Files } from "./files.ts";
export { type Git, openGit } from "./git.ts";
export { createMemoryDisk, type MemoryDisk } from "./memory-files.ts";
export { type GatedPath, gate, type PathPolicy } from "./paths.ts";
export { createFileEditTracker, type EditRecord, type FileEditTracker } from "./tasks.ts";
export {
  type CommitOptions,
  type Committed,
  type FileSnapshot,
  type Finding,
  type GcReport,
  type HistoryItem,
  type HistoryQuery,
  type Listing,
  type ListOptions,
  type Notice,
  openReader,
  openWorkspace,
  type Reader,
  type ReaderOptions,
  type UndoOptions,
  type UndoTarget,
  type Workspace,
  type WorkspaceOptions,
} from "./workspace.ts";
