import { accept, type Outcome } from "../../text/model/outcome.ts";
import { BackupFiles } from "../journal/backup-files.ts";
import { type JournalCheckpoint, parseCheckpoint, printCheckpoint } from "../journal/checkpoint.ts";
import { indexedNumbers, repairIndex } from "../journal/journal-index.ts";
import { listTransactionLogs, logName, readTransactionLog } from "../journal/transaction-log.ts";
import { Walker } from "../paths/walk.ts";
import { type StateAccess, stampState } from "../state/state.ts";
import type { CommitContext, OpenState } from "./commit-context.ts";
import { acquireLock, type HeldLock, LockLost } from "./lock.ts";
import { type Recovered, recover, sweepState } from "./recover.ts";

export type Session = {
  readonly context: CommitContext;
  readonly lock: HeldLock;
  readonly checkpoint: JournalCheckpoint;
  /** The result of the recovery before this session. */
  readonly recovered: readonly Recovered[];
};

/** The result of a session. `checkpoint: null`: the next lock owner has to inspect the journal. */
export type SessionResult<T> = { readonly value: T; readonly checkpoint: JournalCheckpoint | null };

export type LockSessionOptions = { readonly patience: number; readonly breakOwner?: boolean };

/**
 * Runs work as the only writer of a root: callers in this process queue up, and processes take the lock. Recovers
 * unfinished transactions first.
 */
export async function inSession<T>(
  openState: OpenState,
  options: LockSessionOptions,
  work: (session: Session) => Promise<SessionResult<T>>,
): Promise<Outcome<T>> {
  const { files, root, state } = openState;
  return runInQueue(queueName(openState), async () => {
    const lock = await acquireLock(files, state.lock, options);
    if (!lock.ok) return lock;
    const [walker, backups] = [new Walker(files, root), new BackupFiles(openState)];
    const checkLock = async (): Promise<void> => {
      if (!(await lock.value.holds())) throw new LockLost();
    };
    const context: CommitContext = { ...openState, walker, backups, seen: new Map(), checkLock };
    let result: SessionResult<T> | null = null;
    try {
      const known = await readCheckpoint(context, lock.value);
      context.plainFiles.recall(known?.plain ?? []);
      const found = known ? { checkpoint: known, recovered: [] } : await inspectJournal(context, lock.value);
      result = await work({ context, lock: lock.value, ...found });
      return accept(result.value);
    } finally {
      await walker.close();
      await backups.close();
      await lock.value.release(result?.checkpoint ? printNote(context, result.checkpoint) : "");
    }
  });
}

/** The note for the next owner. */
function printNote(context: CommitContext, checkpoint: JournalCheckpoint): string {
  return printCheckpoint(context.files, { ...checkpoint, plain: context.plainFiles.last() });
}

/** The checkpoint of the last owner. It is out of date if a process that lost the lock has left a log since. */
async function readCheckpoint(
  { files, state }: StateAccess,
  { inherited }: HeldLock,
): Promise<JournalCheckpoint | null> {
  const known = parseCheckpoint(files, inherited);
  if (!known) return null;
  return (await files.stat(state.journal, logName(known.next, { pending: true }))) ? null : known;
}

/** Reads the journal: recovers unfinished transactions, removes leftovers, and measures the state. */
async function inspectJournal(
  context: CommitContext,
  lock: HeldLock,
): Promise<{ checkpoint: JournalCheckpoint; recovered: Recovered[] }> {
  const recovered: Recovered[] = [];
  for (const { number, pending } of await listTransactionLogs(context))
    if (pending) recovered.push(await recover(context, lock.epoch, number));
  const unresolved = recovered.filter((each) => each.result === "doubtful");
  if (unresolved.length === 0) await sweepState(context);
  if (unresolved.length === 0 && context.state.copied) await stampState(context);
  const numbers = (await listTransactionLogs(context)).map(({ number }) => number);
  const last = numbers.at(-1) ?? 0;
  await repairIndex(context, numbers);
  if (unresolved.length === 0) await removeUnknownBackups(context, last);
  const log = last > 0 ? await readTransactionLog(context, last) : null;
  const head = log?.ok ? log.value.head : "";
  return { checkpoint: { next: last + 1, head, used: await measureState(context), unresolved }, recovered };
}

/** A power cut can bring back the backup folder of a removed transaction. */
async function removeUnknownBackups(context: CommitContext, last: number): Promise<void> {
  const { files, state, backups } = context;
  const folders = (await files.list(state.backups)).map(({ name }) => name);
  const later = folders.filter((name) => /^[0-9]+$/.test(name) && Number(name) > last);
  const known = later.length > 0 ? await indexedNumbers(context) : new Set();
  for (const name of later) if (!known.has(Number(name))) await backups.remove(name);
}

/** The size of the journal and the saved copies, in bytes. */
export async function measureState({ files, state }: StateAccess): Promise<number> {
  let used = 0;
  for (const dir of [state.journal, state.blobs])
    for (const { name } of await files.list(dir)) used += (await files.stat(dir, name))?.size ?? 0;
  return used;
}

/** The last call in each queue. There is one queue for each root in this process. */
const queues = new Map<string, Promise<unknown>>();

async function runInQueue<T>(name: string, work: () => Promise<T>): Promise<T> {
  const turn = (queues.get(name) ?? Promise.resolve()).then(work, work);
  const settled = turn.catch(() => undefined);
  queues.set(name, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(name) === settled) queues.delete(name);
  }
}

function queueName({ files, state }: StateAccess): string {
  const { pid, boot } = files.self();
  return `${boot} ${pid} ${state.identity}`;
}
