import { accept, type Outcome, RefusalError, refuse } from "../text/model/outcome.ts";
import { diskFiles } from "./files/disk-files.ts";
import { type Files, ignoreIoError } from "./files/files.ts";
import { createGc, type Gc } from "./journal/gc.ts";
import { type Closable, closable, Lifetime } from "./lifetime.ts";
import { requireNode } from "./node-version.ts";
import { type OpenRoot, openRoot } from "./open-root.ts";
import { createReader, type Reader, type ReaderOptions } from "./reader.ts";
import { createDoctor, type Doctor } from "./state/doctor.ts";
import { createStateWriter, type StateWriter } from "./state/state-files.ts";
import { createWriter, type OpenOptions, type Writer } from "./writer.ts";

export type { OutsideChange } from "./commit/record-outside.ts";
export type { CommitNotice } from "./journal/entry-metadata.ts";
export type { GcReport } from "./journal/gc.ts";
export type { Listing, ListOptions } from "./paths/listing.ts";
export type {
  EntrySummary,
  FileSnapshot,
  HistoryItem,
  HistoryQuery,
  OwnedLines,
  Reader,
  ReaderOptions,
} from "./reader.ts";
export type { StateProblem } from "./state/doctor.ts";
export type { UndoTarget } from "./undo/undo.ts";
export type { CommitOptions, CommitProgress, Committed, UndoOptions } from "./writer.ts";

requireNode(process.versions.node);

export type WorkspaceOptions = OpenOptions;

/** All operations on a root: reading, writing, undo, and maintenance. */
export type Workspace = Reader & Writer & StateWriter & Gc & Doctor;

const maxFileSize = 256 << 20;

/** Opens a root for reading. Recovers unfinished transactions first, if it can. */
export async function openReader(root: string, options: ReaderOptions = {}): Promise<Outcome<Reader>> {
  const opened = await openRoot(closingQuietly(options.files ?? diskFiles()), root, {
    durability: "full",
    sizeLimit: options.sizeLimit ?? maxFileSize,
  });
  if (!opened.ok) return opened;
  const { root: path, ...methods } = createReader(opened.value, options);
  return accept({ root: path, ...whileOpen(opened.value, methods) });
}

/** Opens a root for writing. The state is created by the first commit. */
export async function openWorkspace(
  root: string,
  options: WorkspaceOptions = {},
): Promise<Outcome<Workspace>> {
  const opened = await openRoot(closingQuietly(options.files ?? diskFiles()), root, {
    durability: options.durability ?? "full",
    sizeLimit: options.sizeLimit ?? maxFileSize,
  });
  if (!opened.ok) return opened;
  const { root: path, ...reading } = createReader(opened.value, options);
  const methods = {
    ...reading,
    ...createWriter(opened.value, options),
    ...createStateWriter(opened.value, options),
    ...createGc(opened.value, options),
    ...createDoctor(opened.value, options),
  };
  return accept({ root: path, ...whileOpen(opened.value, methods) });
}

type Method = (...args: never[]) => Promise<unknown>;

/** These methods return a list and not an outcome, so they throw a refusal. */
const listMethods: ReadonlySet<string> = new Set(["history", "summaries", "doctor"]);

/** The methods of a root, which refuse once the root is closed, and a `close` that waits for running calls. */
function whileOpen<M extends Readonly<Record<string, Method>>>(
  root: OpenRoot,
  methods: M,
): M & Closable & Pick<Reader, "isClosed"> {
  const lifetime = new Lifetime(() => new RefusalError({ code: "closed" }));
  const guarded = Object.entries(methods).map(([name, method]) => {
    const guard = (...args: never[]): Promise<unknown> =>
      lifetime.isClosed && !listMethods.has(name)
        ? Promise.resolve(refuse({ code: "closed" }))
        : lifetime.during(() => method(...args));
    return [name, guard] as const;
  });
  const close = closable(() => lifetime.close(() => root.close()));
  return { ...(Object.fromEntries(guarded) as M), isClosed: () => lifetime.isClosed, ...close };
}

/** Errors of `close` do not matter: everything that has to be durable was flushed before. */
function closingQuietly(files: Files): Files {
  return { ...files, close: (handle) => files.close(handle).catch(ignoreIoError) };
}
