import { sameBytes, writeAll } from "../files/content.ts";
import { codeOf, type Dir, FilesError, type OpenFile } from "../files/files.ts";
import { saveCopy } from "../journal/saved-copies.ts";
import type { Intent, TransactionLogWriter } from "../journal/transaction-log.ts";
import { type CommitContext, type FileWrite, inParallel } from "./commit-context.ts";
import { stagedName, UnexpectedContent } from "./file-state.ts";
import type { Target } from "./targets.ts";

/** A target with its job in the journal. */
export type PlannedJob = { readonly target: Target; readonly job: FileWrite };

/** The files that are ready for the commit record. */
export type StagedFiles = {
  /** Identities of the staged files, by path: in the end each path must lead to its staged file. */
  readonly staged: Map<string, string>;
  /** Open old files that are their own saved copy, by path. Empty if the transaction has many files. */
  readonly copies: Map<string, OpenFile>;
};

/**
 * Makes everything durable that the commit record refers to: the first records of the log, the old bytes, the new bytes,
 * and all their names. Files in our own directories may be written before the log is flushed, because recovery removes
 * them. Files among the user's files may not.
 */
export async function stageFiles(
  context: CommitContext,
  planned: readonly PlannedJob[],
  { log, intent }: { log: TransactionLogWriter; intent: Intent },
): Promise<StagedFiles> {
  const { files, state } = context;
  const logFlushes: Flush[] = [() => log.flush(), () => files.flushDir(state.journal)];
  const outside = intent.makes.length > 0 || planned.some(({ job }) => job.step.beside);
  if (outside) await flushAll(context, logFlushes);
  for (const path of intent.makes) await makeDir(context, path, { again: false });
  const stager = new Stager(context, planned);
  await stager.run(outside ? [] : logFlushes);
  return stager.result;
}

type Flush = () => Promise<unknown>;

async function flushAll({ durability }: CommitContext, flushes: readonly Flush[]): Promise<void> {
  if (durability === "full") await inParallel(flushes, (flush) => flush());
}

/** Creates a directory of the transaction. `again`: recovery accepts an existing one as its own. */
export async function makeDir(
  context: CommitContext,
  path: string,
  { again }: { again: boolean },
): Promise<void> {
  const place = await context.walker.resolve(path.split("/"));
  if (!place.ok || place.value.missing.length > 0) throw new UnexpectedContent(path, "not a directory");
  try {
    await context.files.mkdir(place.value.dir, place.value.name, 0o777);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    if (!again) throw new UnexpectedContent(path, "exists");
  }
}

const batchSize = 128;

/** Writes files in batches, and flushes each batch in parallel. The last batch also flushes the directories. */
class Stager {
  readonly result: StagedFiles = { staged: new Map(), copies: new Map() };
  readonly #context: CommitContext;
  readonly #planned: readonly PlannedJob[];
  readonly #dirs: Set<Dir>;
  /** The open files of the batch; for an old file that is its own saved copy, with its path. */
  #open = new Map<OpenFile, string | null>();

  constructor(context: CommitContext, planned: readonly PlannedJob[]) {
    this.#context = context;
    this.#planned = planned;
    this.#dirs = new Set([context.state.blobs, context.state.stage]);
  }

  async run(logFlushes: readonly Flush[]): Promise<void> {
    for (let at = 0; at < this.#planned.length; at += batchSize) {
      this.#open = new Map();
      try {
        await this.#writeBatch(at, at === 0 ? logFlushes : []);
      } finally {
        await this.#closeBatch();
      }
    }
  }

  async #writeBatch(at: number, first: readonly Flush[]): Promise<void> {
    const { files } = this.#context;
    for (const planned of this.#planned.slice(at, at + batchSize)) {
      await this.#saveBefore(planned);
      await this.#stageAfter(planned);
    }
    const isLast = at + batchSize >= this.#planned.length;
    const contents = [...this.#open.keys()].map(
      (file): Flush =>
        () =>
          files.flush(file),
    );
    const names = [...(isLast ? this.#dirs : [])].map(
      (dir): Flush =>
        () =>
          files.flushDir(dir),
    );
    await flushAll(this.#context, [...first, ...contents, ...names]);
    if (this.#planned.length <= batchSize)
      for (const [file, path] of this.#open) if (path !== null) this.result.copies.set(path, file);
  }

  async #closeBatch(): Promise<void> {
    for (const [file, path] of this.#open)
      if (path === null || !this.result.copies.has(path)) await this.#context.files.close(file);
  }

  async #saveBefore({ target, job }: PlannedJob): Promise<void> {
    if (!target.content) return;
    const { file, own } = await saveCopy(this.#context, {
      at: target.place,
      content: target.content,
      copy: job.step.inPlace === true,
      held: job.step.held === true,
      flush: this.#context.durability === "full",
    });
    this.#open.set(file, own ? job.record.path : null);
  }

  /** Writes the new file under its staged name, sets its owner and mode, and reads it back, all before the flush. */
  async #stageAfter({ target, job }: PlannedJob): Promise<void> {
    const { change, after, owner } = target;
    const { files } = this.#context;
    const { path } = job.record;
    if (!change.after || !after) return;
    const place = await this.#context.walker.resolve(job.names);
    if (!place.ok || place.value.missing.length > 0) throw new UnexpectedContent(path, "not a directory");
    const { dir, name } = stagedName(this.#context, job, place.value);
    this.#dirs.add(dir);
    const file = await files.create(dir, name, 0o600);
    this.#open.set(file, null);
    await writeAll(files, file, change.after.bytes);
    const made = await files.statOpen(file);
    // A file that is written in place keeps its owner and mode: only the bytes of the staged file are used.
    const isCopied = job.step.inPlace === true;
    if (!isCopied && owner && (owner.uid !== made.uid || owner.gid !== made.gid))
      await files.setOwner(file, owner.uid, owner.gid);
    if (!isCopied && after.mode !== made.mode) await files.setMode(file, after.mode);
    const written = await files.read(file, 0, change.after.bytes.length + 1);
    if (!sameBytes(written, change.after.bytes))
      throw new FilesError("EIO", "read back other bytes than were written", path);
    this.result.staged.set(path, made.identity);
  }
}
