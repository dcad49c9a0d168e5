import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome, type Refusal, refuse } from "../../text/model/outcome.ts";
import { type Content, sameBytes } from "../files/content.ts";
import { type Dir, ignoreIoError, type OpenFile, type Stat } from "../files/files.ts";
import { refusalOfIoError, withErrorPath } from "../files/io-error.ts";
import { backupPath } from "../journal/backup-files.ts";
import type { Entry, FileRecord } from "../journal/entries.ts";
import type { EntryMetadata } from "../journal/entry-metadata.ts";
import { rescueCopy, savedCopyMode } from "../journal/saved-copies.ts";
import {
  createTransactionLog,
  entryFrom,
  type Intent,
  readTransactionLog,
  type TransactionLogWriter,
} from "../journal/transaction-log.ts";
import { type ResolvedPath, Walker } from "../paths/walk.ts";
import { cleanUpAborted, cleanUpCommitted } from "./cleanup.ts";
import type { CommitContext, FileWrite, Transaction } from "./commit-context.ts";
import { type ObservedState, observeState, UnexpectedContent } from "./file-state.ts";
import { install } from "./install.ts";
import { type HeldLock, LockLost } from "./lock.ts";
import { flushParents, jobsOf, rollBack } from "./recover.ts";
import { type PlannedJob, type StagedFiles, stageFiles } from "./stage.ts";
import { type FileChange, missingDirs, readTargets, type Target } from "./targets.ts";

/** A transaction, before its files have been read under the lock. */
export type TransactionRequest = {
  readonly number: number;
  /** Hash of the previous entry. */
  readonly previous: string;
  readonly metadata: EntryMetadata;
  readonly changes: readonly FileChange[];
  /** Directories to remove afterwards if they are empty. */
  readonly removes: readonly string[];
  readonly strict: boolean;
  readonly inPlace: boolean;
  readonly mounts: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: FileProgress) => void) | undefined;
};

type FileProgress = { readonly path: string; readonly done: number; readonly total: number };

export type TransactionResult = {
  readonly entry: Entry;
  /** Hash of the last record, to which the next entry refers. */
  readonly head: string;
  /** By how many bytes the journal and the saved copies have grown. */
  readonly grown: number;
  /** Files that another program wrote at the same moment, and where those bytes are kept. */
  readonly outside: readonly { readonly path: string; readonly kept: string }[];
};

/** `needsRecovery`: the transaction left work to the next owner of the lock. */
export type TransactionAttempt = {
  readonly outcome: Outcome<TransactionResult>;
  readonly needsRecovery: boolean;
};

class Cancelled extends Error {}

/** Commits one transaction, or refuses and restores every file. */
export async function commitTransaction(
  context: CommitContext,
  lock: HeldLock,
  request: TransactionRequest,
): Promise<TransactionAttempt> {
  const targets = await readTargetsSafely(context, request);
  if (!targets.ok) return { outcome: targets, needsRecovery: false };
  return new CommitRun(context, lock, { request, targets: targets.value }).run();
}

async function readTargetsSafely(
  context: CommitContext,
  request: TransactionRequest,
): Promise<Outcome<Target[]>> {
  try {
    return await readTargets(context, request);
  } catch (error) {
    return refuse(refusalOf(error));
  }
}

/**
 * The commit protocol. Old bytes and their names are durable before a file changes. New bytes are durable before the
 * commit record, and that record before the first file is replaced. All replacements are durable before `done`, and
 * `done` before the answer.
 */
class CommitRun {
  readonly #context: CommitContext;
  readonly #lock: HeldLock;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: TransactionRequest["onProgress"];
  readonly #transaction: Transaction;
  readonly #planned: readonly PlannedJob[];
  #log: TransactionLogWriter | null = null;
  #staged: StagedFiles = { staged: new Map(), copies: new Map() };
  /** The new files as they were found under their names after all replacements, by path. */
  readonly #installed = new Map<string, Stat>();
  /** The action that an error requires at this stage of the protocol; `null`: the transaction is done. */
  #onError: ((error: unknown) => Promise<TransactionAttempt>) | null = (error) =>
    this.#discardUncommitted(error);

  constructor(
    context: CommitContext,
    lock: HeldLock,
    { request, targets }: { request: TransactionRequest; targets: readonly Target[] },
  ) {
    this.#context = context;
    this.#lock = lock;
    this.#signal = request.signal;
    this.#onProgress = request.onProgress;
    const intent = intentOf(context, request, targets);
    const jobs = jobsOf(intent);
    this.#transaction = { number: request.number, intent, jobs };
    this.#planned = targets.flatMap((target, i) => {
      const job = jobs[i];
      return job ? [{ job, target }] : [];
    });
  }

  async run(): Promise<TransactionAttempt> {
    try {
      const log = await this.#prepare();
      this.#onError = (error) => this.#rollBackCommitted(log, error);
      const outside = await this.#replaceFiles(log);
      // Every file has its new state. If `done` cannot be written, recovery finds that out and writes it.
      this.#onError = leaveUnresolved;
      await this.#record(log, "done");
      this.#onError = null;
      return await this.#finish(log, outside);
    } catch (error) {
      if (this.#onError && !(error instanceof LockLost)) return await this.#onError(error);
      return { outcome: refuse(refusalOf(error)), needsRecovery: true };
    } finally {
      await this.#log?.close();
      for (const copy of this.#staged.copies.values()) await this.#context.files.close(copy);
    }
  }

  /** Everything before the commit record: writes the intent and stages all files. */
  async #prepare(): Promise<TransactionLogWriter> {
    const { number, intent } = this.#transaction;
    const texts = this.#planned.map(({ target }) => target.change.texts);
    const log = await createTransactionLog(this.#context, {
      number,
      epoch: this.#lock.epoch,
      intent,
      texts,
    });
    this.#log = log;
    this.#staged = await stageFiles(this.#context, this.#planned, { log, intent });
    await this.#checkStillThere();
    return log;
  }

  /** Writes the commit record and then replaces every file. */
  async #replaceFiles(log: TransactionLogWriter): Promise<TransactionResult["outside"]> {
    await this.#record(log, "commit");
    for (const [i, planned] of this.#planned.entries()) {
      await this.#context.checkLock();
      const { job } = planned;
      await withErrorPath(job.record.path, () =>
        install(this.#context, {
          id: this.#transaction.intent.id,
          job,
          observeQuickly: () => this.#observeQuickly(planned),
        }),
      );
      this.#report({ path: job.record.path, done: i + 1, total: this.#planned.length });
    }
    await flushParents(this.#context, this.#transaction);
    return this.#verify();
  }

  /** An error of the caller's function must not stop a transaction halfway. */
  #report(progress: FileProgress): void {
    try {
      this.#onProgress?.(progress);
    } catch {}
  }

  async #record(log: TransactionLogWriter, type: "commit" | "done"): Promise<void> {
    await log.append([type, {}]);
    if (this.#context.durability === "full") await log.flush();
  }

  /** The last check before the commit record: not cancelled, lock still held, no directory moved. */
  async #checkStillThere(): Promise<void> {
    if (this.#signal?.aborted) throw new Cancelled("the caller has cancelled the commit");
    await this.#context.checkLock();
    const { files, root, walker } = this.#context;
    const parents = new Map(this.#planned.map(({ job }) => [job.names.slice(0, -1).join("/"), job.names]));
    const fresh = new Walker(files, root);
    try {
      for (const names of parents.values())
        if (!(await this.#isSameDir(await parentOf(walker, names), await parentOf(fresh, names))))
          throw new UnexpectedContent(names.join("/"), "its directory has moved");
    } finally {
      await fresh.close();
    }
  }

  async #isSameDir(one: Dir | null, other: Dir | null): Promise<boolean> {
    // The root is opened once.
    if (one === other) return true;
    const { files } = this.#context;
    if (!one || !other) return false;
    return (await files.statOpen(one)).identity === (await files.statOpen(other)).identity;
  }

  /** The fast check, for old files that are open: the bytes are unchanged, and the name still leads to the file. */
  async #observeQuickly({ job, target }: PlannedJob): Promise<ObservedState | null> {
    const { content } = target;
    const copy = this.#staged.copies.get(job.record.path);
    const place = copy && content ? await resolveExisting(this.#context.walker, job.names) : null;
    if (!copy || !content || !place) return null;
    if (!(await this.#holds(copy, content))) return null;
    const current = await this.#context.files.stat(place.dir, place.name);
    return current?.identity === content.stat.identity ? { is: "before", place, content } : null;
  }

  async #holds(file: OpenFile, { bytes }: Content): Promise<boolean> {
    return sameBytes(await this.#context.files.read(file, 0, bytes.length + 1), bytes);
  }

  /** Checks that every name leads to its staged file, and that every saved copy has the old bytes. */
  async #verify(): Promise<TransactionResult["outside"]> {
    const outside: { path: string; kept: string }[] = [];
    const sound = new Set<string>();
    for (const { job, target } of this.#planned) {
      const { path } = job.record;
      if (!(await this.#isStaged(job)) && (await observeState(this.#context, job)).is === "unexpected")
        outside.push({ path, kept: path });
      // Files with the same old bytes share one copy.
      if (!target.content || sound.has(target.content.version)) continue;
      const kept = await this.#rescueChanged(path, target.content);
      sound.add(target.content.version);
      if (kept) outside.push({ path, kept });
    }
    return outside;
  }

  /** Repairs the saved copy of a file that another program changed. Returns where those foreign bytes are kept. */
  async #rescueChanged(path: string, content: Content): Promise<string | null> {
    const copy = this.#staged.copies.get(path);
    if (copy && (await this.#holds(copy, content))) return null;
    const kept = await rescueCopy(this.#context, content);
    const { id } = this.#transaction.intent;
    if (kept) await this.#context.backups.add({ id, path, version: content.version });
    return kept;
  }

  async #isStaged({ record, step, names }: FileWrite): Promise<boolean> {
    if (!record.after || step.inPlace) return true;
    const place = await resolveExisting(this.#context.walker, names);
    const current = place && (await this.#context.files.stat(place.dir, place.name));
    if (!current || current.identity !== this.#staged.staged.get(record.path)) return false;
    this.#installed.set(record.path, current);
    return true;
  }

  /** The transaction is done. If the cleanup fails, recovery repeats it. */
  async #finish(
    log: TransactionLogWriter,
    outside: TransactionResult["outside"],
  ): Promise<TransactionAttempt> {
    const saved = this.#planned.map(({ target, job }) => (job.step.held ? 0 : (target.before?.size ?? 0)));
    const grown = saved.reduce((sum, size) => sum + size, log.size);
    const entry = entryFrom(this.#transaction.intent, "committed");
    const outcome = accept({ entry, head: log.head, grown, outside });
    try {
      const restricted = await this.#restrictCopies();
      await cleanUpCommitted(this.#context, this.#transaction, { moved: this.#moved(), restricted });
      this.#rememberPlain();
      return { outcome, needsRecovery: false };
    } catch (error) {
      ignoreExpected(error);
      const stands = !(error instanceof LockLost) || (await this.#wasFinished());
      return { outcome: stands ? outcome : refuse(refusalOf(error)), needsRecovery: true };
    }
  }

  /**
   * Whether the process that took the lock finished this transaction, or found it finished. It may have taken it back
   * because another program had changed a file, and `done` is then in a log that has lost its name.
   */
  async #wasFinished(): Promise<boolean> {
    const log = await readTransactionLog(this.#context, this.#transaction.number);
    // Another transaction can have the number by now.
    return log.ok && log.value.done && log.value.parsed.records[0]?.epoch === this.#lock.epoch;
  }

  /** Lets only the owner read the old files that are their own saved copies. Returns their versions. */
  async #restrictCopies(): Promise<ReadonlySet<string>> {
    const restricted = new Set<string>();
    // A process that lost the lock may find that such a file has got its name back.
    await this.#context.checkLock();
    for (const { job } of this.#planned) {
      const { path, before, after } = job.record;
      const copy = this.#staged.copies.get(path);
      const isReplaced = after === null || this.#installed.has(path);
      if (!copy || !before || !isReplaced) continue;
      await this.#context.files.setMode(copy, savedCopyMode);
      restricted.add(before.version);
    }
    return restricted;
  }

  /** The paths whose staged file was renamed. A new file got its name by a link, and still has the staged one. */
  #moved(): ReadonlySet<string> {
    const renamed = this.#planned.filter(({ job: { record, step } }) => record.before && !step.aside);
    return new Set(renamed.map(({ job }) => job.record.path).filter((path) => this.#installed.has(path)));
  }

  /** A file that was staged among our own files has no attributes, so the next commit need not ask for them. */
  #rememberPlain(): void {
    for (const { job, target } of this.#planned) {
      const stat = this.#installed.get(job.record.path);
      if (stat && !job.step.beside && target.place.missing.length === 0) this.#context.plainFiles.add(stat);
    }
  }

  /** An error before the commit record: no file has changed, so only the staged files are removed. */
  async #discardUncommitted(error: unknown): Promise<TransactionAttempt> {
    const outcome = refuse(refusalOf(error));
    try {
      await cleanUpAborted(this.#context, this.#transaction, []);
      return { outcome, needsRecovery: false };
    } catch (again) {
      ignoreExpected(again);
      return { outcome, needsRecovery: true };
    }
  }

  /** An error after the commit record: every file is restored. If the disk does not allow it, recovery decides. */
  async #rollBackCommitted(log: TransactionLogWriter, error: unknown): Promise<TransactionAttempt> {
    const refusal = refusalOf(error);
    try {
      // A program that wrote into an old file has changed its saved copy too. Only this process has the old bytes.
      if (error instanceof UnexpectedContent)
        for (const { target } of this.#planned)
          if (target.content) await rescueCopy(this.#context, target.content);
      const { result } = await rollBack(this.#context, this.#transaction, log);
      // An aborted entry that stays in the history has used its number.
      return { outcome: refuse(refusal), needsRecovery: result !== "cleared" };
    } catch (again) {
      if (!(again instanceof UnexpectedContent)) ignoreExpected(again);
      return { outcome: refuse(unresolved(refusal, "open")), needsRecovery: true };
    }
  }
}

/** An I/O error and the loss of the lock leave the rest to the next owner. Other errors are bugs. */
function ignoreExpected(error: unknown): void {
  if (!(error instanceof LockLost)) ignoreIoError(error);
}

async function parentOf(walker: Walker, names: readonly string[]): Promise<Dir | null> {
  return (await resolveExisting(walker, names))?.dir ?? null;
}

async function resolveExisting(walker: Walker, names: readonly string[]): Promise<ResolvedPath | null> {
  const place = await walker.resolve(names);
  return place.ok && place.value.missing.length === 0 ? place.value : null;
}

function intentOf(
  { durability, limits }: CommitContext,
  { number, previous, metadata, removes }: TransactionRequest,
  targets: readonly Target[],
): Intent {
  const id = String(number);
  return {
    ...metadata,
    id,
    format: 1,
    previous,
    durability: { level: durability, limits },
    files: targets.map((target) => recordOf(id, target)),
    steps: targets.map(({ step }) => step),
    makes: missingDirs(targets),
    removes,
  };
}

function recordOf(id: string, { change, before, after }: Target): FileRecord {
  const { path } = change.gated;
  return {
    path,
    before,
    after,
    ...change.details,
    ...defined({ backup: before ? backupPath(id, path) : undefined }),
  };
}

async function leaveUnresolved(error: unknown): Promise<TransactionAttempt> {
  return { outcome: refuse(unresolved(refusalOf(error), "written")), needsRecovery: true };
}

function unresolved(refusal: Refusal, aftermath: "open" | "written"): Refusal {
  const { path, code } = refusal;
  return {
    code: "unavailable",
    ...defined({
      path,
      errno: "errno" in refusal && refusal.errno !== undefined ? refusal.errno : undefined,
    }),
    detail: ("detail" in refusal ? refusal.detail : undefined) ?? code,
    aftermath,
  };
}

/** The refusal for an error. Errors that are not I/O errors are bugs, and are rethrown. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof UnexpectedContent)
    return { code: "conflict", path: error.path, detail: `changed meanwhile (${error.version})` };
  if (error instanceof LockLost) return { code: "locked", owner: error.message };
  if (error instanceof Cancelled) return { code: "aborted" };
  return refusalOfIoError(error);
}
