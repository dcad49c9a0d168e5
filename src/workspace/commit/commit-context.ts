import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type Content, readContent } from "../files/content.ts";
import { codeOf, type Dir, type Files, type NameInDir, type OpenFile } from "../files/files.ts";
import type { BackupFiles } from "../journal/backup-files.ts";
import type { Durability, FileRecord } from "../journal/entries.ts";
import type { Intent, Step } from "../journal/transaction-log.ts";
import type { ResolvedPath, Walker } from "../paths/walk.ts";
import type { State } from "../state/state.ts";
import type { PlainFiles } from "./attributes.ts";

/** An open root, and the settings for it. */
export type RootContext = {
  readonly files: Files;
  readonly root: Dir;
  /** `fast` leaves flushing to the system. */
  readonly durability: Durability["level"];
  readonly limits: Durability["limits"];
  /** Two spellings of a name can be one file here. */
  readonly foldsNames: boolean;
  readonly sizeLimit: number;
  readonly plainFiles: PlainFiles;
};

/** An open root that has a state. */
export type OpenState = RootContext & { readonly state: State };

/** Everything needed to read files: the root, and the directories and contents that one call has seen. */
export type ReadContext = RootContext & {
  readonly walker: Walker;
  /** The last content read at each path: most files have not changed since. */
  readonly seen: Map<string, Content>;
};

/** Everything needed to commit: a read context with a state and its backup files. */
export type CommitContext = OpenState &
  ReadContext & {
    readonly backups: BackupFiles;
    /** Throws `LockLost` when another process has the lock. Asked before every step that removes or replaces a file. */
    readonly checkLock: () => Promise<void>;
  };

/** One file of a transaction: its record in the journal, and how it is written. */
export type FileWrite = {
  readonly record: FileRecord;
  readonly step: Step;
  readonly names: readonly string[];
};

/** A transaction with a log. */
export type Transaction = {
  readonly number: number;
  readonly intent: Intent;
  readonly jobs: readonly FileWrite[];
};

export async function flushFile({ files, durability }: CommitContext, file: OpenFile): Promise<void> {
  if (durability === "full") await files.flush(file);
}

export async function flushDirs({ files, durability }: CommitContext, dirs: Iterable<Dir>): Promise<void> {
  if (durability === "full") await inParallel([...new Set(dirs)], (dir) => files.flushDir(dir));
}

/** Reads the file at a path. Where the file system ignores case, another spelling counts as no file. */
export async function lookAt(
  context: ReadContext,
  names: readonly string[],
): Promise<Outcome<{ place: ResolvedPath; content: Content | null }>> {
  const resolved = await context.walker.resolve(names);
  if (!resolved.ok) return resolved;
  const place = resolved.value;
  if (place.missing.length > 0) return accept({ place, content: null });
  const path = names.join("/");
  const content = await readContent(context.files, place, {
    limit: context.sizeLimit,
    like: context.seen.get(path),
  });
  if (!content.ok) return refuse({ path, ...content.refusal });
  if (content.value) context.seen.set(path, content.value);
  if (content.value && context.foldsNames && !(await isSpelt(context.files, place)))
    return accept({ place, content: null });
  return accept({ place, content: content.value });
}

/** Whether a directory has an entry of exactly this spelling. */
export async function isSpelt(files: Files, { dir, name }: NameInDir): Promise<boolean> {
  return (await files.list(dir)).some((entry) => entry.name === name);
}

const maxTries = 10;

/** Renames a file over another. Windows refuses while a process reads the target, so the rename is tried again. */
export async function renameOver(files: Files, from: NameInDir, to: NameInDir): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await files.rename(from.dir, from.name, to.dir, to.name);
    } catch (error) {
      const temporary = ["EPERM", "EBUSY", "EACCES"].includes(codeOf(error));
      if (!temporary || tried === maxTries || !(await files.fileSystem(to.dir)).readersBlock) throw error;
      await files.sleep(40 * tried);
    }
  }
}

const maxParallel = 16;

/** Runs a task for each item, sixteen at a time. Waits for all running tasks, even if one fails. */
async function inParallel<T, R>(
  items: readonly T[],
  task: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const errors: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && errors.length === 0) {
      const index = next++;
      try {
        results[index] = await task(items[index] as T, index);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxParallel, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
  return results;
}
