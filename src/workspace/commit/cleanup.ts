import { codeOf, type Dir } from "../files/files.ts";
import { detachCopy, linkQuietly, restrictCopy } from "../journal/saved-copies.ts";
import { logName } from "../journal/transaction-log.ts";
import { unlinkIfThere } from "../state/state.ts";
import { type CommitContext, type FileWrite, flushDirs, lookAt, type Transaction } from "./commit-context.ts";
import { stagingDir } from "./file-state.ts";
import { clearName } from "./install.ts";
import type { UnexpectedFile } from "./rollback.ts";

/** The part of the cleanup that the committing process has done or found to be done; recovery knows nothing of it. */
export type CleanedUp = {
  /** Paths to which the staged file was moved. Nothing is left under its staged name. */
  readonly moved: ReadonlySet<string>;
  /** Versions whose saved copy only the owner may read already. */
  readonly restricted: ReadonlySet<string>;
};

/** After `done`: removes staged files, restricts the permissions of saved copies, and gives the log its final name. */
export async function cleanUpCommitted(
  context: CommitContext,
  { number, intent, jobs }: Transaction,
  { moved, restricted }: CleanedUp = { moved: new Set(), restricted: new Set() },
): Promise<void> {
  for (const job of jobs) if (!moved.has(job.record.path)) await discardStaged(context, job);
  const open = jobs.filter(
    ({ step, record }) => !step.held && record.before && !restricted.has(record.before.version),
  );
  if (open.length > 0) await context.checkLock();
  for (const job of open) await restrictSaved(context, job);
  for (const path of intent.removes) await removeEmpty(context, path.split("/"));
  // The final name may reach the disk before everything else. Recovery would then not look at this transaction again.
  await flushOutside(context, intent.removes, jobs);
  await context.checkLock();
  await finishLog(context, number);
}

/**
 * After a rollback: removes every trace. If there was unexpected content, the entry stays in the history with every
 * version of that file. Otherwise the log is removed last, because until then it lists what has to be removed.
 */
export async function cleanUpAborted(
  context: CommitContext,
  { number, intent, jobs }: Transaction,
  unexpected: readonly UnexpectedFile[],
): Promise<void> {
  const paths = new Set(unexpected.map(({ path }) => path));
  const affected = jobs.filter(({ record }) => paths.has(record.path));
  for (const job of affected) await storeStaged(context, job);
  for (const job of jobs) await discardStaged(context, job);
  // Once these names are gone for good, recovery cannot resume the transaction.
  await flushDirs(context, [context.state.stage]);
  for (const path of [...intent.makes].reverse()) await removeEmpty(context, path.split("/"));
  await flushOutside(context, intent.makes, jobs);
  const kept = new Set(affected.map(({ record }) => record.before?.version));
  for (const job of jobs) await dropCopy(context, job, kept);
  await removeBackups(context, { number, intent, jobs });
  for (const { record } of affected)
    if (record.before)
      await context.backups.add({ id: intent.id, path: record.path, version: record.before.version });
  await context.checkLock();
  if (affected.length > 0) return finishLog(context, number);
  await unlinkIfThere(context.files, context.state.journal, logName(number, { pending: true }));
}

/** An entry of the same number that is finished is another process's, and so are its backup files. */
async function removeBackups(context: CommitContext, { number, intent }: Transaction): Promise<void> {
  await context.checkLock();
  const { files, state, backups } = context;
  if (!(await files.stat(state.journal, logName(number, { pending: false }))))
    await backups.remove(intent.id);
}

async function finishLog({ files, state }: CommitContext, number: number): Promise<void> {
  try {
    const [from, to] = [logName(number, { pending: true }), logName(number, { pending: false })];
    await files.rename(state.journal, from, state.journal, to);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** Removes a job's staged file and its moved-away old file. Bytes without another copy are stored first. */
async function discardStaged(context: CommitContext, job: FileWrite): Promise<void> {
  const { staged, aside } = job.step;
  const dir = await findStagingDir(context, job);
  if (!dir) return;
  await context.checkLock();
  // Mostly the staged file has been renamed, and a check is cheaper than a failed unlink.
  if (staged && (await context.files.stat(dir, staged))) await unlinkIfThere(context.files, dir, staged);
  if (aside) await clearName(context, { dir, name: aside });
}

async function findStagingDir(context: CommitContext, job: FileWrite): Promise<Dir | null> {
  if (!job.step.beside) return context.state.stage;
  const place = await context.walker.resolve(job.names);
  return place.ok && place.value.missing.length === 0 ? stagingDir(context, job, place.value) : null;
}

async function storeStaged(context: CommitContext, job: FileWrite): Promise<void> {
  const { staged } = job.step;
  const dir = staged ? await findStagingDir(context, job) : null;
  if (!dir || !staged) return;
  await context.checkLock();
  await clearName(context, { dir, name: staged });
}

/** Removes a saved copy that this transaction made, unless the history keeps it because of unexpected content. */
async function dropCopy(
  context: CommitContext,
  { record, step, names }: FileWrite,
  kept: ReadonlySet<string | undefined>,
): Promise<void> {
  const version = record.before?.version;
  if (version === undefined) return;
  const looked = await lookAt(context, names);
  const live = looked.ok ? looked.value.content : null;
  await context.checkLock();
  // A copy may be the last one of bytes that the file no longer has. Garbage collection knows whether it is needed.
  if (!step.held && !kept.has(version))
    return live?.version === version ? removeCopy(context, version) : undefined;
  // The entry that needs the copy may refer to another file, which had the same bytes.
  if (live) await detachCopy(context, { version, live });
}

/** Moves a copy away before it asks for the lock, so that a copy that another process needs by now can be put back. */
async function removeCopy(context: CommitContext, version: string): Promise<void> {
  const { files, state } = context;
  const draft = `${version}.${files.randomId()}.draft`;
  try {
    await files.rename(state.blobs, version, state.blobs, draft);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  try {
    await context.checkLock();
  } catch (error) {
    if (
      await linkQuietly(files, { dir: state.blobs, name: draft }, { dir: state.blobs, name: version }).catch(
        codeOf,
      )
    )
      await unlinkIfThere(files, state.blobs, draft);
    throw error;
  }
  await unlinkIfThere(files, state.blobs, draft);
}

/** After a rollback the live file may still be its own saved copy; then its permissions are not changed. */
async function restrictSaved(context: CommitContext, { record, names }: FileWrite): Promise<void> {
  if (!record.before) return;
  const { version } = record.before;
  const saved = await context.files.stat(context.state.blobs, version);
  const looked = saved ? await lookAt(context, names) : null;
  const isLive = looked?.ok && looked.value.content?.stat.identity === saved?.identity;
  if (saved && !isLive) await restrictCopy(context, version);
}

/** Flushes the user's directories in which the transaction removed something. */
async function flushOutside(
  context: CommitContext,
  paths: readonly string[],
  jobs: readonly FileWrite[],
): Promise<void> {
  const beside = jobs.filter(({ step }) => step.beside).map(({ names }) => names);
  const dirs = new Set<Dir>();
  for (const names of [...paths.map((path) => path.split("/")), ...beside]) {
    const place = await context.walker.resolve(names);
    if (place.ok) dirs.add(place.value.dir);
  }
  await flushDirs(context, dirs);
}

/** Removes a directory, if it exists and is empty. */
async function removeEmpty(context: CommitContext, names: readonly string[]): Promise<void> {
  const place = await context.walker.resolve(names);
  if (!place.ok || place.value.missing.length > 0) return;
  try {
    await context.files.rmdir(place.value.dir, place.value.name);
  } catch (error) {
    if (!["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(codeOf(error))) throw error;
  }
}
