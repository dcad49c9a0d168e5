import { sameBytes, writeAll } from "../files/content.ts";
import { codeOf, type Dir, FilesError, type OpenFile } from "../files/files.ts";
import { saveCopy } from "../journal/saved-copies.ts";
import type { Intent, TransactionLogWriter } from "../journal/transaction-log.ts";
import type { CommitContext, FileWrite } from "./commit-context.ts";
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
 * Makes everything durable that a transaction needs once a file has changed: the first records of the log, the old bytes,
 * their names, and the new bytes. Files in our own directories may be written before the log is flushed, because recovery removes
 * them. Files among the user's files may not.
 */
export async function stageFiles(
  context: CommitContext,
  planned: readonly PlannedJob[],
  { log, intent }: { log: TransactionLogWriter; intent: Intent },
): Promise<StagedFiles> {
  const { files, state } = context;
  const flushes = new Flushes(context);
  try {
    flushes.start(() => log.flush());
    flushes.start(() => files.flushDir(state.journal));
    if (intent.makes.length > 0 || planned.some(({ job }) => job.step.beside)) await flushes.finish();
    for (const path of intent.makes) await makeDir(context, path, { again: false });
    const stager = new Stager(context, planned, flushes);
    await stager.run();
    return stager.result;
  } finally {
    await flushes.end();
  }
}

/** The process's other work waits in the same queue. */
const mostFlushes = 64;

/** Flushes that run in other threads while the next file is written. */
class Flushes {
  readonly #isDurable: boolean;
  readonly #running = new Set<Promise<void>>();
  readonly #waiting: (() => Promise<unknown>)[] = [];
  readonly #errors: unknown[] = [];

  constructor({ durability }: CommitContext) {
    this.#isDurable = durability === "full";
  }

  start(flush: () => Promise<unknown>): void {
    if (!this.#isDurable) return;
    if (this.#running.size >= mostFlushes) this.#waiting.push(flush);
    else this.#run(flush);
  }

  /** Waits for every flush, and throws the first error. */
  async finish(): Promise<void> {
    // A flush that ends starts the next one that waits.
    while (this.#running.size > 0) await Promise.all(this.#running);
    if (this.#errors.length > 0) throw this.#errors[0];
  }

  /** Starts no more flushes, and waits for the running ones: their files are closed next. */
  async end(): Promise<void> {
    this.#waiting.length = 0;
    await Promise.all(this.#running);
  }

  #run(flush: () => Promise<unknown>): void {
    const running = flush()
      .then(noValue, (error) => void this.#errors.push(error))
      .then(() => {
        this.#running.delete(running);
        const next = this.#errors.length === 0 ? this.#waiting.shift() : undefined;
        if (next) this.#run(next);
      });
    this.#running.add(running);
  }
}

function noValue(): void {}

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

/** Writes files in batches. A file is flushed while the next one is written; the last batch also flushes the directories. */
class Stager {
  readonly result: StagedFiles = { staged: new Map(), copies: new Map() };
  readonly #context: CommitContext;
  readonly #planned: readonly PlannedJob[];
  readonly #flushes: Flushes;
  readonly #dirs = new Set<Dir>();
  /** The open files of the batch; for an old file that is its own saved copy, with its path. */
  #open = new Map<OpenFile, string | null>();
  /** The saved copies of the batch, by version. */
  #saved = new Map<string, OpenFile>();

  constructor(context: CommitContext, planned: readonly PlannedJob[], flushes: Flushes) {
    this.#context = context;
    this.#planned = planned;
    this.#flushes = flushes;
  }

  async run(): Promise<void> {
    for (let at = 0; at < this.#planned.length; at += batchSize) {
      this.#open = new Map();
      this.#saved = new Map();
      try {
        await this.#writeBatch(at);
      } finally {
        await this.#flushes.end();
        await this.#closeBatch();
      }
    }
  }

  async #writeBatch(at: number): Promise<void> {
    const { files } = this.#context;
    for (const planned of this.#planned.slice(at, at + batchSize)) {
      await this.#saveBefore(planned);
      await this.#stageAfter(planned);
    }
    const isLast = at + batchSize >= this.#planned.length;
    if (isLast) for (const dir of this.#dirs) this.#flushes.start(() => files.flushDir(dir));
    await this.#flushes.finish();
    if (this.#planned.length <= batchSize)
      for (const [file, path] of this.#open) if (path !== null) this.result.copies.set(path, file);
  }

  async #closeBatch(): Promise<void> {
    for (const [file, path] of this.#open)
      if (path === null || !this.result.copies.has(path)) await this.#context.files.close(file);
  }

  async #saveBefore({ target, job }: PlannedJob): Promise<void> {
    if (!target.content) return;
    const { version, bytes } = target.content;
    this.#dirs.add(this.#context.state.blobs);
    // Another file of the batch may have had the same bytes.
    const saved = this.#saved.get(version);
    if (saved && sameBytes(await this.#context.files.read(saved, 0, bytes.length + 1), bytes)) return;
    const { file, own } = await saveCopy(this.#context, {
      at: target.place,
      content: target.content,
      copy: job.step.inPlace === true,
      held: job.step.held === true,
      flush: this.#context.durability === "full",
    });
    this.#open.set(file, own ? job.record.path : null);
    this.#saved.set(version, file);
    this.#flushes.start(() => this.#context.files.flush(file));
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
    // The name of a staged file in our own folder may be lost: recovery then takes the transaction back.
    if (job.step.beside) this.#dirs.add(dir);
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
    this.#flushes.start(() => files.flush(file));
    this.result.staged.set(path, made.identity);
  }
}
