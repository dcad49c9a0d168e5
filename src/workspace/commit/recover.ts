import { type Dir, ignoreIoError } from "../files/files.ts";
import {
  type Aborted,
  type Intent,
  logName,
  readTransactionLog,
  reopenTransactionLog,
  type TransactionLog,
  type TransactionLogWriter,
  takeOverLog,
} from "../journal/transaction-log.ts";
import { isProtected } from "../paths/guarded-names.ts";
import { parsePath } from "../paths/paths.ts";
import { type StateAccess, unlinkIfThere } from "../state/state.ts";
import { cleanUpAborted, cleanUpCommitted } from "./cleanup.ts";
import { type CommitContext, type FileWrite, flushDirs, type Transaction } from "./commit-context.ts";
import { findAside, observeState, UnexpectedContent, versionAt } from "./file-state.ts";
import { install } from "./install.ts";
import { rollBackFile, type UnexpectedFile } from "./rollback.ts";
import { makeDir } from "./stage.ts";

/**
 * The result of recovering an unfinished transaction. `doubtful`: the log cannot be trusted, so no file was touched, and
 * its paths stay blocked until a person decides.
 */
export type Recovered =
  | { readonly number: number; readonly result: "committed" | "cleared" }
  | { readonly number: number; readonly result: "aborted"; readonly unexpected: readonly UnexpectedFile[] }
  | {
      readonly number: number;
      readonly result: "doubtful";
      readonly why: string;
      readonly paths: readonly string[];
    };

/**
 * Finishes or rolls back one transaction that a crash interrupted. Every step is idempotent, so a crash during recovery
 * is recovered by the same rules.
 */
export async function recover(context: CommitContext, epoch: number, number: number): Promise<Recovered> {
  await takeOverLog(context, number);
  const read = await readTransactionLog(context, number);
  if (!read.ok) return { number, result: "cleared" };
  const log = read.value;
  const { intent } = log;
  const doubt = doubtOf(context, log);
  if (doubt) return doubtful(log, doubt);
  if (!intent) {
    await unlinkIfThere(context.files, context.state.journal, logName(number, { pending: true }));
    return { number, result: "cleared" };
  }
  const transaction = { number, intent, jobs: jobsOf(intent) };
  if (log.done) {
    await makeDurable(context, epoch, log);
    await cleanUpCommitted(context, transaction);
    return { number, result: "committed" };
  }
  if (log.aborted) {
    await makeDurable(context, epoch, log);
    return clear(context, transaction, log.aborted.strangers);
  }
  return log.committed
    ? recoverCommitted(context, transaction, { epoch, log })
    : recoverUncommitted(context, transaction, log);
}

function doubtful({ number, intent }: TransactionLog, why: string): Recovered {
  return { number, result: "doubtful", why, paths: intent?.files.map(({ path }) => path) ?? [] };
}

/** The records may not have reached the disk yet. They must be durable before recovery acts on them. */
async function makeDurable(context: CommitContext, epoch: number, log: TransactionLog): Promise<void> {
  const writer = await reopenTransactionLog(context, log, epoch);
  try {
    await writer.flush();
    await context.files.flushDir(context.state.journal);
  } finally {
    await writer.close();
  }
}

/** Why a log cannot be trusted; `null` if it can. */
function doubtOf({ state }: CommitContext, { parsed, intent }: TransactionLog): string | null {
  if (parsed.ending === "newer") return "a newer version wrote it";
  if (parsed.ending === "corrupt") return "its checksum is wrong";
  if (!intent) return null;
  if (state.copied) return "`.suture/` was copied from another folder or machine";
  // The log is a file that another program may have written, so its paths pass the gate too.
  const forbidden = intent.files.find(({ path }) => !isUsable(path));
  if (forbidden) return `it names ${JSON.stringify(forbidden.path)}`;
  return [...intent.makes, ...intent.removes].every(isUsable) && intent.steps.every(areNames)
    ? null
    : "it names places outside the root";
}

function isUsable(path: string): boolean {
  const parsed = parsePath(path);
  return parsed.ok && parsed.value.path === path && !parsed.value.key.split("/").some(isProtected);
}

function areNames({ staged = "-", aside = "-" }: Intent["steps"][number]): boolean {
  return [staged, aside].every((name) => /^[-.a-z0-9]+$/.test(name));
}

export function jobsOf({ files, steps }: Intent): FileWrite[] {
  return files.map((record, i) => ({ record, step: steps[i] ?? {}, names: record.path.split("/") }));
}

/** Without a commit record no file should have changed. If one has, the log cannot be trusted. */
async function recoverUncommitted(
  context: CommitContext,
  transaction: Transaction,
  log: TransactionLog,
): Promise<Recovered> {
  for (const job of transaction.jobs)
    if (await wasInstalled(context, job)) return doubtful(log, "files have changed without a commit record");
  return clear(context, transaction, []);
}

/** Whether a file has its new state, and the transaction itself must have written it. */
async function wasInstalled(context: CommitContext, job: FileWrite): Promise<boolean> {
  const { before, after } = job.record;
  if (after?.version === before?.version) return false;
  const found = await observeState(context, job);
  return found.is === "after" && (after !== null || (await findAside(context, job, found.place)) !== null);
}

async function recoverCommitted(
  context: CommitContext,
  transaction: Transaction,
  { epoch, log }: { epoch: number; log: TransactionLog },
): Promise<Recovered> {
  const { number, intent, jobs } = transaction;
  await makeDurable(context, epoch, log);
  const writer = await reopenTransactionLog(context, log, epoch);
  try {
    if (!(await canFinish(context, jobs))) return await rollBack(context, transaction, writer);
    try {
      for (const path of intent.makes) await makeDir(context, path, { again: true });
      for (const job of jobs) {
        await context.checkLock();
        await install(context, { id: intent.id, job });
      }
      for (const job of jobs) await checkInstalled(context, job);
    } catch (error) {
      if (!(error instanceof UnexpectedContent)) throw error;
      return await rollBack(context, transaction, writer);
    }
    await flushParents(context, transaction);
    await writer.append(["done", {}]);
    await writer.flush();
    await cleanUpCommitted(context, transaction);
    return { number, result: "committed" };
  } finally {
    await writer.close();
  }
}

async function checkInstalled(context: CommitContext, job: FileWrite): Promise<void> {
  const found = await observeState(context, job);
  if (found.is !== "after") throw new UnexpectedContent(job.record.path, found.is);
}

/** Whether each file has its old or new state, and every file that is still to be written is staged completely. */
async function canFinish(context: CommitContext, jobs: readonly FileWrite[]): Promise<boolean> {
  for (const job of jobs) if (!(await canFinishJob(context, job))) return false;
  return true;
}

async function canFinishJob(context: CommitContext, job: FileWrite): Promise<boolean> {
  const { record, step } = job;
  const found = await observeState(context, job);
  if (found.is === "after") return true;
  if (found.is === "unexpected" && !(step.inPlace && found.content)) return false;
  if (!record.after) return true;
  const dir = step.beside ? found.place?.dir : context.state.stage;
  if (!dir || step.staged === undefined) return false;
  return (await versionAt(context, { dir, name: step.staged })) === record.after.version;
}

/** Restores every old file, except where there is unexpected content, and records the result. */
export async function rollBack(
  context: CommitContext,
  transaction: Transaction,
  writer: TransactionLogWriter,
): Promise<Recovered> {
  const unexpected: UnexpectedFile[] = [];
  for (const job of [...transaction.jobs].reverse()) {
    await context.checkLock();
    const found = await rollBackFile(context, job);
    if (found) unexpected.unshift(found);
  }
  await flushParents(context, transaction);
  await writer.append(["aborted", { strangers: unexpected } satisfies Aborted]);
  await writer.flush();
  return clear(context, transaction, unexpected);
}

async function clear(
  context: CommitContext,
  transaction: Transaction,
  unexpected: readonly UnexpectedFile[],
): Promise<Recovered> {
  await cleanUpAborted(context, transaction, unexpected);
  const { number } = transaction;
  return unexpected.length > 0 ? { number, result: "aborted", unexpected } : { number, result: "cleared" };
}

/** Flushes every directory in which a name has changed. */
export async function flushParents(context: CommitContext, { jobs, intent }: Transaction): Promise<void> {
  const dirs = new Set<Dir>();
  for (const names of [...jobs.map((job) => job.names), ...intent.makes.map((path) => path.split("/"))]) {
    const place = await context.walker.resolve(names);
    if (place.ok && place.value.missing.length === 0) dirs.add(place.value.dir);
  }
  await flushDirs(context, dirs);
}

/** Removes the leftovers of crashed transactions from our own directories, once none of them is unfinished. */
export async function sweepState({ files, state }: StateAccess): Promise<void> {
  for (const { name, kind } of await files.list(state.stage))
    if (kind !== "directory") await unlinkIfThere(files, state.stage, name);
  for (const dir of [state.dir, state.blobs, state.audit, state.journal])
    for (const { name } of await files.list(dir))
      if (name.endsWith(".draft")) await files.unlink(dir, name).catch(ignoreIoError);
}
