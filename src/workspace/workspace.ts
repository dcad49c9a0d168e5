import { accept, type Outcome } from "../text/model/outcome.ts";
import { diskFiles } from "./files/disk-files.ts";
import { codeOf, type Files } from "./files/files.ts";
import { createGc, type Gc } from "./journal/gc.ts";
import { openRoot } from "./open-root.ts";
import { createReader, type Reader, type ReaderOptions } from "./reader.ts";
import { createDoctor, type Doctor } from "./state/doctor.ts";
import { createStateWriter, type StateWriter } from "./state/state-files.ts";
import { createWriter, type Writer, type WriterOptions } from "./writer.ts";

export type { Notice } from "./journal/entry-metadata.ts";
export type { GcReport } from "./journal/gc.ts";
export type { Listing, ListOptions } from "./paths/listing.ts";
export type { FileSnapshot, HistoryItem, HistoryQuery, Reader, ReaderOptions } from "./reader.ts";
export type { Finding } from "./state/doctor.ts";
export type { UndoTarget } from "./undo/undo.ts";
export type { CommitOptions, Committed, UndoOptions } from "./writer.ts";

export type WorkspaceOptions = WriterOptions;

/** Everything that can be done with a root: looking, writing, taking back, and keeping house. */
export type Workspace = Reader & Writer & StateWriter & Gc & Doctor;

const largestFile = 256 << 20;

/** Opens a root for looking. What a crash left is put right first, if it can be. */
export async function openReader(root: string, options: ReaderOptions = {}): Promise<Outcome<Reader>> {
  const opened = await openRoot(closingQuietly(options.files ?? diskFiles()), root, {
    durability: "full",
    sizeLimit: options.sizeLimit ?? largestFile,
  });
  return opened.ok ? accept(createReader(opened.value, options)) : opened;
}

/** Opens a root for writing. Nothing is made before the first commit. */
export async function openWorkspace(
  root: string,
  options: WorkspaceOptions = {},
): Promise<Outcome<Workspace>> {
  const opened = await openRoot(closingQuietly(options.files ?? diskFiles()), root, {
    durability: options.durability ?? "full",
    sizeLimit: options.sizeLimit ?? largestFile,
  });
  if (!opened.ok) return opened;
  return accept({
    ...createReader(opened.value, options),
    ...createWriter(opened.value, options),
    ...createStateWriter(opened.value, options),
    ...createGc(opened.value, options),
    ...createDoctor(opened.value, options),
  });
}

/** Nothing that matters is left to a close: it comes after a flush, or after what need not be flushed. */
function closingQuietly(files: Files): Files {
  return { ...files, close: (handle) => files.close(handle).catch((error) => void codeOf(error)) };
}
